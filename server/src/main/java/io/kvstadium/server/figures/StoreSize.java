package io.kvstadium.server.figures;

import io.kvstadium.store.Store;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * How many bytes a store takes on disk. Many files are many steps, so whoever asks gets what was
 * measured last, and has it measured again for the next. Safe for all threads.
 */
public final class StoreSize {
  private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

  private final Store store;
  private final Consumer<Runnable> background;
  private final AtomicBoolean measuring = new AtomicBoolean();
  private volatile long bytes;
  private volatile long measured;

  public StoreSize(Store store, Consumer<Runnable> background) {
    this.store = store;
    this.background = background;
    measure();
  }

  private void measure() {
    bytes = store.sizeOnDisk();
    measured = System.nanoTime();
  }

  public long bytes() {
    if (System.nanoTime() - measured > FRESH && measuring.compareAndSet(false, true)) {
      background.accept(() -> {
        try {
          measure();
        } finally {
          measuring.set(false);
        }
      });
    }
    return bytes;
  }
}
