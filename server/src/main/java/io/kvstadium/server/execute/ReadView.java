package io.kvstadium.server.execute;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.declare.Limits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table as a commit group reads it: what the store holds, of which what was read once or ahead is
 * not read again. Belongs to the thread of its group.
 */
@SuppressWarnings("ArrayRecordComponent") // carriers, never compared
public sealed class ReadView permits WriteSet {
  private static final byte[] NONE = {};

  /** Larger values are read again rather than cached until the end of the commit group. */
  private static final int MAX_CACHED = 32 << 10;

  /** The bytes that are read of a value whose beginning is asked for: most values are shorter. */
  private static final int HEAD = 256;

  /**
   * What is known of a key; it is its own key in the map of slots. Comparable, so that clients that
   * choose keys with the same hash do not slow the map down.
   */
  static final class Slot implements Comparable<Slot> {
    byte[] key;
    int hash;

    /** Whether {@link #value} is what the key holds. */
    boolean known;

    /** Whether it is yet to be written to the store; never in a group that only reads. */
    boolean written;

    byte @Nullable [] value;

    /**
     * Whether walks find it, rather than those who ask for its key: then others need not know it.
     */
    boolean walked;

    /** Of {@link HotEntries}, from before it was read. */
    int stamp;

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

  final Limits limits;
  final boolean emptyKeys;
  final PrefetchLimit prefetchLimit;

  /** Ranges of the table without entries, or {@code null} if they are of no use. */
  final @Nullable EmptyRanges emptyRanges;

  final Map<Slot, Slot> slots = new HashMap<>();

  /** What is known outside the group; {@code null} if that is of another moment. */
  final @Nullable HotEntries hot;

  /** Its number there. */
  final int number;

  /** Nothing is read any more from the store; never in a group that only reads. */
  boolean hidden;

  private final TableReader<byte[], byte[]> table;
  private final long moment;
  private final Slot sought = new Slot(NONE, 0);

  /** The slot that was found last: a key that is read is often written next. */
  private @Nullable Slot recent;

  private final Named named = new Named();
  private final List<Slot> prefetched = new ArrayList<>();

  private int hits;
  private int misses;

  /** What was read by key since {@link #beginPointReads}. */
  private final PointReads pointReads = new PointReads();

  /**
   * A table.
   *
   * @param moment of what is known to be empty, from before the table was read
   * @param hot what is known outside the group; {@code null} for a snapshot
   * @param number of the table there
   */
  ReadView(
      TableReader<byte[], byte[]> table,
      Limits limits,
      boolean emptyKeys,
      @Nullable EmptyRanges emptyRanges,
      long moment,
      @Nullable HotEntries hot,
      int number,
      PrefetchLimit prefetchLimit) {
    this.table = table;
    this.hot = number == HotEntries.NO_TABLE ? null : hot;
    this.number = number;
    this.limits = limits;
    this.emptyKeys = emptyKeys;
    this.emptyRanges = emptyRanges;
    this.moment = moment;
    this.prefetchLimit = prefetchLimit;
  }

  /**
   * This, for writing.
   *
   * @throws IllegalStateException if its commit group only reads
   */
  public WriteSet writable() {
    throw new IllegalStateException("this commit group only reads");
  }

  /** The table, without what is known of it here. */
  final TableReader<byte[], byte[]> table() {
    return table;
  }

  /** The hash of the key that {@link #slot} looked for last. */
  final int soughtHash() {
    return sought.hash;
  }

  /** The slot of a key, or {@code null}. */
  @SuppressWarnings("ReferenceEquality") // only to save work; keys do not change
  final @Nullable Slot slot(byte[] key) {
    Slot last = recent;
    if (last != null && last.key == key) {
      return last;
    }
    sought.key = key;
    sought.hash = Arrays.hashCode(key);
    Slot found = slots.isEmpty() ? null : slots.get(sought);
    if (found != null) {
      recent = found;
    }
    return found;
  }

  /** A slot for the key that {@link #slot} looked for last, and did not find. */
  final Slot add(byte[] key) {
    Slot slot = new Slot(key, sought.hash);
    slots.put(slot, slot);
    recent = slot;
    return slot;
  }

  /** Names a key that will be read, for {@link #loadPrefetched}. */
  public final void prefetch(byte[] key) {
    name(key, true);
  }

  /** The same for a key of which the whole value will be read, or the first byte. */
  final void name(byte[] key, boolean isWhole) {
    if (holds(key)) {
      named.add(key, isWhole);
    }
  }

  /** Keys that were named, with their hashes. */
  private static final class Named {
    private static final int FIRST_SIZE = 16;

    byte[][] keys = new byte[FIRST_SIZE][];
    int[] hashes = new int[FIRST_SIZE];
    int count;

    /** Those of which no more than the first byte is wanted. */
    final BitSet firstBytes = new BitSet();

    void add(byte[] key, boolean isWhole) {
      if (count == hashes.length) {
        keys = Arrays.copyOf(keys, 2 * count);
        hashes = Arrays.copyOf(hashes, 2 * count);
      }
      if (!isWhole) {
        firstBytes.set(count);
      }
      keys[count] = key;
      hashes[count++] = Arrays.hashCode(key);
    }
  }

  /** Finds out what of the keys that were named has to be read in the store. */
  private void sift() {
    touchPrefetched();
    for (int i = 0; i < named.count; i++) {
      byte[] key = named.keys[i];
      if (!isHot(key, named.hashes[i], !named.firstBytes.get(i))
          && slot(key) == null
          && !prefetchLimit.isLarge(soughtHash())) {
        prefetched.add(add(key));
      }
    }
    named.count = 0;
    named.firstBytes.clear();
  }

  private boolean isHot(byte[] key, int hash, boolean isWhole) {
    if (hot == null) {
      return false;
    }
    int length = hot.length(number, key, hash);
    return length != HotEntries.UNKNOWN && (length != HotEntries.LARGE || !isWhole);
  }

  private int stamp(int hash) {
    return hot == null ? 0 : hot.stamp(number, hash);
  }

  /** From now on, it can be told whether what is read by key is of one moment. */
  final void beginPointReads() {
    pointReads.begin();
  }

  /** How much was read by key since {@link #beginPointReads}. */
  final int pointReads() {
    return pointReads.count();
  }

  /**
   * Whether all that was read by key since {@link #beginPointReads} is of one moment. If not, it is
   * forgotten here, to be read again.
   */
  final boolean endPointReads() {
    boolean agree = pointReads.end(hot, number);
    if (!agree) {
      slots.clear();
      recent = null;
    }
    return agree;
  }

  private void fill(byte[] key, int hash, byte @Nullable [] value, int stamp) {
    if (hot != null) {
      hot.fill(number, key, hash, value, stamp);
    }
  }

  /** Brings what is known of the keys that were named by prefetch near the processor. */
  final void touchPrefetched() {
    if (hot != null) {
      hot.touch(number, named.hashes, named.count);
    }
  }

  /** Reports how often reads needed no store. */
  final void count() {
    if (hot != null) {
      hot.count(hits, misses);
    }
  }

  /**
   * Reads what was named by prefetch, as far as the limit allows.
   *
   * @param before the bytes that were read ahead of other tables
   * @return the bytes that were read ahead with these
   */
  final long loadPrefetched(long before) {
    sift();
    long bytes = before;
    int from = 0;
    try {
      int to = end(from, bytes);
      while (to - from > 1) { // one can just as well be read when it is asked for
        bytes += loadPrefetched(prefetched.subList(from, to));
        from = to;
        to = end(from, bytes);
      }
    } catch (StadiumException | OutOfMemoryError e) {
      // Such as a table that was dropped, or large values: that concerns only those who ask for
      // them. Each task reads its own keys when it is executed, and fails then.
      prefetchLimit.failed();
    }
    prefetched.clear();
    return bytes;
  }

  private int end(int from, long bytes) {
    return Math.min(prefetched.size(), from + prefetchLimit.keys(bytes));
  }

  private long loadPrefetched(List<Slot> wanted) {
    int[] stamps = new int[wanted.size()];
    List<byte[]> keys = new ArrayList<>(stamps.length);
    for (Slot slot : wanted) {
      stamps[keys.size()] = stamp(slot.hash);
      keys.add(slot.key);
    }
    List<byte @Nullable []> values = table.multiGet(keys);
    misses += stamps.length;
    long bytes = 0;
    long largest = 0;
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i);
      Slot slot = wanted.get(i);
      slot.value = value;
      slot.known = true;
      slot.stamp = stamps[i];
      fill(slot.key, slot.hash, value, stamps[i]);
      int length = value == null ? 0 : value.length;
      prefetchLimit.remember(slot.key, length);
      bytes += length;
      largest = Math.max(largest, length);
    }
    prefetchLimit.read(largest);
    return bytes;
  }

  /** The value of a key, or {@code null}. It is shared: it must not be changed. */
  public final byte @Nullable [] get(byte[] key) {
    if (!holds(key)) {
      return null;
    }
    Slot slot = slot(key);
    if (slot != null && slot.known) {
      pointReads.add(slot.hash, slot.stamp);
      return slot.value;
    }
    if (hidden) {
      return null;
    }
    int hash = slot == null ? soughtHash() : slot.hash;
    int stamp = stamp(hash);
    pointReads.add(hash, stamp);
    byte[] known = known(key, hash);
    if (known != null) {
      byte[] value = HotEntries.valueOf(known);
      learn(slot, key, value);
      return value;
    }
    byte[] value = table.get(key);
    misses++;
    prefetchLimit.met(key, value == null ? 0 : value.length);
    if (value == null || value.length < MAX_CACHED) {
      fill(key, hash, value, stamp);
      Slot own = slot == null ? add(key) : slot;
      own.value = value;
      own.known = true;
      own.stamp = stamp;
    }
    return value;
  }

  /** {@link HotEntries#read}, counted. */
  private byte @Nullable [] known(byte[] key, int hash) {
    byte[] value = hot == null ? null : hot.read(number, key, hash);
    if (value != null) {
      hits++;
    }
    return value;
  }

  /** A group that may write keeps what it has read: that is often written next. */
  private void learn(@Nullable Slot slot, byte[] key, byte @Nullable [] value) {
    if (this instanceof WriteSet) {
      Slot own = slot == null ? add(key) : slot;
      own.value = value;
      own.known = true;
    }
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
  public final @Nullable Head head(byte[] key, int needed) {
    if (!holds(key)) {
      return null;
    }
    Slot slot = slot(key);
    if (slot != null && slot.known) {
      pointReads.add(slot.hash, slot.stamp);
      byte[] value = slot.value;
      return value == null ? null : new Head(value, value.length);
    }
    if (hidden) {
      return null;
    }
    int hash = slot == null ? soughtHash() : slot.hash;
    int stamp = stamp(hash);
    pointReads.add(hash, stamp);
    byte[] known = known(key, hash);
    if (known != null) {
      byte[] value = HotEntries.valueOf(known);
      learn(slot, key, value);
      return value == null ? null : new Head(value, value.length);
    }
    byte[] head = new byte[Math.max(needed, HEAD)];
    int length = table.head(key, head);
    misses++;
    prefetchLimit.met(key, length);
    byte[] bytes = length < 0 || length >= head.length ? head : Arrays.copyOf(head, length);
    if (length <= Math.min(head.length, MAX_CACHED)) {
      fill(key, hash, length < 0 ? null : bytes, stamp);
      Slot own = slot == null ? add(key) : slot;
      own.value = length < 0 ? null : bytes;
      own.known = true;
      own.stamp = stamp;
    }
    return length < 0 ? null : new Head(bytes, length);
  }

  /** Lends the value of a key, without a copy where the engine allows it; else as {@link #get}. */
  public final <R> @Nullable R get(byte[] key, ValueReader<R> reader) {
    if (!holds(key)) {
      return null;
    }
    Slot slot = slot(key);
    if (slot != null && slot.known) {
      pointReads.add(slot.hash, slot.stamp);
      return lend(slot.value, reader);
    }
    if (hidden) {
      return null;
    }
    int hash = slot == null ? soughtHash() : slot.hash;
    pointReads.add(hash, stamp(hash));
    byte[] known = known(key, hash);
    if (known != null) {
      return lend(HotEntries.valueOf(known), reader);
    }
    misses++;
    return table.get(key, reader);
  }

  private static <R> @Nullable R lend(byte @Nullable [] value, ValueReader<R> reader) {
    return value == null ? null : reader.read(MemorySegment.ofArray(value).asReadOnly());
  }

  /** Whether an entry with this key is possible. */
  final boolean holds(byte[] key) {
    return key.length <= limits.maxKeyBytes() && (emptyKeys || key.length > 0);
  }

  /** The entries of a range, while others may write. Must be closed. */
  @SuppressWarnings("ReferenceEquality") // the same range if there is nothing to skip
  public Walk scan(Range<byte[]> range) {
    pointReads.addRange();
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
        known.narrow(range, moment); // only now: one may have ended before the cursor
    byte[] start = rest == range ? null : range.reversed() ? rest.to() : rest.from();
    return new StoreWalk(cursor, start, range, null);
  }
}
