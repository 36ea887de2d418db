package io.kvstadium.engine.mvstore;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Has sparse chunks rewritten beside the writers, where MVStore's background thread cannot do it:
 * that would save in the middle of a batch. It keeps to that thread's measure, which is to work
 * while the writers rest, and to do a quarter of it, for a lower fill rate, while they do not; for
 * a rewrite keeps them waiting.
 */
final class Housekeeping implements AutoCloseable {
  private static final long EVERY_MILLIS = 100;
  private static final int MOST_BYTES = 4 << 20;

  /** Not every rewrite shows at once: chunks are dropped some commits after they died. */
  private static final int FRUITLESS = 6;

  /** What a rewrite returns that found none. */
  static final long NOTHING = -1;

  /** Rewrites chunks and saves them. */
  @FunctionalInterface
  interface Rewrite {
    /**
     * Rewrites some.
     *
     * @param fillRate if the chunks' is lower, in percent
     * @return how many bytes all chunks have now, or {@link #NOTHING} if none was rewritten
     */
    long run(int fillRate, int mostBytes);
  }

  private final int fillRate;
  private final LongSupplier commits;
  private final Rewrite rewrite;
  private final ScheduledExecutorService executor;
  private volatile @Nullable MVStoreException failure;
  private long seen;
  private int fruitless = FRUITLESS; // what was left by the last one who had the file open is left
  private long least;

  /**
   * @param commits how many there were
   */
  Housekeeping(int fillRate, LongSupplier commits, Rewrite rewrite) {
    this.fillRate = fillRate;
    this.commits = commits;
    this.rewrite = rewrite;
    this.executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("mvstore-housekeeping").factory());
  }

  Housekeeping started() {
    ScheduledFuture<?> _ =
        executor.scheduleWithFixedDelay(
            this::tryLook, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    return this;
  }

  private void tryLook() {
    try {
      look();
    } catch (MVStoreException e) { // the store is closed now, and says why in every call
      failure = e;
      executor.shutdown();
    }
  }

  /** Looks whether there is something to do, and does a piece of it. */
  void look() {
    long now = commits.getAsLong();
    boolean idle = now == seen;
    seen = now;
    if (!idle) {
      rewrite.run(fillRate * fillRate / 100, MOST_BYTES / 4);
      fruitless = 0;
      least = Long.MAX_VALUE;
    } else if (fruitless < FRUITLESS) {
      note(rewrite.run(fillRate, MOST_BYTES));
    }
  }

  /** Small stores never reach a fill rate; so it ends when not much is gained any more. */
  private void note(long bytes) {
    if (bytes == NOTHING) {
      fruitless = FRUITLESS;
    } else if (bytes <= least - MOST_BYTES / 4) {
      fruitless = 0;
      least = bytes;
    } else {
      fruitless++;
    }
  }

  /** What ended it, if something did. */
  @Nullable MVStoreException failure() {
    return failure;
  }

  /** Waits for the piece that is under way. */
  @Override
  public void close() {
    executor.close();
  }
}
