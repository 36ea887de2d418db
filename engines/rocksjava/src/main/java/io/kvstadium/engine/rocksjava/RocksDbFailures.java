package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Kind;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What RocksDB's statuses mean. */
final class RocksDbFailures {
  private RocksDbFailures() {}

  /** What a call on an open store failed with. */
  static @Nullable Failure of(Throwable thrown) {
    if (isUnknownReason(thrown)) {
      return Failure.full();
    }
    return thrown instanceof RocksDBException e ? of(e) : null;
  }

  /**
   * Whether this is how the call ends that met the error: RocksJava 11.8 does not know all reasons,
   * and throws this in the thread that calls {@link StaysStopped}. RocksDB takes that for a no,
   * too. Only the want of room is an error that it would recover from on a local disk.
   */
  private static boolean isUnknownReason(Throwable thrown) {
    return thrown instanceof IllegalArgumentException
        && String.valueOf(thrown.getMessage()).contains("BackgroundErrorReason");
  }

  /** What an open failed with: a missing file then means that the store is damaged. */
  static @Nullable Failure ofOpen(Throwable thrown) {
    if (!(thrown instanceof RocksDBException e)) {
      return null;
    }
    Failure failure = of(e);
    return failure.kind() == Kind.IO && isFileMissing(e)
        ? new Failure(Kind.CORRUPT, "a file is missing", "restore it from a backup")
        : failure;
  }

  private static Failure of(RocksDBException e) {
    @Nullable Status status = e.getStatus();
    if (status == null) {
      return new Failure(Kind.OTHER, "a call failed", "");
    }
    return switch (status.getCode()) {
      case Corruption ->
          text(e).contains("unsupported format_version")
              ? new Failure(
                  Kind.CORRUPT,
                  "a file of a newer version, or damaged",
                  "open it with the version that wrote it, or restore it from a backup")
              : new Failure(Kind.CORRUPT, "damaged data", "restore it from a backup");
      case Busy, TimedOut, TryAgain, Aborted, Expired ->
          new Failure(Kind.CONFLICT, "lost against another writer", "try again");
      case IOError -> ofInputOutput(e, status);
      case ShutdownInProgress -> Failure.full(); // ended by ErrorWatch, else there is another error
      case Incomplete ->
          text(e).contains("No space left") // why it is not worth waiting for room in the memtables
              ? Failure.full()
              : new Failure(Kind.OTHER, "a call failed", "");
      case InvalidArgument ->
          text(e).contains("existing comparator")
              ? new Failure(
                  Kind.ARGUMENT,
                  "a column family has its keys in another order than their bytes'",
                  "")
              : new Failure(Kind.ARGUMENT, "refused", "");
      default -> new Failure(Kind.OTHER, "a call failed", "");
    };
  }

  private static Failure ofInputOutput(RocksDBException e, Status status) {
    String text = text(e);
    if (status.getSubCode() == Status.SubCode.NoSpace) {
      return Failure.full();
    }
    // of a file that it was writing, which reads do not need
    if (text.contains("previous error") || text.contains("Seen error")) {
      return Failure.ofFiles(e).blocking(Failure.Blocks.WRITES);
    }
    return text.contains("lock") && text.contains("LOCK")
        ? new Failure(Kind.LOCKED, "another process or handle has it open", "close that one")
        : Failure.ofFiles(e);
  }

  /** Whether a reader beside a writer met a change in its middle, so that a second try may do. */
  static boolean isPassing(RocksDBException e) {
    @Nullable Status status = e.getStatus();
    return isFileMissing(e)
        || (status != null && status.getCode() == Status.Code.TryAgain)
        || text(e).contains("Column family not found");
  }

  /** Whether a file was not where RocksDB expected it. */
  static boolean isFileMissing(RocksDBException e) {
    return text(e).contains("No such file");
  }

  private static String text(RocksDBException e) {
    return String.valueOf(e.getMessage());
  }
}
