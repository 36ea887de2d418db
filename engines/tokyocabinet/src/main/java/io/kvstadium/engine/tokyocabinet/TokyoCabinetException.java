package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The failure of a call of the library, in its words. */
final class TokyoCabinetException extends RuntimeException {
  static final int NO_ENTRY = 22;
  static final int SYNC = 10;
  static final int INVALID = 2;

  @Serial private static final long serialVersionUID = 1;

  private static final int ETRUNC = 9;
  private static final int EWRITE = 14;

  private static final Map<String, Failure> ALL =
      Declarations.failures(TokyoCabinetException.class.getResourceAsStream("failures.txt"));

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
    return code == EWRITE || code == ETRUNC
        ? Failure.ofWriting(config.directory())
        : ALL.getOrDefault(Integer.toString(code), Objects.requireNonNull(ALL.get("other")));
  }
}
