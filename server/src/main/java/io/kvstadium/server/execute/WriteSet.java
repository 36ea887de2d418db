package io.kvstadium.server.execute;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.declare.Limits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A table as a commit group sees it: what the store holds, with the group's own writes over it,
 * which are not in the store yet. Belongs to the thread of its group.
 */
@SuppressWarnings("ArrayRecordComponent") // carriers, never compared
public final class WriteSet {
  /** The answer of {@link #first} for a key that is not there. */
  public static final int ABSENT = -1;

  /**
   * What is known of a key; it is its own key in the map of slots. Comparable, so that clients that
   * choose keys with the same hash do not slow the map down.
   */
  private static final class Slot implements Comparable<Slot> {
    private byte[] key;
    private int hash;

    /** Whether {@link #value} is what the key holds. */
    private boolean known;

    /** Whether it is yet to be written to the store. */
    private boolean written;

    private byte @Nullable [] value;

    Slot(byte[] key, int hash) {
      this.key = key;
      this.hash = hash;
    }

    @Override
    public int compareTo(Slot other) {
      return Arrays.compareUnsigned(key, other.key);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Slot same && Arrays.equals(key, same.key);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** The state of a slot before it was written. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Undo(Slot slot, boolean known, boolean written, byte @Nullable [] value) {
    Undo(Slot slot) {
      this(slot, slot.known, slot.written, slot.value);
    }
  }

  private static final byte[] NONE = {};
  private static final int NOTHING_COUNTS = -1;

  /** Larger values are read again rather than kept until the end of the commit group. */
  private static final int KEPT = 32 << 10;

  /** The bytes that are read of a value whose beginning is asked for: most values are shorter. */
  private static final int HEAD = 256;

  private final TableReader<byte[], byte[]> table;
  private final Limits limits;
  private final boolean emptyKeys;

  /** What is known outside the commit group, or {@code null} in one that only reads. */
  private final @Nullable KnownKeys beside;

  private final String name;
  private int number;
  private final Map<Slot, Slot> slots = new HashMap<>();
  private final Slot sought = new Slot(NONE, 0);

  /** The slot that was found last: a key that is read is often written next. */
  private @Nullable Slot recent;

  /** The keys that were written, in order, once a scan has asked for them. */
  private @Nullable NavigableSet<byte[]> order;

  private final PrefetchLimit prefetchLimit;
  private final List<Slot> prefetched = new ArrayList<>();
  private final List<Undo> undo = new ArrayList<>();
  private boolean cleared;
  private boolean clearedBefore;
  private boolean changed;

  /** The gaps of the store's table, or {@code null} if they are of no use. */
  private final @Nullable EmptyRanges emptyRanges;

  private final long moment;

  /** The gaps as this commit group sees the table, if it may write. */
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
      String name,
      Limits limits,
      boolean emptyKeys,
      @Nullable KnownKeys beside,
      @Nullable EmptyRanges emptyRanges,
      long moment,
      PrefetchLimit prefetchLimit) {
    this.prefetchLimit = prefetchLimit;
    this.emptyRanges = emptyRanges;
    this.moment = moment;
    this.table = table;
    this.limits = limits;
    this.emptyKeys = emptyKeys;
    this.beside = beside;
    this.name = name;
    this.number = beside == null ? KnownKeys.NO_TABLE : beside.find(name);
  }

  /** The slot of a key, or {@code null}. */
  @SuppressWarnings("ReferenceEquality") // only to save work; keys do not change
  private @Nullable Slot slot(byte[] key) {
    Slot last = recent;
    if (last != null && last.key == key) {
      return last;
    }
    sought.key = key;
    sought.hash = Arrays.hashCode(key);
    Slot found = slots.get(sought);
    if (found != null) {
      recent = found;
    }
    return found;
  }

  /** A slot for the key that {@link #slot} looked for last, and did not find. */
  private Slot add(byte[] key) {
    Slot slot = new Slot(key, sought.hash);
    slots.put(slot, slot);
    recent = slot;
    return slot;
  }

  /** Names a key that will be read, for {@link #loadPrefetched}. */
  public void prefetch(byte[] key) {
    if (holds(key) && slot(key) == null) {
      prefetched.add(add(key));
    }
  }

  /** Names a key that {@link #first} will be asked for. */
  public void prefetchFirst(byte[] key) {
    if (holds(key) && slot(key) == null && knownFirst(key, sought.hash) == KnownKeys.UNKNOWN) {
      prefetched.add(add(key));
    }
  }

  /**
   * Reads what was named by prefetch, as far as {@code prefetch} allows.
   *
   * @param before the bytes that were read ahead of other tables
   * @return the bytes that were read ahead with these
   */
  long loadPrefetched(PrefetchLimit prefetchLimit, long before) {
    long bytes = before;
    int from = 0;
    try {
      int to = end(prefetchLimit, from, bytes);
      while (to - from > 1) { // one can just as well be read when it is asked for
        bytes += loadPrefetched(prefetchLimit, prefetched.subList(from, to));
        from = to;
        to = end(prefetchLimit, from, bytes);
      }
    } catch (StadiumException | OutOfMemoryError e) {
      // Such as a table that was dropped, or large values: that concerns only those who ask for
      // them. Each tasks reads its own keys when it is executed, and fails then.
    }
    prefetched.clear();
    return bytes;
  }

  private int end(PrefetchLimit prefetchLimit, int from, long bytes) {
    return Math.min(prefetched.size(), from + prefetchLimit.keys(bytes));
  }

  private long loadPrefetched(PrefetchLimit into, List<Slot> wanted) {
    List<byte @Nullable []> values = table.multiGet(wanted.stream().map(slot -> slot.key).toList());
    long bytes = 0;
    long largest = 0;
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i);
      Slot slot = wanted.get(i);
      slot.value = value;
      slot.known = true;
      bytes += value == null ? 0 : value.length;
      largest = Math.max(largest, value == null ? 0 : value.length);
    }
    into.read(largest);
    return bytes;
  }

  /** The value of a key, or {@code null}. It is shared: it must not be changed. */
  public byte @Nullable [] get(byte[] key) {
    if (!holds(key)) {
      return null;
    }
    Slot slot = slot(key);
    if (slot != null && slot.known) {
      return slot.value;
    }
    if (cleared) {
      return null;
    }
    byte[] value = table.get(key);
    if (value == null || value.length < KEPT) {
      Slot own = slot == null ? add(key) : slot;
      own.value = value;
      own.known = true;
    } else {
      prefetchLimit.met(value.length);
    }
    return value;
  }

  /**
   * The beginning of a value.
   *
   * @param bytes the whole value if that is short; shared: they must not be changed
   * @param length of the whole value
   */
  public record Head(byte[] bytes, int length) {}

  /**
   * The beginning of a key's value, or {@code null}.
   *
   * @param needed the least number of bytes, if there are as many
   */
  public @Nullable Head head(byte[] key, int needed) {
    if (!holds(key)) {
      return null;
    }
    Slot slot = slot(key);
    if (slot != null && slot.known) {
      byte[] value = slot.value;
      return value == null ? null : new Head(value, value.length);
    }
    if (cleared) {
      return null;
    }
    byte[] head = new byte[Math.max(needed, HEAD)];
    int length = table.head(key, head);
    prefetchLimit.met(length);
    byte[] bytes = length < 0 || length >= head.length ? head : Arrays.copyOf(head, length);
    if (length <= Math.min(head.length, KEPT)) {
      Slot own = slot == null ? add(key) : slot;
      own.value = length < 0 ? null : bytes;
      own.known = true;
    }
    return length < 0 ? null : new Head(bytes, length);
  }

  /** Lends the value of a key, without a copy where the engine allows it; else as {@link #get}. */
  public <R> @Nullable R get(byte[] key, ValueReader<R> reader) {
    if (!holds(key)) {
      return null;
    }
    Slot slot = slot(key);
    if (slot != null && slot.known) {
      byte[] value = slot.value;
      return value == null ? null : reader.read(MemorySegment.ofArray(value).asReadOnly());
    }
    return cleared ? null : table.get(key, reader);
  }

  /**
   * The first byte of a key's value, or {@link #ABSENT}; 0 for the empty value. In a commit group
   * that may write, needs no read if the key was read or written lately.
   */
  public int first(byte[] key) {
    if (!holds(key)) {
      return ABSENT;
    }
    Slot slot = slot(key);
    if (slot == null || !slot.known) {
      int known = knownFirst(key, slot == null ? sought.hash : slot.hash);
      if (known != KnownKeys.UNKNOWN) {
        return known;
      }
    }
    Head head = head(key, 1);
    return head == null ? ABSENT : head.length() == 0 ? 0 : head.bytes()[0] & 0xff;
  }

  private int knownFirst(byte[] key, int hash) {
    if (beside == null || cleared) {
      return KnownKeys.UNKNOWN;
    }
    if (number == KnownKeys.NO_TABLE) {
      number = beside.number(name);
    }
    return beside.first(number, key, hash);
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
    prefetchLimit.met(value.length);
    set(key, value);
  }

  /** Puts an entry that is only a key. */
  public void mark(byte[] key) {
    put(key, new byte[limits.minValueBytes()]);
  }

  /** Whether an entry with this key is possible. */
  private boolean holds(byte[] key) {
    return key.length <= limits.maxKeyBytes() && (emptyKeys || key.length > 0);
  }

  /** Removes an entry; does nothing if there is none. */
  public void delete(byte[] key) {
    if (holds(key)) {
      set(key, null);
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
    cleared = true;
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

  private void set(byte[] key, byte @Nullable [] value) {
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
  }

  /** The length of a value, or -1 if there is none. */
  private int length(Slot slot) {
    if (slot.known) {
      return slot.value == null ? -1 : slot.value.length;
    }
    return cleared ? -1 : table.head(slot.key, new byte[1]);
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
    clearedBefore = cleared;
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
    cleared = clearedBefore;
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
    EmptyRanges filled = emptyRanges == null || emptyRanges.isEmpty() ? null : emptyRanges;
    for (Slot slot : slots.values()) {
      byte[] value = slot.value;
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
    if (cleared) {
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
      } else if (!cleared) {
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
    if (beside == null || number == KnownKeys.NO_TABLE) {
      return;
    }
    if (cleared) {
      beside.clear();
    }
    for (Slot slot : slots.values()) {
      byte[] value = slot.value;
      if (!slot.known) {
        continue;
      }
      if (value == null || value.length == 0) {
        beside.forget(number, slot.key, slot.hash);
      } else {
        beside.keep(number, slot.key, slot.hash, value[0]);
      }
    }
  }

  private NavigableSet<byte[]> order() {
    NavigableSet<byte[]> known = order;
    if (known == null) {
      known = new TreeSet<>(Arrays::compareUnsigned);
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
  @SuppressWarnings("ReferenceEquality") // the same range if there is nothing to skip
  public Walk scan(Range<byte[]> range) {
    if (beside == null) {
      return stored(range);
    }
    Range<byte[]> mine = narrow(own, range);
    if (cleared) {
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
      return none ? Walk.NOTHING : new StoreWalk(table.scan(rest), null, range, this);
    }
    Cursor<byte[], byte[]> cursor = none ? null : table.scan(rest.limit(Long.MAX_VALUE));
    return new MergedWalk(this, cursor, range, mine);
  }

  /** The entries of a range in a commit group that only reads, while others may write. */
  @SuppressWarnings("ReferenceEquality")
  private Walk stored(Range<byte[]> range) {
    EmptyRanges known = emptyRanges;
    if (known == null) {
      return new StoreWalk(table.scan(range), null, range, null);
    }
    Range<byte[]> before = known.narrow(range, moment);
    if (before != range && before.isEmpty()) {
      return Walk.NOTHING;
    }
    Cursor<byte[], byte[]> cursor = table.scan(range);
    Range<byte[]> rest =
        known.narrow(range, moment); // only now: a gap may have ended before the cursor
    byte[] start = rest == range ? null : range.reversed() ? rest.to() : rest.from();
    return new StoreWalk(cursor, start, range, null);
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
