package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Requests under way, a bounded number of them. Of one thread.
 *
 * @param <R> what they answer
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

  /** Waits for the first one if there are many. */
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

  /** An answer; the wait is not broken off by interrupts, which show afterwards. */
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

  /** Waits for those that are left after a failure; what they say does not matter any more. */
  @Override
  public void close() {
    pending.forEach(request -> request.handle((_, _) -> true).join());
  }
}
