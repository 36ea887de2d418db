package io.kvstadium.store.engine.help;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Decides what belongs to a range, for an engine whose cursor only moves: such an engine says how
 * to move, and nothing about bounds and directions. Each movement returns whether there is an entry
 * at its end.
 *
 * <p>The key is read at each step if the range has a bound at its far end, and then handed out once
 * without another copy. It is also read at each step, and handed out as a copy, where others may
 * move the engine's cursor; the walk then continues from that key.
 *
 * @param <E> the exception that its movements throw
 */
public abstract class SeekCursor<E extends Exception> implements EngineCursor {
  private final boolean up;
  private final boolean reads; // the key at each step
  private final boolean loses;
  private final @Nullable Lock lock;
  private final Range<byte[]> range;
  private boolean started;
  private byte @Nullable [] read; // the current key, if it is known and may be handed out

  /** Starts before the first entry of {@code range}. */
  protected SeekCursor(Range<byte[]> range) {
    this(range, false, null);
  }

  /**
   * @param loses whether {@link #isLost} may be true
   * @param lock held during each movement, with all that follows from it
   */
  protected SeekCursor(Range<byte[]> range, boolean loses, @Nullable Lock lock) {
    this.lock = lock;
    this.range = range;
    this.loses = loses;
    this.up = !range.reversed();
    this.reads = loses || (up ? range.to() : range.from()) != null;
  }

  /** Moves to the least entry. */
  protected abstract boolean first() throws E;

  /** Moves to the greatest entry. */
  protected abstract boolean last() throws E;

  /** Moves to the least entry whose key is not below {@code key}. */
  protected abstract boolean ceiling(byte[] key) throws E;

  /**
   * Moves to the greatest entry whose key is not above {@code key}; override it where the engine
   * has a call for this.
   */
  protected boolean floor(byte[] key) throws E {
    if (!ceiling(key)) {
      return last();
    }
    return Arrays.equals(readKey(), key) || previous();
  }

  /** Moves to the entry above the current one. */
  protected abstract boolean following() throws E;

  /** Moves to the entry below the current one. */
  protected abstract boolean previous() throws E;

  /** A copy of the current key. */
  protected abstract byte[] readKey() throws E;

  /** Whether the position is no longer where the last movement left it. */
  protected boolean isLost() {
    return false;
  }

  /** Reads what will be asked for at an entry of the range, before the position may be lost. */
  protected void arrive() throws E {}

  /** Whether values are asked for. */
  protected final boolean withValues() {
    return !range.withoutValues();
  }

  @Override
  public boolean next() throws E {
    return lock == null ? move(null) : moveAlone(lock, null);
  }

  private boolean moveAlone(Lock held, byte @Nullable [] target) throws E {
    held.lock();
    try {
      return move(target);
    } finally {
      held.unlock();
    }
  }

  private boolean move(byte @Nullable [] target) throws E {
    boolean found = target != null ? reach(target) : !started ? begin() : loses ? goOn() : step();
    started = true;
    if (!found || !isWithin()) {
      return false;
    }
    if (loses) {
      arrive();
    }
    return true;
  }

  private boolean step() throws E {
    return up ? following() : previous();
  }

  private boolean goOn() throws E {
    byte[] last = read;
    if (last == null || !isLost()) {
      return step();
    }
    return up
        ? ceiling(Arrays.copyOf(last, last.length + 1)) // the least key above it
        : floor(last) && (!Arrays.equals(readKey(), last) || previous());
  }

  private boolean begin() throws E {
    byte[] near = up ? range.from() : range.to();
    if (near == null) {
      return up ? first() : last();
    }
    boolean inclusive = up ? range.fromInclusive() : range.toInclusive();
    return reach(near) && (inclusive || !Arrays.equals(readKey(), near) || step());
  }

  private boolean reach(byte[] key) throws E {
    return up ? ceiling(key) : floor(key);
  }

  @Override
  public final boolean canSeek() {
    return true;
  }

  @Override
  public boolean seek(byte[] key) throws E {
    return lock == null ? move(key) : moveAlone(lock, key);
  }

  private boolean isWithin() throws E {
    read = null;
    if (!reads) {
      return true;
    }
    byte[] present = readKey();
    read = present;
    return up ? range.belowTo(present) : range.aboveFrom(present);
  }

  @Override
  public final byte[] key() throws E {
    byte[] present = read;
    if (loses && present != null) {
      return present.clone();
    }
    read = null;
    return present == null ? readKey() : present;
  }
}
