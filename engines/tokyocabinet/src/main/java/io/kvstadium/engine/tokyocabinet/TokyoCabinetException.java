package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Failure.Blocks;
import io.kvstadium.store.engine.Failure.Kind;
import io.kvstadium.store.engine.StoreConfig;
import java.io.Serial;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The failure of a call of the library, in its words. */
final class TokyoCabinetException extends RuntimeException {
  static final int NO_ENTRY = 22;
  static final int SYNC = 10;
  static final int INVALID = 2;

  @Serial private static final long serialVersionUID = 1;

  private static final int ETHREAD = 1;
  private static final int ENOPERM = 4;
  private static final int EMETA = 5;
  private static final int ERHEAD = 6;
  private static final int ETRUNC = 9;
  private static final int EREAD = 13;
  private static final int EWRITE = 14;
  private static final int ELOCK = 16;

  /** The library's number for it. */
  final int code;

  TokyoCabinetException(String call, int code) {
    super(call + ": " + Native.message(code));
    this.code = code;
  }

  /** What it means; after any failure, what the library has in memory must not be read. */
  static @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    Failure failure =
        switch (thrown) {
          case TokyoCabinetException e -> e.meaning(config);
          case UncheckedIOException e -> Failure.ofFiles(e);
          default -> null;
        };
    return failure == null ? null : failure.blocking(Blocks.ALL);
  }

  private Failure meaning(StoreConfig config) {
    return switch (code) {
      case ELOCK, ETHREAD ->
          new Failure(Kind.LOCKED, "another process has it open", "close it there");
      case EMETA, ERHEAD, EREAD ->
          new Failure(
              Kind.CORRUPT,
              "it is damaged, or not a file of this type",
              "restore it, or look at it with tcbmgr or tchmgr inform");
      case ENOPERM -> new Failure(Kind.IO, "no permission", "check the file's owner and mode");
      case INVALID ->
          new Failure(
              Kind.IO, "after an error the library refuses further calls", "open the store again");
      case EWRITE, ETRUNC -> Failure.ofWriting(config.directory());
      default -> new Failure(Kind.IO, "a call failed", "close the store and open it again");
    };
  }
}
