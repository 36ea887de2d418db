package io.kvstadium.server.execute;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the store holds, with a commit group's own writes over it, which may continue meanwhile. */
public final class MergedWalk implements Walk {
  private static final byte[] NONE = {};

  private final WriteSet own;
  private final @Nullable Cursor<byte[], byte[]> stored;
  private final Range<byte[]> asked;
  private final Range<byte[]> range;
  private final int version;
  private boolean started;
  private long left;
  private byte @Nullable [] storedKey;
  private byte @Nullable [] ownKey;
  private byte[] key = NONE;

  /** The value, if it is the commit group's own. */
  private byte @Nullable [] value;

  /** Whether the present entry is the store's, whose cursor is still at it. */
  private boolean isStored;

  /**
   * A walk over both.
   *
   * @param stored over the range without its limit, or {@code null} to ignore the store
   * @param asked the range that was asked for
   * @param range the part of it that may have entries
   */
  MergedWalk(
      WriteSet own,
      @Nullable Cursor<byte[], byte[]> stored,
      Range<byte[]> asked,
      Range<byte[]> range) {
    this.own = own;
    this.version = own.version();
    this.stored = stored;
    this.asked = asked;
    this.range = range;
    this.left = range.limit();
    stepStored();
    ownKey = own.written(range, null);
  }

  private void stepStored() {
    storedKey = stored != null && stored.next() ? stored.key() : null;
  }

  @Override
  public boolean next() {
    boolean found = step();
    if (!started) {
      started = true;
      if (asked.limit() > 0 && own.version() == version) {
        own.learn(asked, found ? key : null);
      }
    }
    return found;
  }

  private boolean step() {
    if (isStored) {
      isStored = false;
      stepStored();
    }
    while (left > 0 && (storedKey != null || ownKey != null)) {
      byte[] mine = ownKey;
      byte[] theirs = storedKey;
      int order = theirs == null ? -1 : mine == null ? 1 : compare(mine, theirs);
      if (order > 0) {
        key = Objects.requireNonNull(theirs);
        isStored = true;
        left--;
        return true;
      } else {
        key = Objects.requireNonNull(mine);
        value = own.get(key);
        ownKey = own.written(range, key);
        if (order == 0) {
          stepStored();
        }
      }
      if (value != null) {
        left--;
        return true;
      }
    }
    return false;
  }

  private int compare(byte[] a, byte[] b) {
    int order = Arrays.compareUnsigned(a, b);
    return range.reversed() ? -order : order;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] value() {
    if (isStored) {
      return range.withoutValues() ? NONE : Objects.requireNonNull(stored).value();
    }
    return Objects.requireNonNull(value);
  }

  @Override
  public ReadView.Head head(int max) {
    if (isStored && !range.withoutValues()) {
      return StoreWalk.head(Objects.requireNonNull(stored), max);
    }
    byte[] whole = value();
    return new ReadView.Head(whole, whole.length);
  }

  @Override
  public void close() {
    if (stored != null) {
      stored.close();
    }
  }
}
