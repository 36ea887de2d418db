package io.kvstadium.engine.leveldb;

import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import java.io.Serial;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The failure of a call of the library, in its words. */
final class LevelDbException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private static final Map<String, Failure> ALL =
      Declarations.failures(LevelDbException.class.getResourceAsStream("failures.txt"));

  LevelDbException(String call, String message) {
    super(call + ": " + message);
  }

  /**
   * What it means. After a failed write the log may end in half a record, behind which the library
   * would go on, and find nothing at the next open; reads are of what was written before.
   */
  static @Nullable Failure classify(Throwable thrown) {
    if (!(thrown instanceof LevelDbException)) {
      return null;
    }
    String text = String.valueOf(thrown.getMessage());
    return text.contains("IO error: lock ")
        ? ALL.get("lock")
        : text.contains("Corruption: ")
            ? ALL.get("corruption")
            : text.contains("NotFound: ")
                ? ALL.get("missing")
                : Failure.ofFiles(thrown).blocking(Blocks.WRITES);
  }
}
