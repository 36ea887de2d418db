package io.kvstadium.engine.ignite;

import io.kvstadium.engine.ignite.Commit.Seen;
import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a transaction has read and written of a table. */
final class Touched {
  private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  private final IgniteTable table;
  private final NavigableMap<byte[], Write<IgniteTable>> writes = new TreeMap<>(ORDER);
  private final NavigableMap<byte[], Seen> reads = new TreeMap<>(ORDER);
  private final List<Scan> scans = new ArrayList<>();

  Touched(IgniteTable table) {
    this.table = table;
  }

  /** The transaction's own write of a key, or {@code null}. */
  @Nullable Write<IgniteTable> write(byte[] key) {
    return writes.get(key);
  }

  void add(Write<IgniteTable> write) {
    writes.put(write.key(), write);
  }

  @Nullable Seen read(byte[] key) {
    return reads.get(key);
  }

  void add(Seen seen) {
    reads.put(seen.key(), seen);
  }

  /** Scans what the transaction reads, with its own writes up to now. */
  EngineCursor cursor(EngineCursor below, Range range) {
    Scan scan = new Scan(range);
    scans.add(scan);
    List<Write<IgniteTable>> own =
        new ArrayList<>(
            range.from() == null || range.to() == null
                ? writes.values()
                : writes.subMap(range.from(), true, range.to(), true).values());
    own.removeIf(write -> !range.contains(write.key()));
    return new Overlaid(below, (range.reversed() ? own.reversed() : own).iterator(), scan);
  }

  boolean isOnlyRead() {
    return writes.isEmpty();
  }

  /** Compares what was read, and writes. */
  void commit(Commit commit, @Nullable IgniteReader before) {
    if (before != null) {
      for (Range extent : extents()) {
        commit.compare(table, extent, before);
      }
    }
    Map<Write<IgniteTable>, Seen> exchanges = new LinkedHashMap<>();
    List<Seen> unchanged = new ArrayList<>();
    for (Seen seen : reads.values()) {
      Write<IgniteTable> write = writes.get(seen.key());
      if (write == null || (seen.value() == null && write.value() == null)) {
        unchanged.add(seen);
      } else {
        exchanges.put(write, seen);
      }
    }
    commit.exchange(table, exchanges);
    commit.compare(table, unchanged);
    commit.apply(
        writes.values().stream().filter(write -> !reads.containsKey(write.key())).toList());
  }

  /** The ranges that were scanned, without those that are part of another. */
  List<Range> extents() {
    List<Range> extents = new ArrayList<>();
    for (Scan scan : scans) {
      Range extent = scan.extent();
      if (extent != null && extents.stream().noneMatch(other -> covers(other, extent))) {
        extents.removeIf(other -> covers(extent, other));
        extents.add(extent);
      }
    }
    return extents;
  }

  private static boolean covers(Range outer, Range inner) {
    byte[] from = outer.from();
    byte[] to = outer.to();
    byte[] innerFrom = inner.from();
    byte[] innerTo = inner.to();
    if ((outer.withoutValues() && !inner.withoutValues())
        || (from != null && innerFrom == null)
        || (to != null && innerTo == null)) {
      return false;
    }
    int first = from == null || innerFrom == null ? -1 : ORDER.compare(from, innerFrom);
    int last = to == null || innerTo == null ? 1 : ORDER.compare(to, innerTo);
    return (first < 0 || (first == 0 && (outer.fromInclusive() || !inner.fromInclusive())))
        && (last > 0 || (last == 0 && (outer.toInclusive() || !inner.toInclusive())));
  }

  /** How far a cursor came. */
  private static final class Scan {
    private final Range range;
    private byte @Nullable [] last;
    private boolean ended;

    Scan(Range range) {
      this.range = range;
    }

    /** The range that was seen, upwards, or {@code null} if nothing was. */
    @Nullable Range extent() {
      byte[] reached = last;
      if (reached == null && !ended) {
        return null;
      }
      Range all = range.reversed() ? range.reverse() : range;
      Range whole = all.limit(Long.MAX_VALUE);
      if (ended || reached == null) {
        return whole;
      }
      return range.reversed() ? whole.from(reached, true) : whole.to(reached, true);
    }
  }

  /** Merges two scans; a write hides the entry below it. */
  private static final class Overlaid implements EngineCursor {
    private final EngineCursor below;
    private final Iterator<Write<IgniteTable>> above;
    private final Scan scan;
    private final Comparator<byte[]> order;
    private boolean more = true;
    private byte @Nullable [] lower; // read, not returned yet
    private @Nullable Write<IgniteTable> upper;
    private @Nullable Write<IgniteTable> own; // the current entry, if it is not from below

    Overlaid(EngineCursor below, Iterator<Write<IgniteTable>> above, Scan scan) {
      this.below = below;
      this.above = above;
      this.scan = scan;
      this.order = scan.range.reversed() ? ORDER.reversed() : ORDER;
    }

    @Override
    public boolean next() throws Exception {
      while (true) {
        if (lower == null && more) {
          more = below.next();
          lower = more ? below.key() : null;
        }
        if (upper == null && above.hasNext()) {
          upper = above.next();
        }
        if (lower == null && upper == null) {
          scan.ended = true;
          return false;
        }
        int first = lower == null ? 1 : upper == null ? -1 : order.compare(lower, upper.key());
        own = first < 0 ? null : upper;
        scan.last = own == null ? lower : own.key();
        lower = first <= 0 ? null : lower;
        upper = first >= 0 ? null : upper;
        if (own == null || own.value() != null) {
          return true;
        }
      }
    }

    @Override
    public byte[] key() {
      byte[] key = scan.last;
      if (key == null) {
        throw new IllegalStateException("before the first entry");
      }
      return key.clone();
    }

    @Override
    public byte[] value() throws Exception {
      byte[] value = own == null ? below.value() : own.value();
      if (value == null) {
        throw new IllegalStateException("an entry without a value");
      }
      return own == null ? value : value.clone();
    }

    @Override
    public void close() throws Exception {
      below.close();
    }
  }
}
