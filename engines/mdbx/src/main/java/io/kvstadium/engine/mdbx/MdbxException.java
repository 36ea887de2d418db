package io.kvstadium.engine.mdbx;

import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import java.io.Serial;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The failure of a call of the library, in its words. */
final class MdbxException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private static final int EIO = 5;

  private static final Map<String, Failure> ALL =
      Declarations.failures(MdbxException.class.getResourceAsStream("failures.txt"));

  private final int code;

  MdbxException(String call, int code) {
    super(call + ": " + Mdbx.message(code));
    this.code = code;
  }

  static @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return thrown instanceof MdbxException e ? e.meaning(config) : null;
  }

  Failure meaning(StoreConfig config) {
    return code == EIO // also for a write that ended early, as at the end of the disk
        ? Failure.ofWriting(config.directory())
        : ALL.getOrDefault(Integer.toString(code), Objects.requireNonNull(ALL.get("other")));
  }
}
