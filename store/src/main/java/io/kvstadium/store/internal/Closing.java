package io.kvstadium.store.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Closes something once, for the first who asks; others wait for that. Thread-safe. */
final class Closing {
  private final String name;
  private final Consumer<List<RuntimeException>> work;
  private final AtomicBoolean begun = new AtomicBoolean();

  /** What failed, of which the first who asked is told. */
  private final CompletableFuture<List<RuntimeException>> closed = new CompletableFuture<>();

  /**
   * @param name of the thread that closes if it may take longer than somebody waits
   * @param work closes each part, whatever happens to the others, and adds what fails
   */
  Closing(String name, Consumer<List<RuntimeException>> work) {
    this.name = name;
    this.work = work;
  }

  void close() {
    boolean first = begun.compareAndSet(false, true);
    if (first) {
      run();
    }
    end(first);
  }

  /** Waits no longer than this; returns whether it is closed. */
  boolean close(Duration atMost) {
    boolean first = begun.compareAndSet(false, true);
    if (first) {
      Thread.ofPlatform().daemon().name(name).start(this::run);
    }
    boolean done =
        closed
            .thenApply(_ -> true)
            .completeOnTimeout(false, TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS)
            .join();
    if (done) {
      end(first);
    }
    return done;
  }

  private void run() {
    List<RuntimeException> failures = new ArrayList<>();
    try {
      work.accept(failures);
    } finally {
      closed.complete(failures);
    }
  }

  private void end(boolean first) {
    List<RuntimeException> failures = closed.join();
    if (first && !failures.isEmpty()) {
      RuntimeException failure = failures.removeFirst();
      failures.forEach(failure::addSuppressed);
      throw failure;
    }
  }

  /** Takes a step, and notes its failure. */
  static void attempt(Runnable step, List<RuntimeException> failures) {
    try {
      step.run();
    } catch (RuntimeException e) {
      failures.add(e);
    }
  }
}
