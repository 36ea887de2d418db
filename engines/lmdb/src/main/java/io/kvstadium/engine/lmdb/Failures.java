package io.kvstadium.engine.lmdb;

import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;

/** What LMDB's errors mean. */
final class Failures {
  private static final int EIO = 5; // the same on Linux, macOS and in Windows' C library

  static final String LARGER_MAP =
      "open the store with a larger map_size (it costs address space only)";

  /** By LMDB's numbers, which are negative, and the system's. */
  private static final Map<String, Failure> ALL =
      Declarations.failures(Failures.class.getResourceAsStream("failures.txt"));

  private Failures() {}

  /**
   * @param directory of the store
   */
  static @Nullable Failure of(Throwable thrown, Path directory) {
    return switch (thrown) {
      case LmdbNativeException e when e.getResultCode() == EIO -> {
        // also for a write that ended early, as at the end of the disk
        Failure failure = Failure.ofWriting(directory);
        yield failure.kind() == Kind.FULL ? Failure.goesOnWhenFree() : failure;
      }
      case LmdbNativeException e -> {
        Failure known = ALL.get(Integer.toString(e.getResultCode()));
        yield known != null ? known : Objects.requireNonNull(ALL.get("other"));
      }
      case LmdbException _ -> new Failure(Kind.OTHER, "a call failed", "");
      default -> null;
    };
  }
}
