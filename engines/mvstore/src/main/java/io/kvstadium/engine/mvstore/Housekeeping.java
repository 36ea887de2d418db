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
 * that would save in the middle of a batch. It uses that thread's policy: work while the writers
 * are idle, and do a quarter of it, for a lower fill rate, while they are not, since a rewrite
 * keeps them waiting.
 */
final class Housekeeping implements AutoCloseable {
  private static final long EVERY_MILLIS = 100;
  private static final int MOST_BYTES = 4 << 20;

  /** Not every rewrite has an effect at once: dead chunks are dropped some commits later. */
  private static final int FRUITLESS = 6;

  /** What a rewrite returns if it found no sparse chunk. */
  static final long NOTHING = -1;

  /** Rewrites chunks and saves them. */
  @FunctionalInterface
  interface Rewrite {
    /**
     * Rewrites some chunks.
     *
     * @param fillRate the fill rate, in percent, below which chunks are rewritten
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
  private int fruitless = FRUITLESS; // leaves alone what was left when the file was last closed
  private long least;

  /**
   * @param commits how many commits there were
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
    } catch (MVStoreException e) { // the store is closed now, and every call reports why
      failure = e;
      executor.shutdown();
    }
  }

  /** Checks whether there is something to do, and does a part of it. */
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

  /** Small stores never reach a fill rate, so it ends when little is gained any more. */
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

  /** Returns the failure that ended it, if there was one. */
  @Nullable MVStoreException failure() {
    return failure;
  }

  /** Waits for the part that is under way. */
  @Override
  public void close() {
    executor.close();
  }
}
