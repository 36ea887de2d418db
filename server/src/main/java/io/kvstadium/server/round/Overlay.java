package io.kvstadium.server.round;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.BatchTable;
import io.kvstadium.store.Limits;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A table as a round sees it: what the store holds, with the round's own writes over it, which are
 * not in the store yet. Belongs to the thread of its round.
 */
@SuppressWarnings("ArrayRecordComponent") // carriers, never compared
public final class Overlay {
  /**
   * What is known of a key: its value or {@code null}, and whether the store has yet to be told.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Slot(byte @Nullable [] value, boolean written) {}

  /** Comparable, so that clients who choose keys of one hash do not slow the map down. */
  @SuppressWarnings("ArrayRecordComponent") // compared by content
  private record Key(byte[] bytes) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key same && Arrays.equals(bytes, same.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Undo(byte[] key, @Nullable Slot slot) {}

  /** Larger values are read again rather than kept until the end of the round. */
  private static final int KEPT = 32 << 10;

  private final TableReader table;
  private final Limits limits;
  private final boolean emptyKeys;
  private final Map<Key, Slot> slots = new HashMap<>();

  /** The keys that were written, in order, once a scan has asked for them. */
  private @Nullable NavigableSet<byte[]> order;

  private final List<byte[]> announced = new ArrayList<>();
  private final List<Undo> undo = new ArrayList<>();
  private boolean cleared;
  private boolean clearedBefore;
  private boolean changed;

  Overlay(TableReader table, Limits limits, boolean emptyKeys) {
    this.table = table;
    this.limits = limits;
    this.emptyKeys = emptyKeys;
  }

  /** Names a key that will be read, for {@link #fetch}. */
  public void announce(byte[] key) {
    if (holds(key)) {
      announced.add(key);
    }
  }

  /**
   * Reads what was announced, in one call; less of it where values are large.
   *
   * @param most how many values
   * @return how many bytes they have on average, or 0 if none was read
   */
  long fetch(int most) {
    if (announced.size() < 2) { // one is read as well when it is asked for
      announced.clear();
      return 0;
    }
    List<byte[]> keys = List.copyOf(announced.subList(0, Math.min(most, announced.size())));
    announced.clear();
    List<byte @Nullable []> values;
    try {
      values = table.getAll(keys);
    } catch (StadiumException e) {
      // The table may have been dropped, which concerns only those who ask for it: each reads its
      // own when it is executed, and is told then.
      return 0;
    }
    long bytes = 0;
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i);
      slots.put(new Key(keys.get(i)), new Slot(value, false));
      bytes += value == null ? 0 : value.length;
    }
    return Math.max(1, bytes / keys.size());
  }

  /** The value of a key, or {@code null}. It is nobody's: it must not be changed. */
  public byte @Nullable [] get(byte[] key) {
    if (!holds(key)) {
      return null;
    }
    Key name = new Key(key);
    Slot slot = slots.get(name);
    if (slot != null) {
      return slot.value();
    }
    byte[] value = cleared ? null : table.get(key);
    if (value == null || value.length < KEPT) {
      slots.put(name, new Slot(value, false));
    }
    return value;
  }

  /**
   * Puts an entry. The arrays must not be changed afterwards.
   *
   * @throws BadArgumentException if the engine cannot hold it
   */
  public void put(byte[] key, byte[] value) {
    if (!holds(key)) {
      throw new BadArgumentException(
          "a key takes %d bytes, but this engine holds keys of %d to %d"
              .formatted(key.length, emptyKeys ? 0 : 1, limits.maxKeyBytes()));
    }
    if (value.length > limits.maxValueBytes() || value.length < limits.minValueBytes()) {
      throw new BadArgumentException(
          "a value takes %d bytes, but this engine holds values of %d to %d"
              .formatted(value.length, limits.minValueBytes(), limits.maxValueBytes()));
    }
    set(key, new Slot(value, true));
  }

  /** Puts an entry that is only a key. */
  public void mark(byte[] key) {
    put(key, new byte[limits.minValueBytes()]);
  }

  /** Whether there can be an entry of this key. */
  private boolean holds(byte[] key) {
    return key.length <= limits.maxKeyBytes() && (emptyKeys || key.length > 0);
  }

  /** Removes an entry; does nothing if there is none. */
  public void delete(byte[] key) {
    if (holds(key)) {
      set(key, new Slot(null, true));
    }
  }

  /** Removes all entries. */
  public void clear() {
    slots.forEach((key, slot) -> undo.add(new Undo(key.bytes(), slot)));
    slots.clear();
    order = null;
    cleared = true;
    changed = true;
  }

  private void set(byte[] key, Slot slot) {
    undo.add(new Undo(key, place(key, slot)));
    changed = true;
  }

  /** Sets or, with {@code null}, forgets what is known of a key; what was known before. */
  private @Nullable Slot place(byte[] key, @Nullable Slot slot) {
    Key name = new Key(key);
    Slot before = slot == null ? slots.remove(name) : slots.put(name, slot);
    if (order != null) {
      if (slot != null && slot.written()) {
        order.add(key);
      } else {
        order.remove(key);
      }
    }
    return before;
  }

  /** What {@link #rollback} returns to is from now on the present state. */
  void savepoint() {
    undo.clear();
    clearedBefore = cleared;
  }

  /** Takes back what was written since the last {@link #savepoint}. */
  void rollback() {
    for (int i = undo.size() - 1; i >= 0; i--) {
      place(undo.get(i).key(), undo.get(i).slot());
    }
    undo.clear();
    cleared = clearedBefore;
  }

  /** Whether there is, or was before a rollback, anything to write. */
  boolean changed() {
    return changed;
  }

  /** Puts all that was written into a batch, in the order of keys. */
  void write(BatchTable target) {
    if (cleared) {
      target.delete(Range.all());
    }
    List<Map.Entry<Key, Slot>> written = new ArrayList<>(slots.size());
    slots.entrySet().stream().filter(each -> each.getValue().written()).forEach(written::add);
    written.sort(Map.Entry.comparingByKey());
    for (Map.Entry<Key, Slot> each : written) {
      byte[] key = each.getKey().bytes();
      byte[] value = each.getValue().value();
      if (value != null) {
        target.put(key, value);
      } else if (!cleared) {
        target.delete(key);
      }
    }
  }

  private NavigableSet<byte[]> order() {
    NavigableSet<byte[]> known = order;
    if (known == null) {
      known = new TreeSet<>(Arrays::compareUnsigned);
      for (Map.Entry<Key, Slot> each : slots.entrySet()) {
        if (each.getValue().written()) {
          known.add(each.getKey().bytes());
        }
      }
      order = known;
    }
    return known;
  }

  /** The entries of a range, with the round's own writes. Must be closed. */
  public Walk scan(Range range) {
    if (cleared) {
      return new MergedWalk(this, null, range);
    }
    return changed
        ? new MergedWalk(this, table.scan(range.limit(Long.MAX_VALUE)), range)
        : new StoreWalk(table.scan(range));
  }

  /**
   * The first key behind {@code key} in the direction of a range that was written or removed here,
   * or {@code null}.
   *
   * @param key {@code null} for the first of the range
   */
  byte @Nullable [] written(Range range, byte @Nullable [] key) {
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

  private byte @Nullable [] behind(Range range, byte @Nullable [] key) {
    NavigableSet<byte[]> keys = order();
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
