package io.kvstadium.store.spi;

import io.kvstadium.store.Range;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides what belongs to a range, for an engine whose cursor only moves: such an engine says how,
 * and nothing of bounds and directions. Each movement gives whether there is an entry to stand on.
 *
 * <p>The key is read at each step if the range has a bound at its far end, and then handed out once
 * without another copy.
 *
 * @param <E> what its movements throw
 */
public abstract class SeekCursor<E extends Exception> implements EngineCursor {
  private final boolean up;
  private final boolean bounded;
  private final Range range;
  private boolean started;
  private byte @Nullable [] read; // the present key, if it was read and is not yet handed out

  /** Stands before the first entry of {@code range}. */
  protected SeekCursor(Range range) {
    this.range = range;
    this.up = !range.reversed();
    this.bounded = (up ? range.to() : range.from()) != null;
  }

  /** Moves to the least entry. */
  protected abstract boolean first() throws E;

  /** Moves to the greatest entry. */
  protected abstract boolean last() throws E;

  /** Moves to the least entry whose key is not below {@code key}. */
  protected abstract boolean ceiling(byte[] key) throws E;

  /**
   * Moves to the greatest entry whose key is not above {@code key}; overridden where the engine has
   * a call for it.
   */
  protected boolean floor(byte[] key) throws E {
    if (!ceiling(key)) {
      return last();
    }
    return Arrays.equals(readKey(), key) || previous();
  }

  /** Moves to the entry above the present one. */
  protected abstract boolean following() throws E;

  /** Moves to the entry below the present one. */
  protected abstract boolean previous() throws E;

  /** A copy of the present key. */
  protected abstract byte[] readKey() throws E;

  /** Whether values are asked for. */
  protected final boolean withValues() {
    return !range.withoutValues();
  }

  @Override
  public boolean next() throws E {
    boolean found = started ? step() : begin();
    started = true;
    return found && isWithin();
  }

  private boolean step() throws E {
    return up ? following() : previous();
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
    started = true;
    return reach(key) && isWithin();
  }

  private boolean isWithin() throws E {
    read = null;
    if (!bounded) {
      return true;
    }
    byte[] present = readKey();
    read = present;
    return up ? range.belowTo(present) : range.aboveFrom(present);
  }

  @Override
  public final byte[] key() throws E {
    byte[] present = read;
    read = null;
    return present == null ? readKey() : present;
  }
}
