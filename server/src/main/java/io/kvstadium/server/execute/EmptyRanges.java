package io.kvstadium.server.execute;

import io.kvstadium.store.Range;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of a table that are known to hold no entries. An LSM engine keeps removed entries until it
 * compacts them, and a scan steps over each of them; a queue whose head is taken again and again
 * would become slower with each removal. So scans begin behind what is known to be empty.
 *
 * <p>Only the thread that has the turn to write changes it: entries are added to the store after
 * {@link #fill}, and others are added once they are true. Reads are safe for all threads.
 */
public final class EmptyRanges {
  /** A moment that is later than all others. */
  static final long LATEST = Long.MAX_VALUE;

  private static final int MAX = 1_024;

  /** Longer bounds are shortened, which bounds the memory. */
  private static final int LONGEST = 256;

  /** How many earlier states of one are kept, for views of an earlier moment. */
  private static final int EARLIER = 8;

  private final ConcurrentSkipListMap<byte[], EmptyRange> emptyRanges =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /** The size of {@link #emptyRanges}, which does not know it. */
  private int size;

  /**
   * One of them.
   *
   * @param to exclusive
   * @param since the first moment at which it was known to be empty; it is to this day
   * @param earlier what was known of it before
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record EmptyRange(
      byte[] from, byte[] to, long since, @Nullable EmptyRange earlier, int depth) {
    EmptyRange(byte[] from, byte[] to, long since, @Nullable EmptyRange earlier) {
      this(
          from,
          to,
          since,
          earlier == null || earlier.depth < EARLIER
              ? earlier
              : new EmptyRange(earlier.from, earlier.to, earlier.since, null),
          earlier == null || earlier.depth == EARLIER ? 0 : earlier.depth + 1);
    }

    /** What was known at a moment, or {@code null}. */
    @Nullable EmptyRange at(long moment) {
      EmptyRange empty = this;
      while (empty != null && empty.since > moment) {
        empty = empty.earlier;
      }
      return empty;
    }
  }

  /**
   * The empty ranges of a store, and its moments: the number of commit groups that were written.
   */
  static final class OfStore {
    private final Map<String, EmptyRanges> tables = new ConcurrentHashMap<>();
    private volatile long moment;

    EmptyRanges of(String table) {
      return tables.computeIfAbsent(table, _ -> new EmptyRanges());
    }

    /** What is read from the store after this call is at least as new. */
    long moment() {
      return moment;
    }

    /** A commit group was written; returns the new moment. */
    long advance() {
      long next = moment + 1;
      moment = next;
      return next;
    }
  }

  /** The key that follows immediately. */
  static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /**
   * Narrows a range whose beginning, in its direction, is empty.
   *
   * @param moment of the view of the store, which must exist already; {@link #LATEST} for the
   *     thread that has the turn to write
   * @return a range with the same entries: the same object if there is nothing to skip
   */
  Range<byte[]> narrow(Range<byte[]> range, long moment) {
    Range<byte[]> narrow = range;
    while (true) {
      byte[] bound = narrow.reversed() ? narrow.to() : narrow.from();
      if (bound == null) {
        return narrow;
      }
      if (narrow.reversed()) {
        byte[] end = narrow.toInclusive() ? successor(bound) : bound; // exclusive
        EmptyRange empty = known(emptyRanges.lowerEntry(end), moment);
        if (empty == null
            || Arrays.compareUnsigned(empty.from, end) >= 0
            || Arrays.compareUnsigned(empty.to, end) < 0) {
          return narrow;
        }
        narrow = narrow.to(empty.from, false);
      } else {
        byte[] start = narrow.fromInclusive() ? bound : successor(bound);
        EmptyRange empty = known(emptyRanges.floorEntry(start), moment);
        if (empty == null
            || Arrays.compareUnsigned(empty.from, start) > 0
            || Arrays.compareUnsigned(empty.to, start) <= 0) {
          return narrow;
        }
        narrow = narrow.from(empty.to, true);
      }
    }
  }

  private static @Nullable EmptyRange known(
      Map.@Nullable Entry<byte[], EmptyRange> entry, long moment) {
    return entry == null ? null : entry.getValue().at(moment);
  }

  /**
   * A range, without its limit, has no entries before a key, in its direction.
   *
   * @param first its first key, or {@code null} if it has none
   */
  void add(Range<byte[]> range, byte @Nullable [] first, long since) {
    byte[] from = range.from();
    byte[] to = range.to();
    byte[] begin = from == null || range.fromInclusive() ? from : successor(from);
    byte[] end = to == null || !range.toInclusive() ? to : successor(to);
    if (first != null && range.reversed()) {
      begin = successor(first);
    } else if (first != null) {
      end = first;
    }
    if (begin != null && end != null) {
      add(begin, end, since);
    }
  }

  private void add(byte[] begin, byte[] end, long since) {
    byte[] from = begin;
    byte[] to = end.length > LONGEST ? Arrays.copyOf(end, LONGEST) : end; // which is before it
    if (from.length > LONGEST || Arrays.compareUnsigned(from, to) >= 0) {
      return;
    }
    Map.Entry<byte[], EmptyRange> below = emptyRanges.floorEntry(from);
    EmptyRange earlier = null;
    if (below != null && Arrays.compareUnsigned(below.getValue().to, from) >= 0) {
      earlier = below.getValue();
      if (Arrays.compareUnsigned(earlier.to, to) >= 0) {
        return;
      }
      from = earlier.from;
    }
    Map.Entry<byte[], EmptyRange> above = emptyRanges.higherEntry(from);
    while (above != null && Arrays.compareUnsigned(above.getKey(), to) <= 0) {
      EmptyRange joined = above.getValue();
      if (Arrays.compareUnsigned(joined.to, to) >= 0) {
        to = joined.to;
        earlier = earlier == null ? joined : earlier;
      }
      remove(joined.from);
      above = emptyRanges.higherEntry(from);
    }
    if (size >= MAX) {
      clear();
    }
    put(new EmptyRange(from, to, since, earlier));
  }

  private void put(EmptyRange empty) {
    if (emptyRanges.put(empty.from, empty) == null) {
      size++;
    }
  }

  private void remove(byte[] from) {
    if (emptyRanges.remove(from) != null) {
      size--;
    }
  }

  /** Adds all of others. */
  void addAll(EmptyRanges others, long since) {
    for (EmptyRange empty : others.emptyRanges.values()) {
      add(empty.from, empty.to, since);
    }
  }

  /** A key is about to be put. */
  void fill(byte[] key) {
    Map.Entry<byte[], EmptyRange> floor = size == 0 ? null : emptyRanges.floorEntry(key);
    EmptyRange empty = floor == null ? null : floor.getValue();
    if (empty == null || Arrays.compareUnsigned(empty.to, key) <= 0) {
      return;
    }
    byte[] next = successor(key);
    remove(empty.from); // first: at no time may a reader find the key in it
    if (Arrays.compareUnsigned(empty.from, key) < 0) {
      put(new EmptyRange(empty.from, key, empty.since, null));
    }
    if (key.length < LONGEST && Arrays.compareUnsigned(next, empty.to) < 0) {
      put(new EmptyRange(next, empty.to, empty.since, null));
    }
  }

  /** A key is removed: remembered if that makes one larger. */
  void removed(byte[] key, long since) {
    Map.Entry<byte[], EmptyRange> floor = size == 0 ? null : emptyRanges.floorEntry(key);
    byte[] next = successor(key);
    if ((floor != null && Arrays.equals(floor.getValue().to, key))
        || emptyRanges.containsKey(next)) {
      add(key, next, since);
    }
  }

  /** Whether nothing is known. */
  boolean isEmpty() {
    return size == 0;
  }

  /** Forgets everything. */
  void clear() {
    emptyRanges.clear();
    size = 0;
  }
}
