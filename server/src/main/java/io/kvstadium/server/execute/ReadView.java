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

  /** Nothing is read any more from the store; never in a group that only reads. */
  boolean hidden;

  private final TableReader<byte[], byte[]> table;
  private final long moment;
  private final Slot sought = new Slot(NONE, 0);

  /** The slot that was found last: a key that is read is often written next. */
  private @Nullable Slot recent;

  private final List<Slot> prefetched = new ArrayList<>();

  /**
   * A table.
   *
   * @param moment of what is known to be empty, from before the table was read
   */
  ReadView(
      TableReader<byte[], byte[]> table,
      Limits limits,
      boolean emptyKeys,
      @Nullable EmptyRanges emptyRanges,
      long moment,
      PrefetchLimit prefetchLimit) {
    this.table = table;
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
    Slot found = slots.get(sought);
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
    if (holds(key) && slot(key) == null) {
      prefetchUnknown(key);
    }
  }

  /** The same for a key that {@link #slot} looked for last, and did not find. */
  final void prefetchUnknown(byte[] key) {
    if (!prefetchLimit.isLarge(soughtHash())) {
      prefetched.add(add(key));
    }
  }

  /**
   * Reads what was named by prefetch, as far as the limit allows.
   *
   * @param before the bytes that were read ahead of other tables
   * @return the bytes that were read ahead with these
   */
  final long loadPrefetched(long before) {
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
    List<byte @Nullable []> values = table.multiGet(wanted.stream().map(slot -> slot.key).toList());
    long bytes = 0;
    long largest = 0;
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i);
      Slot slot = wanted.get(i);
      slot.value = value;
      slot.known = true;
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
      return slot.value;
    }
    if (hidden) {
      return null;
    }
    byte[] value = table.get(key);
    prefetchLimit.met(key, value == null ? 0 : value.length);
    if (value == null || value.length < MAX_CACHED) {
      Slot own = slot == null ? add(key) : slot;
      own.value = value;
      own.known = true;
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
  public final @Nullable Head head(byte[] key, int needed) {
    if (!holds(key)) {
      return null;
    }
    Slot slot = slot(key);
    if (slot != null && slot.known) {
      byte[] value = slot.value;
      return value == null ? null : new Head(value, value.length);
    }
    if (hidden) {
      return null;
    }
    byte[] head = new byte[Math.max(needed, HEAD)];
    int length = table.head(key, head);
    prefetchLimit.met(key, length);
    byte[] bytes = length < 0 || length >= head.length ? head : Arrays.copyOf(head, length);
    if (length <= Math.min(head.length, MAX_CACHED)) {
      Slot own = slot == null ? add(key) : slot;
      own.value = length < 0 ? null : bytes;
      own.known = true;
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
      byte[] value = slot.value;
      return value == null ? null : reader.read(MemorySegment.ofArray(value).asReadOnly());
    }
    return hidden ? null : table.get(key, reader);
  }

  /** Whether an entry with this key is possible. */
  final boolean holds(byte[] key) {
    return key.length <= limits.maxKeyBytes() && (emptyKeys || key.length > 0);
  }

  /** The entries of a range, while others may write. Must be closed. */
  @SuppressWarnings("ReferenceEquality") // the same range if there is nothing to skip
  public Walk scan(Range<byte[]> range) {
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
