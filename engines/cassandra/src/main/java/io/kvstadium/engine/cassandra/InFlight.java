package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A bounded number of requests in flight, for one thread.
 *
 * @param <R> the type of their answers
 */
final class InFlight<R> implements AutoCloseable {
  private final int most;
  private final Consumer<R> then;
  private final Queue<CompletableFuture<R>> pending = new ArrayDeque<>();

  /**
   * @param then what to do with each answer, in the order of the requests, on this thread
   */
  InFlight(int most, Consumer<R> then) {
    this.most = most;
    this.then = then;
  }

  /** Waits for the oldest one if there are many. */
  void add(CompletionStage<R> request) {
    pending.add(request.toCompletableFuture());
    if (pending.size() >= most) {
      then.accept(await(pending.remove()));
    }
  }

  /** Waits for all. */
  void finish() {
    while (!pending.isEmpty()) {
      then.accept(await(pending.remove()));
    }
  }

  /** Returns an answer. Interrupts do not end the wait; they show afterwards. */
  static <R> R await(CompletionStage<R> request) {
    try {
      return request.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw switch (e.getCause()) {
        case DriverException thrown -> thrown.copy(); // with the stack of this thread
        case RuntimeException thrown -> thrown;
        case null, default -> e;
      };
    }
  }

  /** Waits for those left after a failure; their results no longer matter. */
  @Override
  public void close() {
    pending.forEach(request -> request.handle((_, _) -> true).join());
  }
}
