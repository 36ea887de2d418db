package io.kvstadium.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a scan, read ahead by separate threads while the caller uses earlier ones: for
 * callers that go through a whole table and do some work for each entry. Belongs to one thread;
 * closing it ends the reading.
 *
 * <p>One thread holds a few megabytes, or a few entries if these are longer. If the keys are
 * ordered, several threads read one part of the table each. A part takes about {@value #PART_BYTES}
 * bytes of memory and at most twice that, or one entry if it is longer; the entries still come in
 * the order of their keys. Where a part should end is guessed from how far apart the keys of
 * earlier parts were. A bad guess only makes other threads wait.
 */
public final class ReadAhead implements Iterator<Entry>, AutoCloseable {
  private static final int PART_BYTES = 4 << 20;

  private static final int MOST_READERS = 4;

  /** The first part's share of the distance between the first key and the last. */
  private static final double FIRST_PART = 1 / 64.0;

  /** How much further the next part goes, as a logarithm, if one had almost nothing. */
  private static final double FURTHER = 3;

  /** Decides whether an entry is handed out; called by one reading thread. */
  @FunctionalInterface
  public interface Filter extends Predicate<Entry> {
    /** Called after all entries were tested, but not if the reading fails. */
    default void end() {}
  }

  /** Is notified of how far the reading was when the entries that come next had been read. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called by the thread that uses the entries.
     *
     * @param entries how many the scan has gone through, handed out or not
     * @param bytes the total length of their keys and values
     */
    void passed(long entries, long bytes);
  }

  /** A part of the range that is being read or has yet to be read. */
  private static final class Part {
    private final Range range;

    /** Its first key, and an upper bound of its keys; null where parts are not divided. */
    private final byte @Nullable [] first;

    private final byte @Nullable [] top;
    private @Nullable ReadPart reading;
    private boolean looked; // at how it came out

    Part(Range range, byte @Nullable [] first, byte @Nullable [] top) {
      this.range = range;
      this.first = first;
      this.top = top;
    }
  }

  private final @Nullable TableReader table; // null: there is one part, and it is being read
  private final int readers;
  private final long partBytes;
  private final Supplier<? extends Filter> filters;
  private final Progress progress;

  /** In the order of their keys; used ones are removed. */
  private final List<Part> parts = new ArrayList<>();

  /** How far apart the first and last key of a part should be. */
  private double log2Width;

  private long entriesBefore; // of the parts that are gone
  private long bytesBefore;
  private Iterator<Entry> current = List.<Entry>of().iterator();

  /**
   * Starts reading, with one thread.
   *
   * @param scan opens the scan, on the reading thread, which also closes it
   * @param kept whether to hand out an entry, perhaps a {@link Filter}; called by the reading
   *     thread
   * @param progress called by the thread that uses the entries
   */
  public ReadAhead(Supplier<Cursor> scan, Predicate<Entry> kept, Progress progress) {
    Filter filter = kept instanceof Filter given ? given : kept::test;
    this.table = null;
    this.readers = 1;
    this.partBytes = Long.MAX_VALUE;
    this.filters = () -> filter;
    this.progress = progress;
    Part all = new Part(Range.all(), null, null);
    all.reading = new ReadPart(scan, filter, Long.MAX_VALUE, ReadPart.PORTIONS);
    parts.add(all);
  }

  /**
   * Starts reading: if the table is ordered, with as many threads as there are processors, but no
   * more than four; otherwise with one.
   *
   * @param store the store of the table
   * @param table the table, or its view in a snapshot
   * @param range the range, not reversed and without a limit
   * @param filters supplies a filter for each part
   * @param progress called by the thread that uses the entries
   */
  public static ReadAhead of(
      Store store,
      TableReader table,
      Range range,
      Supplier<? extends Filter> filters,
      Progress progress) {
    int readers = Math.min(MOST_READERS, Runtime.getRuntime().availableProcessors());
    return readers > 1 && Stores.isOrdered(store, table.name())
        ? new ReadAhead(table, range, readers, filters, progress, PART_BYTES)
        : new ReadAhead(() -> table.scan(range), filters.get(), progress);
  }

  /** With at least two readers of an ordered table, and parts of about the given size. */
  ReadAhead(
      TableReader table,
      Range range,
      int readers,
      Supplier<? extends Filter> filters,
      Progress progress,
      long partBytes) {
    this.table = table;
    this.readers = readers;
    this.partBytes = partBytes;
    this.filters = filters;
    this.progress = progress;
    byte[] first = firstKey(table, range);
    byte[] last = first == null ? null : firstKey(table, range.reverse());
    if (first != null && last != null) {
      log2Width = KeySpace.log2Distance(first, last) + Math.log(FIRST_PART) / Math.log(2);
      parts.add(new Part(range, first, last));
    }
    try {
      startParts();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private static byte @Nullable [] firstKey(TableReader table, Range range) {
    try (Cursor cursor = table.scan(range.keysOnly().limit(1))) {
      return cursor.next() ? cursor.key() : null;
    }
  }

  /**
   * Starts reading the next parts, as many at once as there are readers, and no further than
   * needed.
   */
  private void startParts() {
    int reading = 0;
    int started = 0;
    for (ListIterator<Part> each = parts.listIterator();
        each.hasNext() && reading < readers && started < 2 * readers;
        started++) {
      Part part = each.next();
      if (part.reading == null) {
        part = start(part, each);
      }
      if (!look(part, each)) {
        reading++;
      }
    }
  }

  /** Starts reading a part, or the beginning of it, in which case the rest is inserted after it. */
  private Part start(Part whole, ListIterator<Part> at) {
    Part part = whole;
    byte[] middle =
        whole.first == null || whole.top == null
            ? null
            : KeySpace.between(whole.first, whole.top, log2Width);
    Part rest = middle == null ? null : rest(whole, middle, true);
    if (middle != null && rest != null) { // else there is nothing after it
      part = new Part(whole.range.to(middle, false), whole.first, middle);
      at.set(part);
      at.add(rest);
      at.previous();
    }
    Range range = part.range;
    TableReader from = opened();
    part.reading =
        new ReadPart(() -> from.scan(range), filters.get(), 2 * partBytes, Integer.MAX_VALUE);
    return part;
  }

  /** The part's remainder from a key on, or {@code null} if there is none. */
  private @Nullable Part rest(Part whole, byte[] from, boolean inclusive) {
    Range range = whole.range.from(from, inclusive);
    byte[] first = firstKey(opened(), range);
    return first == null ? null : new Part(range, first, whole.top);
  }

  private TableReader opened() {
    if (table == null) {
      throw new IllegalStateException("the one part is being read");
    }
    return table;
  }

  /** Learns from a part, if it was read, and inserts after it what it left over. */
  private boolean look(Part part, ListIterator<Part> at) {
    ReadPart.Outcome outcome = part.reading == null ? null : part.reading.outcome();
    if (part.looked || part.first == null || outcome == null) {
      return part.looked;
    }
    part.looked = true;
    byte[] last = outcome.last();
    if (last == null || outcome.memory() < partBytes / 8) {
      log2Width += FURTHER;
    } else {
      double log2Distance = KeySpace.log2Distance(part.first, last);
      if (Double.isFinite(log2Distance)) {
        log2Width = log2Distance + Math.log((double) partBytes / outcome.memory()) / Math.log(2);
      }
    }
    Part rest = last != null && outcome.early() ? rest(part, last, false) : null;
    if (rest != null) {
      at.add(rest);
      at.previous();
    }
    return true;
  }

  @Override
  public boolean hasNext() {
    while (!current.hasNext() && !parts.isEmpty()) {
      if (table != null) {
        startParts();
      }
      Part part = parts.getFirst();
      ReadPart.Portion portion = Objects.requireNonNull(part.reading).take();
      if (portion.failure() instanceof RuntimeException e) {
        throw e;
      }
      if (portion.failure() instanceof Error e) {
        throw e;
      }
      current = portion.entries().iterator();
      progress.passed(entriesBefore + portion.passed(), bytesBefore + portion.bytes());
      if (portion.entries().isEmpty()) {
        entriesBefore += portion.passed();
        bytesBefore += portion.bytes();
        if (table != null) {
          startParts(); // and so looks at the first once more
        }
        parts.removeFirst();
      }
    }
    return current.hasNext();
  }

  @Override
  public Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the scan is at its end");
    }
    return current.next();
  }

  /** Waits until all scans are closed. */
  @Override
  public void close() {
    List<ReadPart> reading = new ArrayList<>();
    for (Part part : parts) {
      if (part.reading != null) {
        part.reading.close();
        reading.add(part.reading);
      }
    }
    reading.forEach(ReadPart::join);
    parts.clear();
  }
}
