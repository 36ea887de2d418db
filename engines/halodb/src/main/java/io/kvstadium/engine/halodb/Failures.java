package io.kvstadium.engine.halodb;

import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import io.kvstadium.store.engine.declare.Failure.Kind;
import org.jspecify.annotations.Nullable;

/** What HaloDB's errors mean. */
final class Failures {
  private Failures() {}

  /** What an error on open means. */
  static @Nullable Failure ofOpening(Throwable thrown) {
    if (chain(thrown).contains("already holds a lock")) {
      return new Failure(
          Kind.LOCKED, "it is open elsewhere", "close it there, or use another directory");
    }
    return switch (thrown) {
      case IllegalArgumentException _ ->
          new Failure(
              Kind.ARGUMENT,
              "HaloDB refuses an option",
              "give it the value with which the store was made");
      case RuntimeException e ->
          new Failure(
              Kind.CORRUPT, "HaloDB cannot repair it" + chain(e.getCause()), "restore a backup");
      default -> ofUsing(thrown);
    };
  }

  /** What an error of any other call means. */
  static @Nullable Failure ofUsing(Throwable thrown) {
    if (thrown instanceof Error) {
      return null;
    }
    String text = chain(thrown);
    if (text.contains("No space left") || text.contains("quota exceeded")) {
      return Failure.full().blocking(Blocks.WRITES);
    }
    return new Failure(
        Kind.IO,
        "a call failed" + chain(thrown.getCause()),
        "check the disk, and that no thread was interrupted; open it again");
  }

  private static String chain(@Nullable Throwable error) {
    return error == null ? "" : ", caused by " + error + chain(error.getCause());
  }
}
