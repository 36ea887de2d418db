package io.kvstadium.bench.measure;

import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The turns of a trial that shares the time with others: it works only while it has the turn, and
 * is stopped as a whole between two, so that what an engine does in the background takes its own
 * time. {@link #begin} waits for the turn with which a part begins; phases that can be cut wait for
 * more of them, after the block of operations in which one ends.
 */
public final class Turns {
  /** All the time is this trial's. */
  public static final Turns NONE = new Turns(null);

  /** How long a turn is, or up to a block of operations longer. */
  private static final long NANOS = 50_000_000;

  /** Of several threads: each waits for the others at the end of a turn. */
  private static final long SHORT_BLOCK_NANOS = 2_000_000;

  /** Blocks are cut so that one takes no longer than this, or one operation. */
  private static final long BLOCK_NANOS = 25_000_000;

  /**
   * Of threads that wait for each other before each: the first moment, when not all are there, is a
   * small part of it.
   */
  private static final long LONG_BLOCK_NANOS = 50_000_000;

  private final @Nullable Consumer<String> parent;
  private volatile String part = "";
  private volatile long end;
  private final AtomicLong waited = new AtomicLong();

  private Turns(@Nullable Consumer<String> parent) {
    this.parent = parent;
  }

  /**
   * Turns that somebody gives.
   *
   * @param parent is told which part would begin or go on, and returns when it may
   */
  public static Turns of(Consumer<String> parent) {
    return new Turns(parent);
  }

  /** Waits for a turn. Called by one thread while no other one works. */
  public void begin(String name) {
    part = name;
    await();
  }

  private long await() {
    if (parent == null) {
      return 0;
    }
    long since = System.nanoTime();
    parent.accept(part);
    long now = System.nanoTime();
    waited.addAndGet(now - since);
    end = now + NANOS;
    return now - since;
  }

  private boolean isOver() {
    return parent != null && System.nanoTime() - end >= 0;
  }

  /** Nanoseconds without a turn so far. */
  long waited() {
    return waited.get();
  }

  /**
   * @param threads of a phase, each of which must leave
   * @param alike whether they all do the same as fast as they can: then each block begins when all
   *     have made theirs, so that as many threads as there are use the store at once, rather than
   *     those that do not make operations just then
   * @param paused is called after each pause with its nanoseconds, while no thread works
   */
  Crew crew(int threads, boolean alike, LongConsumer paused) {
    return new Crew(threads, alike, paused);
  }

  /** The threads of a phase, which pause together. */
  final class Crew {
    private final Phaser pause;
    private final boolean shared;
    private final boolean gathers;
    private final int threads;
    private final LongAccumulator ended = new LongAccumulator(Math::max, Long.MIN_VALUE);
    private volatile long last;

    /**
     * When the present block began, if they gather; as all here that is not volatile, ordered by
     * the phaser.
     */
    private long began;

    private long worked;

    /** Whether a thread has ended the present block, if they gather. */
    private volatile boolean over;

    private Crew(int threads, boolean alike, LongConsumer paused) {
      shared = parent != null && threads > 1;
      gathers = parent == null && threads > 1 && alike;
      this.threads = threads;
      pause =
          new Phaser(threads) {
            @Override
            protected boolean onAdvance(int number, int left) {
              worked += gathers ? Math.max(0, sinceBegan()) : 0;
              if (left > 0) {
                last = gathers ? sinceEnded() : await();
                paused.accept(last);
                over = false;
                began = System.nanoTime();
              }
              return left == 0;
            }
          };
    }

    /** How long the block took that has ended, from its first operation to the last one. */
    private long sinceBegan() {
      long at = ended.get();
      return at == Long.MIN_VALUE ? 0 : at - began;
    }

    private long sinceEnded() {
      long at = ended.get();
      return at == Long.MIN_VALUE ? 0 : Math.max(0, System.nanoTime() - at);
    }

    /** Whether each block begins at the same time in all threads. */
    boolean gathers() {
      return gathers;
    }

    /** When the present block began in all threads at the same time. */
    long began() {
      return began;
    }

    /**
     * How long blocks took that began in all threads at the same time: until the last one ended.
     */
    long worked() {
      return worked;
    }

    /** How many threads there were at first. */
    int threads() {
      return threads;
    }

    /** How long a block should take at the most. */
    long blockNanos() {
      return shared ? SHORT_BLOCK_NANOS : gathers ? LONG_BLOCK_NANOS : BLOCK_NANOS;
    }

    /** Called by each thread when its next block is made: waits for the others. */
    void blockMade(Meter meter) {
      if (gathers) {
        pause.arriveAndAwaitAdvance();
        meter.paused(last);
      }
    }

    /**
     * Called by each thread when its block has run.
     *
     * @param at when it ended, on the clock of {@link System#nanoTime}
     */
    void blockRan(long at) {
      ended.accumulate(at);
      over = gathers;
    }

    /** Whether another thread's block has ended: from then on fewer would be at work. */
    boolean isCut() {
      return over;
    }

    /** Waits for the next turn if this one is over. */
    void blockEnded(Meter meter) {
      if (isOver()) {
        pause.arriveAndAwaitAdvance();
        meter.paused(last);
      }
    }

    /** Called by each thread when it has ended, in any way. */
    void leave() {
      pause.arriveAndDeregister();
    }
  }
}
