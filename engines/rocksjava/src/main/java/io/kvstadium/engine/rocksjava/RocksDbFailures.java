package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What RocksDB's statuses mean. */
final class RocksDbFailures {
  /** By {@link Status.Code}, and by what its text adds to that. */
  private static final Map<String, Failure> ALL =
      Declarations.failures(RocksDbFailures.class.getResourceAsStream("failures.txt"));

  private RocksDbFailures() {}

  /** Returns what a failure of a call on an open store means. */
  static @Nullable Failure of(Throwable thrown) {
    return thrown instanceof RocksDBException e ? of(e) : null;
  }

  /** Returns what a failed open means: here a missing file means that the store is damaged. */
  static @Nullable Failure ofOpen(Throwable thrown) {
    if (!(thrown instanceof RocksDBException e)) {
      return null;
    }
    Failure failure = of(e);
    return failure.kind() == Kind.IO && isFileMissing(e) ? known("missing") : failure;
  }

  private static Failure of(RocksDBException e) {
    @Nullable Status status = e.getStatus();
    String text = text(e);
    String code = status == null ? "other" : status.getCode().name();
    return switch (code) {
      case "Corruption" -> known(text.contains("unsupported format_version") ? "newer" : code);
      // why waiting for space in the memtables is pointless
      case "Incomplete" -> known(text.contains("No space left") ? "full" : "other");
      case "InvalidArgument" -> known(text.contains("existing comparator") ? "order" : code);
      case "IOError" -> ofInputOutput(e, status.getSubCode() == Status.SubCode.NoSpace);
      default -> known(code); // ShutdownInProgress by Watch, or else there is another error
    };
  }

  private static Failure ofInputOutput(RocksDBException e, boolean full) {
    String text = text(e);
    if (full) {
      return known("full");
    }
    // about a file that it was writing, which reads do not need
    if (text.contains("previous error") || text.contains("Seen error")) {
      return Failure.ofFiles(e).blocking(Failure.Blocks.WRITES);
    }
    return text.contains("lock") && text.contains("LOCK") ? known("locked") : Failure.ofFiles(e);
  }

  private static Failure known(String code) {
    return ALL.getOrDefault(code, Objects.requireNonNull(ALL.get("other")));
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
