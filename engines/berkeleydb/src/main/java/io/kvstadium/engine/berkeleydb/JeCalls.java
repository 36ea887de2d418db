package io.kvstadium.engine.berkeleydb;

import io.kvstadium.store.spi.OwnThread;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls JE, which makes its environment invalid when an interrupt meets a thread at one of its many
 * latches.
 *
 * @param path for messages
 * @param threads threads that nobody interrupts
 * @param shielded whether they make all calls, rather than only those that take long anyway
 */
record JeCalls(Path path, OwnThread threads, boolean shielded) {
  <R extends @Nullable Object> R get(Supplier<R> call) {
    return shielded ? calmly(call) : here(call);
  }

  /** Makes a call on a thread that nobody interrupts. */
  <R extends @Nullable Object> R calmly(Supplier<R> call) {
    return threads.call(() -> here(call));
  }

  /** Makes a call; an interrupt that is pending before it is deferred until its end. */
  private <R extends @Nullable Object> R here(Supplier<R> call) {
    boolean interrupted = Thread.interrupted();
    try {
      return call.get();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void run(Runnable call) {
    this.<@Nullable Object>get(() -> {
      call.run();
      return null;
    });
  }

  void runCalmly(Runnable call) {
    this.<@Nullable Object>calmly(() -> {
      call.run();
      return null;
    });
  }

  /** The store, for messages. */
  String place() {
    return "engine berkeleydb, " + path;
  }
}
