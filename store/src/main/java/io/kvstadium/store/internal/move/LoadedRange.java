package io.kvstadium.store.internal.move;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Watches the entries of a bulk load pass by, for the range that they are in. */
final class LoadedRange implements Iterator<Entry<byte[], byte[]>> {
  private final Iterator<Entry<byte[], byte[]>> entries;
  private byte @Nullable [] min;
  private byte @Nullable [] max;

  LoadedRange(Iterator<Entry<byte[], byte[]>> entries) {
    this.entries = entries;
  }

  @Override
  public boolean hasNext() {
    return entries.hasNext();
  }

  @Override
  public Entry<byte[], byte[]> next() {
    Entry<byte[], byte[]> entry = entries.next();
    byte[] key = entry.key();
    if (min == null || Arrays.compareUnsigned(key, min) < 0) {
      min = key;
    }
    if (max == null || Arrays.compareUnsigned(key, max) > 0) {
      max = key;
    }
    return entry;
  }

  /** Where they were; everything if there was none. */
  Range<byte[]> range() {
    return min == null || max == null ? Range.all() : Range.between(min, max).to(max, true);
  }
}
