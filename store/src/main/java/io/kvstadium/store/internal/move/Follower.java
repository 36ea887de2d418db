package io.kvstadium.store.internal.move;

import io.kvstadium.store.Move.State;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Brings what the application's store has to the other one: checks it, copies it, and follows what
 * is written meanwhile. Used by one thread at a time; all may ask how far it is.
 */
final class Follower {
  /** Between two looks at the log if there is nothing else to do. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The other store is in step if it had everything this short a time ago. */
  private static final double IN_STEP_SECONDS = 1;

  private final MovingStore store;
  private final long bytesPerSecond;
  private final Runnable checkOpen;
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile long inStepNanos = System.nanoTime();

  /** How far the entries were checked, before a copy begins. */
  private Position checked = Position.START;

  /** How far they are copied; {@code null} if that is not known yet, or has not begun. */
  private @Nullable Position position;

  /** When the next portion may be copied. */
  private long dueNanos = System.nanoTime();

  private long pauseNanos;
  private State state = State.FOLLOWING;

  /**
   * @param bytesPerSecond the most that is copied; 0 for as much as is possible
   * @param checkOpen throws if the store is being closed, which does not wait for what takes long
   */
  Follower(MovingStore store, long bytesPerSecond, Runnable checkOpen) {
    this.store = store;
    this.bytesPerSecond = bytesPerSecond;
    this.checkOpen = checkOpen;
  }

  /** How many entries were copied. */
  long entries() {
    return entries.sum();
  }

  /** How many bytes of keys and values these had. */
  long bytes() {
    return bytes.sum();
  }

  /** How long ago all that was written had been applied. */
  double secondsBehind() {
    return (System.nanoTime() - inStepNanos) / 1e9;
  }

  /** Nothing is left to apply. */
  void isInStep() {
    inStepNanos = System.nanoTime();
  }

  /** For how long there is nothing to do after a step. */
  long pauseNanos() {
    return pauseNanos;
  }

  /**
   * Whether all entries are copied, but for what the log says.
   *
   * @param over whether it was changed over to the new store
   */
  boolean hasAll(Side other, boolean over) {
    if (position == null) {
      position = over ? Position.END : Position.of(other);
    }
    return position != null && position.isEnd();
  }

  /** Does a portion of what there is to do; returns how far it is. */
  State step(Side other, boolean over, @Nullable ShadowReads reads) {
    Side used = store.roles().used();
    pauseNanos = 0;
    boolean copied = hasAll(other, over);
    Position at = position;
    if (at == null) {
      position = check(used, other);
      return State.CHECKING;
    }
    boolean followed = follow(used, other, reads);
    if (copied) {
      boolean late = secondsBehind() > IN_STEP_SECONDS;
      state = followed ? State.IN_STEP : late ? State.FOLLOWING : state;
      pauseNanos = followed ? PAUSE_NANOS : 0;
      return state;
    }
    state = State.COPYING;
    long wait = dueNanos - System.nanoTime();
    if (wait <= 0) {
      position = copy(used, other, at);
    } else if (followed) {
      pauseNanos = Math.min(wait, PAUSE_NANOS);
    }
    return state;
  }

  private boolean follow(Side used, Side other, @Nullable ShadowReads reads) {
    ChangeLog log = Objects.requireNonNull(store.roles().log());
    long begun = System.nanoTime();
    boolean followed = new Portions(used, other).follow(log, checkOpen);
    if (followed) {
      inStepNanos = begun;
    }
    if (reads != null) {
      reads.check(used, other, log);
    }
    return followed;
  }

  /** Whether the new store can hold what is there; new entries are checked by the library. */
  private @Nullable Position check(Side used, Side other) {
    checked = new EntryCheck(used, other).portion(checked);
    if (!checked.isEnd()) {
      return null;
    }
    other.write(List.of(Position.START.note(other)));
    return Position.START;
  }

  private Position copy(Side used, Side other, Position at) {
    long begun = System.nanoTime();
    String table = at.tableOf(used.names());
    if (table == null) {
      other.write(List.of(Position.END.note(other)));
      return Position.END;
    }
    Portions portions = new Portions(used, other);
    Portions.Part part = portions.compare(table, at.rangeIn(table));
    Position next = new Position(table, part.last());
    portions.apply(part, next.note(other));
    entries.add(part.entries());
    bytes.add(part.bytes());
    if (bytesPerSecond > 0) {
      dueNanos = begun + (long) (part.bytes() * 1e9 / bytesPerSecond);
    }
    return next;
  }
}
