package io.kvstadium.server.execute;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.engine.declare.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as a commit group sees it: what the store holds, with the group's own writes over it,
 * which are not in the store yet. Belongs to the thread of its group.
 */
public final class WriteSet extends ReadView {
  /** The answer of {@link #first} for a key that is not there. */
  public static final int ABSENT = -1;

  /** The state of a slot before it was written. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Undo(Slot slot, boolean known, boolean written, byte @Nullable [] value) {
    Undo(Slot slot) {
      this(slot, slot.known, slot.written, slot.value);
    }
  }

  private static final int NOTHING_COUNTS = -1;

  /** The keys that were written, once a scan has asked for them. */
  private @Nullable WrittenKeys order;

  private final List<Undo> undo = new ArrayList<>();
  private boolean hiddenBefore;
  private boolean changed;

  /** The empty ranges as this commit group sees the table. */
  private @Nullable EmptyRanges own;

  /** How often something was written or taken back. */
  private int version;

  /** Ranges whose entries are removed without having been read. */
  private final List<Range<byte[]>> discarded = new ArrayList<>(0);

  private int discardedBefore;

  /** What the keys begin with whose bytes are not counted, or {@link #NOTHING_COUNTS}. */
  private int uncounted = NOTHING_COUNTS;

  private long growth;
  private long growthBefore;

  WriteSet(
      TableReader<byte[], byte[]> table,
      Limits limits,
      boolean emptyKeys,
      @Nullable EmptyRanges emptyRanges,
      @Nullable HotEntries hot,
      int number,
      PrefetchLimit prefetchLimit) {
    super(table, limits, emptyKeys, emptyRanges, EmptyRanges.LATEST, hot, number, prefetchLimit);
  }

  @Override
  public WriteSet writable() {
    return this;
  }

  /** Names a key that {@link #first} will be asked for. */
  public void prefetchFirst(byte[] key) {
    name(key, false);
  }

  /**
   * The first byte of a key's value, or {@link #ABSENT}; 0 for the empty value. Needs no read if
   * the key was read or written lately.
   */
  public int first(byte[] key) {
    if (!holds(key)) {
      return ABSENT;
    }
    Slot slot = slot(key);
    if (!hidden && (slot == null || !slot.known)) {
      int first =
          hot == null
              ? HotEntries.UNKNOWN
              : hot.first(number, key, slot == null ? soughtHash() : slot.hash);
      if (first != HotEntries.UNKNOWN) {
        return first;
      }
    }
    Head head = head(key, 1);
    return head == null ? ABSENT : head.length() == 0 ? 0 : head.bytes()[0] & 0xff;
  }

  /**
   * Puts an entry. The arrays must not be changed afterwards.
   *
   * @throws BadArgumentException if the engine cannot hold it
   */
  public void put(byte[] key, byte[] value) {
    check(key, value);
    prefetchLimit.remember(key, value.length);
    set(key, value).walked = false;
  }

  /**
   * The same of an entry that walks will find, rather than those who ask for its key: it is not
   * kept in {@link HotEntries}.
   */
  public void append(byte[] key, byte[] value) {
    check(key, value);
    set(key, value).walked = true;
  }

  private void check(byte[] key, byte[] value) {
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
  }

  /** The same of an entry that is only a key. */
  public void mark(byte[] key) {
    append(key, new byte[limits.minValueBytes()]);
  }

  /** Puts an entry that is only a key, and is asked for by it. */
  public void putKey(byte[] key) {
    put(key, new byte[limits.minValueBytes()]);
  }

  /** Removes an entry; does nothing if there is none. */
  public void delete(byte[] key) {
    if (holds(key)) {
      Slot _ = set(key, null);
    }
  }

  /**
   * Removes entries.
   *
   * @param bytes of their keys and values, if they are counted
   */
  public void delete(List<byte[]> keys, long bytes) {
    int known = uncounted;
    uncounted = NOTHING_COUNTS;
    keys.forEach(this::delete);
    uncounted = known;
    growth -= bytes;
  }

  /** Removes all entries. */
  public void clear() {
    for (Slot slot : slots.values()) {
      undo.add(new Undo(slot));
      slot.known = false;
      slot.written = false;
      slot.value = null;
    }
    order = null;
    own = null;
    version++;
    growth = 0;
    hidden = true;
    changed = true;
  }

  /**
   * Removes the entries of a range that nobody reads or writes any more, for an engine that can do
   * so without reading them.
   *
   * @param bytes of their keys and values, if they are counted
   */
  public void discard(Range<byte[]> range, long bytes) {
    List<byte[]> mine = new ArrayList<>();
    for (byte[] key = written(range, null); key != null; key = written(range, key)) {
      mine.add(key);
    }
    delete(mine, bytes); // what is put would come after the removal of ranges
    discarded.add(range);
    changed = true;
    version++;
    learn(range, null);
  }

  /**
   * What is left of a range whose beginnings were {@linkplain #discard discarded} in this commit
   * group.
   */
  public Range<byte[]> left(Range<byte[]> range) {
    Range<byte[]> left = range;
    for (Range<byte[]> each : discarded) {
      byte[] to = each.to();
      if (to != null && left.contains(to)) {
        left = left.from(to, !each.contains(to));
      }
    }
    return left;
  }

  private Slot set(byte[] key, byte @Nullable [] value) {
    Slot known = slot(key);
    Slot slot = known == null ? add(key) : known;
    undo.add(new Undo(slot));
    if (uncounted != NOTHING_COUNTS && key[0] != uncounted) {
      growth += bytes(key, value == null ? -1 : value.length) - bytes(key, length(slot));
    }
    change(slot, true, true, value);
    changed = true;
    version++;
    if (own != null && value == null) {
      own.removed(key, 0);
    } else if (own != null) {
      own.fill(key);
    }
    return slot;
  }

  /** The length of a value, or -1 if there is none. */
  private int length(Slot slot) {
    if (slot.known) {
      return slot.value == null ? -1 : slot.value.length;
    }
    if (hidden) {
      return -1;
    }
    int length = hot == null ? HotEntries.UNKNOWN : hot.length(number, slot.key, slot.hash);
    return length == HotEntries.UNKNOWN || length == HotEntries.LARGE
        ? table().head(slot.key, new byte[1])
        : length;
  }

  private static long bytes(byte[] key, int length) {
    return length < 0 ? 0 : key.length + (long) length;
  }

  /**
   * Counts the bytes of keys and values from now on, before anything is written.
   *
   * @param except what the keys begin with that do not count
   */
  public void counts(byte except) {
    uncounted = except;
  }

  /** How many bytes were added, less those that were removed. */
  public long growth() {
    return growth;
  }

  private void change(Slot slot, boolean known, boolean written, byte @Nullable [] value) {
    slot.known = known;
    slot.written = written;
    slot.value = value;
    if (order != null) {
      if (written) {
        order.add(slot.key);
      } else {
        order.remove(slot.key);
      }
    }
  }

  /** Makes the present state the one that {@link #rollback} returns to. */
  void savepoint() {
    undo.clear();
    hiddenBefore = hidden;
    growthBefore = growth;
    discardedBefore = discarded.size();
  }

  /** Undoes what was written since the last {@link #savepoint}. */
  void rollback() {
    for (int i = undo.size() - 1; i >= 0; i--) {
      Undo each = undo.get(i);
      change(each.slot(), each.known(), each.written(), each.value());
    }
    undo.clear();
    hidden = hiddenBefore;
    growth = growthBefore;
    discarded.subList(discardedBefore, discarded.size()).clear();
    own = null;
    version++;
  }

  /** Whether there is, or was before a rollback, anything to write. */
  boolean changed() {
    return changed;
  }

  /**
   * Everything that was written will be in the store.
   *
   * @return the bytes of keys and values that are put
   */
  long beforeWrite() {
    long bytes = 0;
    if (hot != null && hidden) {
      hot.beginClear();
    }
    EmptyRanges filled = emptyRanges == null || emptyRanges.isEmpty() ? null : emptyRanges;
    for (Slot slot : slots.values()) {
      byte[] value = slot.value;
      if (hot != null && slot.written) {
        hot.beginWrite(number, slot.key, slot.hash);
      }
      if (slot.written && value != null) {
        bytes += slot.key.length + (long) value.length;
        if (filled != null) {
          filled.fill(slot.key);
        }
      }
    }
    return bytes;
  }

  /** Puts everything that was written into a batch, in key order. */
  void write(Writes target) {
    if (hidden) {
      target.delete(Range.all());
    } else {
      discarded.forEach(target::delete);
    }
    Slot[] written = new Slot[slots.size()];
    int count = 0;
    for (Slot slot : slots.values()) {
      if (slot.written) {
        written[count++] = slot;
      }
    }
    Arrays.sort(written, 0, count);
    for (int i = 0; i < count; i++) {
      Slot slot = written[i];
      if (slot.value != null) {
        target.put(slot.key, slot.value);
      } else if (!hidden) {
        target.delete(slot.key);
      }
    }
  }

  /**
   * Everything is in the store: what is known of keys is true until the next commit group.
   *
   * @param committed the moment
   */
  void committed(long committed) {
    if (emptyRanges != null && own != null) {
      emptyRanges.addAll(own, committed);
    }
    if (hot != null) {
      for (Slot slot : slots.values()) {
        if (!slot.walked
            && (slot.written
                || (slot.known && hot.length(number, slot.key, slot.hash) == HotEntries.UNKNOWN))) {
          hot.put(number, slot.key, slot.hash, slot.value);
        }
      }
    }
  }

  private WrittenKeys order() {
    WrittenKeys known = order;
    if (known == null) {
      known = new WrittenKeys();
      for (Slot slot : slots.values()) {
        if (slot.written) {
          known.add(slot.key);
        }
      }
      order = known;
    }
    return known;
  }

  /** The entries of a range, with the commit group's own writes. Must be closed. */
  @Override
  @SuppressWarnings("ReferenceEquality") // the same range if there is nothing to skip
  public Walk scan(Range<byte[]> range) {
    Range<byte[]> mine = narrow(own, range);
    if (hidden) {
      return new MergedWalk(this, null, range, mine);
    }
    Range<byte[]> rest = mine;
    Range<byte[]> before;
    do { // one may begin where the other ends
      before = rest;
      rest = narrow(own, narrow(emptyRanges, rest));
    } while (rest != before);
    boolean none = rest != range && rest.isEmpty();
    if (!changed) {
      return none ? Walk.NOTHING : new StoreWalk(table().scan(rest), null, range, this);
    }
    Cursor<byte[], byte[]> cursor = none ? null : table().scan(rest.limit(Long.MAX_VALUE));
    return new MergedWalk(this, cursor, range, mine);
  }

  private static Range<byte[]> narrow(@Nullable EmptyRanges emptyRanges, Range<byte[]> range) {
    return emptyRanges == null ? range : emptyRanges.narrow(range, EmptyRanges.LATEST);
  }

  /** How often something was written or taken back. */
  int version() {
    return version;
  }

  /** Remembers the first key of a range, or that it has none. */
  void learn(Range<byte[]> range, byte @Nullable [] first) {
    if (emptyRanges != null) {
      if (own == null) {
        own = new EmptyRanges();
      }
      own.add(range, first, 0);
    }
  }

  /**
   * The first key after {@code key}, in the direction of a range, that was written or removed here,
   * or {@code null}.
   *
   * @param key {@code null} for the first of the range
   */
  byte @Nullable [] written(Range<byte[]> range, byte @Nullable [] key) {
    return order().next(range, key);
  }
}
