package io.kvstadium.transfer;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.transfer.CopyOptions.Existing;
import io.kvstadium.transfer.CopyProgress.Step;
import io.kvstadium.transfer.CopyResult.CopiedTable;
import io.kvstadium.transfer.format.ContentSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Copies stores, whatever their engines. */
public final class Copy {
  /**
   * How much is loaded at once: an interrupted copy loses no more, even on an engine whose bulk
   * load shows nothing before its end.
   */
  private static final long SEGMENT_BYTES = 256L << 20;

  /** What the mark of a target ends with: how far it is. */
  private static final String EMPTYING = "emptying";

  private static final String FILLING = "filling";

  private final Store from;
  private final Store to;
  private final CopyOptions options;
  private final long segmentBytes;
  private final Map<String, String> tables;
  private final Oversized.Counter oversized;

  /** Entries and bytes of this step in the tables before the current one. */
  private long entriesBefore;

  private long bytesBefore;
  private long entriesNow;
  private long bytesNow;
  private long total;

  Copy(Store from, Store to, CopyOptions options) {
    this(from, to, options, SEGMENT_BYTES);
  }

  /** With segments of another size, for tests. */
  Copy(Store from, Store to, CopyOptions options, long segmentBytes) {
    this.segmentBytes = segmentBytes;
    this.from = from;
    this.to = to;
    this.options = options;
    this.tables = SourceTables.select(from, options.tables());
    this.oversized = new Oversized.Counter(to);
  }

  /** Copies everything into an empty store; see {@link #run(Store, Store, CopyOptions)}. */
  public static CopyResult run(Store from, Store to) {
    return run(from, to, CopyOptions.DEFAULT);
  }

  /**
   * Copies tables with their entries from one store into another, in key order where the source has
   * one, by {@link Table#bulkLoad}. What is copied is one state of the source: that of a snapshot
   * if it has {@link Capability#SNAPSHOT}, otherwise that of a store that is open read-only.
   *
   * <p>The target is {@linkplain Stores#markIncomplete marked incomplete} until everything is
   * there, synced and, unless that is turned off, read back and found identical. A copy that was
   * interrupted or failed is resumed by the same call on a target that was opened with {@code
   * incomplete=true} in its URL: each table continues after the last key that is there, if the
   * target has an order; otherwise it is copied again. The source is read from the start for the
   * sum, and must not have changed since the first attempt: if it has, the two are not identical. A
   * {@linkplain CopyOptions.Existing#MERGE merge} marks nothing, and starts from the beginning if
   * it is repeated: a store that was complete stays so, whatever becomes of the merge.
   *
   * <p>A copy takes a few megabytes of heap in addition to the largest entries, and one more
   * thread, which reads ahead.
   *
   * @throws BadArgumentException if both are the same store, by whatever name; if the target holds
   *     entries, or what an interrupted copy of something else left there, and the options do not
   *     allow for that; if the target cannot hold some entries and they are not to be skipped; if
   *     there is no such table. Nothing is written in these cases
   * @throws UnsupportedException if the source cannot be read as one state and {@link
   *     CopyOptions#live} was not set, or the target lacks a capability that it would need
   */
  public static CopyResult run(Store from, Store to, CopyOptions options) {
    return new Copy(from, to, options).run();
  }

  CopyResult run() {
    checkTarget();
    tables.keySet().forEach(from::table); // open, before the snapshot
    return SourceTables.readOneState(from, options.live(), this::copyFrom);
  }

  private void checkTarget() {
    Stores.checkApart(from, to);
    if (!SourceTables.mayBeWritten(to)) {
      throw new BadArgumentException(to.url() + " is open read-only: nothing can be copied to it");
    }
    List<String> present = to.tables();
    for (String name : tables.values()) {
      if (!Stores.isTableName(name) && !present.contains(name)) {
        throw new BadArgumentException(
            "'"
                + name
                + "' of "
                + from.url()
                + " cannot name a table: copy it under a new name, of 1 to 63 letters, digits, '_', '-'"
                + " and '.'");
      }
    }
    if (!to.capabilities().contains(Capability.TABLES)
        && !List.of(Store.DEFAULT_TABLE).containsAll(tables.values())) {
      throw new UnsupportedException(
          to.url()
              + ": engine "
              + to.engine().name()
              + " has only the table "
              + Store.DEFAULT_TABLE
              + ", and the source has "
              + String.join(", ", tables.keySet())
              + ": copy one table, under the name "
              + Store.DEFAULT_TABLE);
    }
  }

  private CopyResult copyFrom(SourceTables.State source) {
    for (String name : tables.keySet()) { // what it cannot scan, it refuses before anything is done
      source.on(from.table(name)).scan(options.range()).close();
    }
    Target target = new Target(to, options.existing(), description());
    String mark = target.before();
    if (mark != null && mark.endsWith(EMPTYING) && options.existing() != Existing.REPLACE) {
      throw new BadArgumentException(
          to.url()
              + ": a copy that should have replaced the contents was interrupted before it had"
              + " emptied the tables: let this one replace them, too");
    }
    Range<byte[]> range = options.range();
    total = SourceTables.estimate(from, tables, range.from() == null && range.to() == null);
    if (!options.skipOversized()) {
      check(source);
    }
    boolean resumed = options.existing() != Existing.REPLACE && mark != null;
    boolean merges = !resumed && options.existing() == Existing.MERGE && !Stores.isEmpty(to);
    if (!resumed) {
      prepare(target);
    }
    Map<String, ContentSum> filled = new LinkedHashMap<>();
    begin();
    try {
      tables.forEach((name, newName) ->
          filled.put(name, fill(source.on(from.table(name)), to.table(newName), resumed)));
    } catch (RuntimeException e) {
      target.isUntouched(e);
      throw e;
    }
    target.sync();
    List<CopiedTable> copied = new ArrayList<>();
    begin();
    filled.forEach((name, sum) -> {
      Table<byte[], byte[]> table = to.table(tables.getOrDefault(name, name));
      ContentSum there =
          !options.verify()
              ? null
              : merges ? verifyMerged(source.on(from.table(name)), table) : verify(name, table);
      copied.add(new CopiedTable(name, table.name(), sum, there));
    });
    CopyResult result = new CopyResult(copied, oversized.counted(), resumed);
    if (!options.verify() || result.identical()) {
      target.complete();
    }
    return result;
  }

  /** What is copied, for the mark in the target; the first line is for human readers. */
  private String description() {
    StoreUrl url = StoreUrl.parse(from.url());
    String place = url.location().replaceFirst("^//[^/@]*@", "//"); // no password
    Range<byte[]> range = options.range();
    return "a copy from "
        + url.engine()
        + ":"
        + place
        + "\ntables "
        + tables
        + "\nkeys "
        + bound(range.from(), range.fromInclusive())
        + " to "
        + bound(range.to(), range.toInclusive())
        + "\n";
  }

  private static String bound(byte @Nullable [] key, boolean inclusive) {
    return key == null ? "any" : HexFormat.of().formatHex(key) + (inclusive ? " included" : "");
  }

  /** Marks the target, and makes room in it where that was asked for. */
  private void prepare(Target target) {
    if (options.existing() == Existing.REPLACE) {
      target.mark(EMPTYING);
      List<String> present = to.tables();
      tables.values().stream().filter(present::contains).forEach(name -> to.table(name).clear());
    } else if (options.existing() == Existing.REFUSE) {
      target.refuseEntries();
    }
    target.mark(FILLING);
  }

  /** Refuses what the target cannot hold. */
  private void check(SourceTables.State source) {
    if (oversized.holdsAll(from)) {
      return;
    }
    begin();
    boolean values = oversized.mindsValues(from);
    Range<byte[]> range = values ? options.range() : options.range().keysOnly();
    for (String name : tables.keySet()) {
      try (Cursor<byte[], byte[]> cursor = source.on(from.table(name)).scan(range)) {
        while (cursor.next()) {
          byte[] key = cursor.key();
          int length = values ? cursor.value().length : to.limits().minValueBytes();
          oversized.fits(name, key, length);
          entriesNow++;
          bytesNow += key.length + (values ? length : 0);
          if (entriesNow % 10_000 == 0) {
            tell(Step.CHECK, name);
          }
        }
      }
    }
    Oversized found = oversized.counted();
    if (found.entries() > 0) {
      throw new BadArgumentException(found.refusal(to, from.url()));
    }
  }

  /**
   * Copies a table; returns the sum of the source's entries.
   *
   * @param goesOn whether what the target has of it, up to its last key, is there already
   */
  private ContentSum fill(
      TableReader<byte[], byte[]> source, Table<byte[], byte[]> target, boolean goesOn) {
    boolean sorted = from.capabilities().contains(Capability.ORDERED_SCAN);
    boolean ordered = sorted && to.capabilities().contains(Capability.ORDERED_SCAN);
    Entry<byte[], byte[]> last = goesOn && ordered ? target.last(Range.all()) : null;
    ContentSum.Adder sum = new ContentSum.Adder(target.name());
    Predicate<Entry<byte[], byte[]>> added =
        entry -> {
          sum.add(entry.key(), entry.value());
          return last == null || Arrays.compareUnsigned(entry.key(), last.key()) > 0;
        };
    boolean whole = !to.capabilities().contains(Capability.WRITE); // each load may cost a rewrite
    try (ReadAhead entries = fitting(source, oversized, added, Step.COPY)) {
      while (entries.hasNext()) {
        target.bulkLoad(new Segment(entries, whole ? Long.MAX_VALUE : segmentBytes), sorted);
      }
    }
    next();
    return sum.sum();
  }

  /** The sum of what the target has. */
  private ContentSum verify(String name, Table<byte[], byte[]> target) {
    ContentSum.Adder sum = new ContentSum.Adder(target.name());
    Predicate<Entry<byte[], byte[]>> added =
        entry -> {
          sum.add(entry.key(), entry.value());
          return false;
        };
    try (ReadAhead entries =
        new ReadAhead(() -> target.scan(Range.all()), added, progress(Step.VERIFY, name))) {
      if (entries.hasNext()) {
        throw new IllegalStateException("none should have been handed out");
      }
    }
    next();
    return sum.sum();
  }

  /** The sum of what the target has by the source's keys. */
  private ContentSum verifyMerged(
      TableReader<byte[], byte[]> source, Table<byte[], byte[]> target) {
    ContentSum.Adder sum = new ContentSum.Adder(target.name());
    Oversized.Counter again = new Oversized.Counter(to);
    try (ReadAhead entries = fitting(source, again, _ -> true, Step.VERIFY)) {
      while (entries.hasNext()) {
        byte[] key = entries.next().key();
        byte[] value = target.get(key);
        if (value != null) {
          sum.add(key, value);
        }
      }
    }
    next();
    return sum.sum();
  }

  /** The entries that fit, if others are to be skipped. */
  private ReadAhead fitting(
      TableReader<byte[], byte[]> table,
      Oversized.Counter counter,
      Predicate<Entry<byte[], byte[]>> filter,
      Step step) {
    return new ReadAhead(
        () -> table.scan(options.range()),
        entry ->
            (!options.skipOversized()
                    || counter.fits(table.name(), entry.key(), entry.value().length))
                && filter.test(entry),
        progress(step, table.name()));
  }

  private ReadAhead.Progress progress(Step step, String table) {
    return (entries, bytes) -> {
      entriesNow = entries;
      bytesNow = bytes;
      tell(step, table);
    };
  }

  private void begin() {
    entriesBefore = 0;
    bytesBefore = 0;
    entriesNow = 0;
    bytesNow = 0;
  }

  private void next() {
    entriesBefore += entriesNow;
    bytesBefore += bytesNow;
    entriesNow = 0;
    bytesNow = 0;
  }

  private void tell(Step step, String table) {
    options
        .progress()
        .accept(
            new CopyProgress(
                step, table, entriesBefore + entriesNow, bytesBefore + bytesNow, total));
  }

  /** Entries up to some total size. */
  private static final class Segment implements Iterator<Entry<byte[], byte[]>> {
    private final Iterator<Entry<byte[], byte[]>> entries;
    private long left;

    Segment(Iterator<Entry<byte[], byte[]>> entries, long bytes) {
      this.entries = entries;
      this.left = bytes;
    }

    @Override
    public boolean hasNext() {
      return left > 0 && entries.hasNext();
    }

    @Override
    public Entry<byte[], byte[]> next() {
      Entry<byte[], byte[]> entry = entries.next();
      left -= (long) entry.key().length + entry.value().length;
      return entry;
    }
  }
}
