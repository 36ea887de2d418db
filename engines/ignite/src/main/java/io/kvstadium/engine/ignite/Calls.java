package io.kvstadium.engine.ignite;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Waits for answers. Interrupts do not end the wait; they show afterwards. */
final class Calls {
  private Calls() {}

  /** Returns the answer to a call that changes nothing. */
  static <R extends @Nullable Object> R read(CompletableFuture<R> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw cause(e);
    }
  }

  /**
   * Returns the answer to a call that writes. A failure says so, since it leaves open what was
   * done.
   */
  static <R extends @Nullable Object> R write(CompletableFuture<R> call) {
    try {
      return read(call);
    } catch (RuntimeException e) {
      throw new WriteFailed(e);
    }
  }

  private static RuntimeException cause(CompletionException e) {
    Throwable cause = e;
    while (cause instanceof CompletionException || cause instanceof ExecutionException) {
      Throwable next = cause.getCause();
      if (next == null) {
        break;
      }
      cause = next;
    }
    return cause instanceof RuntimeException thrown ? thrown : e;
  }

  /** A call that writes has failed. */
  static final class WriteFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    WriteFailed(RuntimeException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
