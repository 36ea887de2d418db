package io.kvstadium.server.value;

import io.kvstadium.server.database.Keys;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.transfer.redis.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list as one request works on it; changes take effect once they are {@link #save saved}.
 * Positions start at 0. Every element is stored under its index, and only the elements between the
 * first and the last are read: what was removed before the first is never visited.
 */
public final class StoredList {
  private final Keyspace keys;
  private final byte[] key;
  private final @Nullable StoredValue before;
  private Elements elements;
  private long first;
  private long count;

  private StoredList(Keyspace keys, byte[] key, @Nullable StoredValue before, Elements elements) {
    this.keys = keys;
    this.key = key;
    this.before = before;
    this.elements = elements;
    this.first = elements.first();
    this.count = elements.count();
  }

  /** The list that a key holds, or {@code null}. */
  public static @Nullable StoredList find(Keyspace keys, byte[] key) {
    StoredValue storedValue = keys.find(key, Kind.LIST);
    return storedValue == null
        ? null
        : new StoredList(keys, key, storedValue, storedValue.elements());
  }

  /** The list that a key holds, or a new one. */
  public static StoredList findOrMake(Keyspace keys, byte[] key) {
    StoredList found = find(keys, key);
    return found != null ? found : new StoredList(keys, key, null, keys.elements().fresh());
  }

  public long count() {
    return count;
  }

  /** The position given in a request: negative ones count from the end. May be outside. */
  public long position(long given) {
    return given < 0 ? count + given : given;
  }

  private static byte[] rest(long index) {
    return ByteBuffer.allocate(8).putLong(index ^ Long.MIN_VALUE).array();
  }

  private byte[] stored(long at) {
    return Keys.element(elements.generation(), rest(first + at));
  }

  public byte[] get(long at) {
    byte[] value = keys.elements().get(elements, rest(first + at));
    if (value == null) {
      throw new CorruptException("an element of a list is missing, index " + (first + at));
    }
    return value;
  }

  public void set(long at, byte[] value) {
    keys.elements().put(elements, rest(first + at), value);
  }

  public void push(byte[] value, boolean left) {
    count++;
    first -= left ? 1 : 0;
    set(left ? 0 : count - 1, value);
  }

  /** Removes and returns elements at one end, the outermost first. */
  public List<byte[]> pop(long many, boolean left) {
    List<byte[]> taken =
        many == 1
            ? List.of(get(left ? 0 : count - 1))
            : values(left ? 0 : count - many, left ? many - 1 : count - 1, !left);
    cut(left ? many : 0, left ? 0 : many);
    return taken;
  }

  /** Drops elements at both ends. If none are left the key goes, and the sweep does the rest. */
  private void cut(long left, long right) {
    if (left + right < count) {
      for (long i = 0; i < left; i++) {
        keys.elements().remove(elements, rest(first + i));
      }
      for (long i = count - right; i < count; i++) {
        keys.elements().remove(elements, rest(first + i));
      }
    }
    first += left;
    count -= left + right;
  }

  /** The elements between two positions, both included. Must be closed. */
  public Walk walk(long from, long to, boolean reversed) {
    Range<byte[]> range =
        Keys.elements(elements.generation()).from(stored(from), true).to(stored(to), true);
    return keys.elements().walk(reversed ? range.reverse() : range);
  }

  public List<byte[]> values(long from, long to, boolean reversed) {
    List<byte[]> values = new ArrayList<>((int) Math.min(to - from + 1, 1_000));
    try (Walk walk = walk(from, to, reversed)) {
      while (walk.next()) {
        values.add(walk.value());
      }
    }
    return values;
  }

  /** Puts an element in front of what is at a position; the shorter side makes room. */
  public void insert(long at, byte[] value) {
    if (at < count / 2) {
      move(0, at - 1, -1);
      first--;
    } else {
      move(at, count - 1, 1);
    }
    count++;
    set(at, value);
  }

  private void move(long from, long to, int by) {
    if (from > to) {
      return;
    }
    long at = by > 0 ? to : from;
    try (Walk walk = walk(from, to, by > 0)) {
      while (walk.next()) {
        set(at + by, walk.value());
        at -= by;
      }
    }
  }

  /**
   * Removes the elements at some positions; the shorter side closes up.
   *
   * @param places in ascending order
   */
  public void remove(List<Long> places) {
    int removed = places.size();
    if (removed == 0 || removed == count) {
      count -= removed;
      return;
    }
    long lowest = places.getFirst();
    long highest = places.getLast();
    boolean towardsEnd = highest < count - lowest;
    long at = towardsEnd ? highest : lowest;
    long target = at;
    int next = towardsEnd ? removed - 1 : 0;
    int step = towardsEnd ? -1 : 1;
    try (Walk walk = towardsEnd ? walk(0, highest, true) : walk(lowest, count - 1, false)) {
      for (; walk.next(); at += step) {
        if (next >= 0 && next < removed && places.get(next) == at) {
          next += step;
        } else {
          set(target, walk.value());
          target += step;
        }
      }
    }
    cut(towardsEnd ? removed : 0, towardsEnd ? 0 : removed);
  }

  /** Keeps only what is between two positions, both included, in the way that is less work. */
  public void trim(long from, long to) {
    long kept = to - from + 1;
    if (kept <= 0) {
      count = 0;
    } else if (kept >= count - kept) {
      cut(from, count - 1 - to);
    } else {
      Elements fresh = keys.elements().fresh();
      long index = 0;
      try (Walk walk = walk(from, to, false)) {
        while (walk.next()) {
          keys.elements().put(fresh, rest(index++), walk.value());
        }
      }
      elements = fresh;
      first = 0;
      count = kept;
    }
  }

  /** Writes the list's numbers; without elements the key is gone. */
  public void save() {
    keys.set(key, Kind.LIST, new Elements(elements.generation(), count, first), before);
  }
}
