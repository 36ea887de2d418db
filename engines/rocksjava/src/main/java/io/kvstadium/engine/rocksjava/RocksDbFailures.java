package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Failure.Kind;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What RocksDB's statuses mean. */
final class RocksDbFailures {
  /** RocksDB refuses all writes from then on, until it is opened again. */
  private static final Failure NO_ROOM = Failure.full().blocking(Failure.Blocks.WRITES);

  private RocksDbFailures() {}

  /** Returns what a failure of a call on an open store means. */
  static @Nullable Failure of(Throwable thrown) {
    if (isUnknownReason(thrown)) {
      return NO_ROOM;
    }
    return thrown instanceof RocksDBException e ? of(e) : null;
  }

  /**
   * Returns whether this is how the call that met the error ends: RocksJava 11.8 does not know all
   * reasons, and throws this in the thread that calls {@link Watch.StaysStopped}. RocksDB takes
   * that as a no, too. On a local disk, lack of space is the only error that it would recover from.
   */
  private static boolean isUnknownReason(Throwable thrown) {
    return thrown instanceof IllegalArgumentException
        && String.valueOf(thrown.getMessage()).contains("BackgroundErrorReason");
  }

  /** Returns what a failed open means: here a missing file means that the store is damaged. */
  static @Nullable Failure ofOpen(Throwable thrown) {
    if (!(thrown instanceof RocksDBException e)) {
      return null;
    }
    Failure failure = of(e);
    return failure.kind() == Kind.IO && isFileMissing(e)
        ? new Failure(
            Kind.CORRUPT,
            "a file is missing",
            "restore it from a backup; if another program keeps files elsewhere (db_paths,"
                + " cf_paths), that cannot be opened here")
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
          new Failure(Kind.CONFLICT, "lost to another writer", "try again");
      case IOError -> ofInputOutput(e, status);
      case ShutdownInProgress -> NO_ROOM; // by Watch, or else there is another error
      case Incomplete ->
          text(e).contains("No space left") // why waiting for space in the memtables is pointless
              ? NO_ROOM
              : new Failure(Kind.OTHER, "a call failed", "");
      case InvalidArgument ->
          text(e).contains("existing comparator")
              ? new Failure(
                  Kind.ARGUMENT, "a column family's keys are not in the order of their bytes", "")
              : new Failure(Kind.ARGUMENT, "refused", "");
      default -> new Failure(Kind.OTHER, "a call failed", "");
    };
  }

  private static Failure ofInputOutput(RocksDBException e, Status status) {
    String text = text(e);
    if (status.getSubCode() == Status.SubCode.NoSpace) {
      return NO_ROOM;
    }
    // about a file that it was writing, which reads do not need
    if (text.contains("previous error") || text.contains("Seen error")) {
      return Failure.ofFiles(e).blocking(Failure.Blocks.WRITES);
    }
    return text.contains("lock") && text.contains("LOCK")
        ? new Failure(Kind.LOCKED, "another process or handle has it open", "close that one")
        : Failure.ofFiles(e);
  }

  /** Whether a reader beside a writer met an unfinished change, so that a retry may succeed. */
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
