package io.kvstadium.bench.measure;

import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
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
  static final long SHORT_BLOCK_NANOS = 2_000_000;

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
   * @param paused is called after each pause with its nanoseconds, while no thread works
   */
  Crew crew(int threads, LongConsumer paused) {
    return new Crew(threads, paused);
  }

  /** The threads of a phase, which pause together. */
  final class Crew {
    private final Phaser pause;
    private final boolean shared;
    private volatile long last;

    private Crew(int threads, LongConsumer paused) {
      shared = parent != null && threads > 1;
      pause =
          new Phaser(threads) {
            @Override
            protected boolean onAdvance(int number, int left) {
              if (left > 0) {
                last = await();
                paused.accept(last);
              }
              return left == 0;
            }
          };
    }

    /** Whether several threads wait for each other. */
    boolean isShared() {
      return shared;
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
