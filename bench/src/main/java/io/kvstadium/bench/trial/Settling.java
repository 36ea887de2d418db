package io.kvstadium.bench.trial;

import io.kvstadium.store.BackgroundWork;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits until an engine has no work left to do in the background. */
public final class Settling {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A single quiet look may fall between the end of one job and the start of the next. */
  private static final int QUIET_LOOKS = 2;

  /**
   * Bytes that stay pending for so long while no job runs or waits: the engine will not touch them.
   */
  private static final int IDLE_LOOKS = 50;

  private final LongSupplier clock;
  private final Runnable pause;

  /** How it ended. */
  enum End {
    /** Nothing runs, and nothing is due. */
    STABLE,
    /** The engine does not report it. */
    UNKNOWN,
    /** The engine is still working. */
    GAVE_UP
  }

  /**
   * The outcome of a wait.
   *
   * @param nanos until nothing was left to do, or until the end of the wait
   */
  record Outcome(End end, long nanos) {}

  public Settling() {
    this(System::nanoTime, () -> LockSupport.parkNanos(PAUSE_NANOS));
  }

  /**
   * @param clock in nanoseconds
   * @param pause between two looks
   */
  public Settling(LongSupplier clock, Runnable pause) {
    this.clock = clock;
    this.pause = pause;
  }

  /**
   * @param background what the engine reports
   * @param maxNanos the longest wait
   * @param progress is called at each look
   */
  Outcome await(Supplier<@Nullable BackgroundWork> background, long maxNanos, Runnable progress) {
    long begin = clock.getAsLong();
    long since = begin; // when the current quiet period began
    long pending = 0;
    int quiet = 0;
    while (true) {
      long now = clock.getAsLong();
      BackgroundWork work = background.get();
      if (work == null) {
        return new Outcome(End.UNKNOWN, 0);
      }
      if (work.jobs() > 0 || quiet == 0 || work.pendingBytes() != pending) {
        quiet = 0;
        since = now;
        pending = work.pendingBytes();
      }
      quiet += work.jobs() == 0 ? 1 : 0;
      if (quiet >= (pending == 0 ? QUIET_LOOKS : IDLE_LOOKS)) {
        return new Outcome(End.STABLE, since - begin);
      }
      if (now - begin >= maxNanos) {
        return new Outcome(End.GAVE_UP, now - begin);
      }
      progress.run();
      pause.run();
    }
  }
}
