package io.kvstadium.engine.qdbm;

import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import java.io.Serial;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The failure of the calling thread's last call of the library, in its words. */
final class QdbmException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private static final int EWRITE = 15;

  private static final Map<String, Failure> ALL =
      Declarations.failures(QdbmException.class.getResourceAsStream("failures.txt"));

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
    return code == EWRITE
        ? Failure.ofWriting(config.directory())
        : ALL.getOrDefault(Integer.toString(code), Objects.requireNonNull(ALL.get("other")));
  }
}
