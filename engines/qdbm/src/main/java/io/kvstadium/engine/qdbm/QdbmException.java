package io.kvstadium.engine.qdbm;

import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Failure.Kind;
import io.kvstadium.store.engine.StoreConfig;
import java.io.Serial;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The failure of the calling thread's last call of the library, in its words. */
final class QdbmException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private static final int EFATAL = 1;
  private static final int EBROKEN = 3;
  private static final int EOPEN = 8;
  private static final int EREAD = 14;
  private static final int EWRITE = 15;
  private static final int ELOCK = 16;

  private final int code;

  QdbmException(Path file, String call) {
    this(file, call, Native.error());
  }

  private QdbmException(Path file, String call, int code) {
    super(file.getFileName() + ": " + call + ": " + Native.message(code));
    this.code = code;
  }

  static @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return thrown instanceof QdbmException e ? e.meaning(config) : null;
  }

  private Failure meaning(StoreConfig config) {
    return switch (code) {
      case ELOCK -> new Failure(Kind.LOCKED, "another process has it open", "close it there");
      case EBROKEN, EREAD ->
          new Failure(
              Kind.CORRUPT,
              "a file was not closed properly, is damaged, or is not of this type",
              "repair a copy with %s repair, of the package qdbm-util"
                  .formatted(QdbmEngine.isTree(config) ? "vlmgr" : "dpmgr"));
      case EOPEN -> new Failure(Kind.IO, "no permission", "check the file's owner and mode");
      case EFATAL ->
          new Failure(
              Kind.IO, "after an error the library refuses further calls", "open the store again");
      case EWRITE -> Failure.ofWriting(config.directory());
      default -> new Failure(Kind.IO, "a call failed", "close the store and open it again");
    };
  }
}
