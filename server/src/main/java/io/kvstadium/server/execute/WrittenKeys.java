package io.kvstadium.server.execute;

import io.kvstadium.store.Range;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The keys that a write set has written, in order. */
final class WrittenKeys {
  private final NavigableSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);

  void add(byte[] key) {
    keys.add(key);
  }

  void remove(byte[] key) {
    keys.remove(key);
  }

  /**
   * The first key after {@code key}, in the direction of a range, or {@code null}.
   *
   * @param key {@code null} for the first of the range
   */
  byte @Nullable [] next(Range<byte[]> range, byte @Nullable [] key) {
    byte[] at = key;
    while (true) {
      at = behind(range, at);
      if (at == null || (range.reversed() ? !range.aboveFrom(at) : !range.belowTo(at))) {
        return null;
      }
      if (range.contains(at)) {
        return at;
      }
    }
  }

  private byte @Nullable [] behind(Range<byte[]> range, byte @Nullable [] key) {
    if (key != null) {
      return range.reversed() ? keys.lower(key) : keys.higher(key);
    }
    byte[] start = range.reversed() ? range.to() : range.from();
    if (start == null) {
      return keys.isEmpty() ? null : range.reversed() ? keys.last() : keys.first();
    }
    return range.reversed() ? keys.floor(start) : keys.ceiling(start);
  }
}
