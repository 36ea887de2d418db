package io.kvstadium.engine.berkeleydb;

import io.kvstadium.store.engine.help.Interrupts;
import io.kvstadium.store.engine.help.OwnThread;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls JE, which makes its environment invalid when an interrupt meets a thread at one of its many
 * latches.
 *
 * @param path for messages
 * @param threads threads that nobody interrupts, for calls that take long
 */
record JeCalls(Path path, OwnThread threads) {
  /** Makes a call on a thread that nobody interrupts. */
  <R extends @Nullable Object> R uninterruptibly(Supplier<R> call) {
    return threads.call(() -> get(call));
  }

  /** Makes a call; an interrupt that is pending before it is deferred until its end. */
  <R extends @Nullable Object> R get(Supplier<R> call) {
    return Interrupts.deferred(call::get);
  }

  void run(Runnable call) {
    this.<@Nullable Object>get(() -> {
      call.run();
      return null;
    });
  }

  void runUninterruptibly(Runnable call) {
    this.<@Nullable Object>uninterruptibly(() -> {
      call.run();
      return null;
    });
  }

  /** The store, for messages. */
  String place() {
    return "engine berkeleydb, " + path;
  }
}
