package io.kvstadium.store;

import io.kvstadium.store.CopyOptions.Existing;
import io.kvstadium.store.CopyProgress.Step;
import io.kvstadium.store.CopyResult.CopiedTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One call of {@link Stores#copy}. */
final class Copy {
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
    this.from = Arguments.given("copy", "source", from);
    this.to = Arguments.given("copy", "target", to);
    this.options = Arguments.given("copy", "CopyOptions", options);
    this.tables = Stores.selected(from, options.tables());
    this.oversized = new Oversized.Counter(to);
  }

  CopyResult run() {
    checkTarget();
    tables.keySet().forEach(from::table); // open, before the snapshot
    return Stores.readOneState(from, options.live(), this::copyFrom);
  }

  private void checkTarget() {
    if (to.equals(from)) {
      throw new BadArgumentException(from.url() + ": a store cannot be copied to itself");
    }
    if (from instanceof OpenStore<?> source && to instanceof OpenStore<?> target) {
      source.checkApart(target);
    }
    if (!Stores.mayBeWritten(to)) {
      throw new BadArgumentException(to.url() + " is open read-only: nothing can be copied to it");
    }
    List<String> present = to.tables();
    for (String name : tables.values()) {
      if (!Tables.isName(name) && !present.contains(name)) {
        throw new BadArgumentException(
            "'"
                + name
                + "' of "
                + from.url()
                + " cannot name a table: copy it under a new name, of 1 to 64 letters, digits, '_', '-'"
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

  private CopyResult copyFrom(ReadView source) {
    for (String name : tables.keySet()) { // what it cannot scan, it refuses before anything is done
      source.on(from.table(name)).scan(options.range()).close();
    }
    String mark = Stores.incomplete(to);
    String own = description();
    checkMark(mark, own);
    total = estimate();
    if (!options.skipOversized()) {
      check(source);
    }
    boolean resumed = options.existing() != Existing.REPLACE && mark != null;
    boolean merges = !resumed && options.existing() == Existing.MERGE && !Stores.isEmpty(to);
    if (!resumed) {
      prepare(own, merges);
    }
    Map<String, ContentSum> filled = new LinkedHashMap<>();
    begin();
    try {
      tables.forEach((name, target) ->
          filled.put(name, fill(source.on(from.table(name)), to.table(target), resumed)));
    } catch (RuntimeException e) {
      unmarkIfNothingWasDone(mark, e);
      throw e;
    }
    Stores.syncIfPossible(to);
    List<CopiedTable> copied = new ArrayList<>();
    begin();
    filled.forEach((name, sum) -> {
      Table target = to.table(tables.getOrDefault(name, name));
      ContentSum there =
          !options.verify()
              ? null
              : merges ? verifyMerged(source.on(from.table(name)), target) : verify(name, target);
      copied.add(new CopiedTable(name, target.name(), sum, there));
    });
    CopyResult result = new CopyResult(copied, oversized.counted(), resumed);
    if (!options.verify() || result.identical()) {
      Stores.markComplete(to);
    }
    return result;
  }

  /** What is copied, for the mark in the target; the first line is for human readers. */
  private String description() {
    StoreUrl url = StoreUrl.parse(from.url());
    String place = url.location().replaceFirst("^//[^/@]*@", "//"); // no password
    Range range = options.range();
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

  private void checkMark(@Nullable String mark, String own) {
    if (mark == null) {
      return;
    }
    if (!mark.startsWith(own)) {
      throw new BadArgumentException(
          to.url()
              + " is not complete: "
              + mark.lines().findFirst().orElse("what filled it")
              + " has not finished, and what is requested now has another source, or other tables"
              + " or keys: repeat the earlier one, or name another target");
    }
    if (mark.endsWith(EMPTYING) && options.existing() != Existing.REPLACE) {
      throw new BadArgumentException(
          to.url()
              + ": a copy that should have replaced the contents was interrupted before it had"
              + " emptied the tables: let this one replace them, too");
    }
  }

  /** Marks the target, and makes room in it where that was asked for. */
  private void prepare(String own, boolean merges) {
    if (options.existing() == Existing.REPLACE) {
      Stores.markIncomplete(to, own + EMPTYING);
      List<String> present = to.tables();
      tables.values().stream().filter(present::contains).forEach(name -> to.table(name).clear());
    } else if (!merges && !Stores.isEmpty(to)) {
      throw new BadArgumentException(
          to.url()
              + " holds entries already: copy to an empty store, or ask for a merge (--merge), or for"
              + " the tables to be replaced (--replace)");
    }
    if (options.existing() != Existing.MERGE) { // what was complete stays so, whatever is added
      Stores.markIncomplete(to, own + FILLING);
    }
  }

  /** A target that was empty and still is holds nothing that would have to be completed. */
  private void unmarkIfNothingWasDone(@Nullable String mark, RuntimeException failure) {
    if (mark == null && options.existing() == Existing.REFUSE) {
      try {
        if (Stores.isEmpty(to)) {
          Stores.markComplete(to);
        }
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** Refuses what the target cannot hold. */
  private void check(ReadView source) {
    if (oversized.holdsAll(from)) {
      return;
    }
    begin();
    boolean values = oversized.mindsValues(from);
    Range range = values ? options.range() : options.range().keysOnly();
    for (String name : tables.keySet()) {
      try (Cursor cursor = source.on(from.table(name)).scan(range)) {
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
  private ContentSum fill(TableReader source, Table target, boolean goesOn) {
    boolean sorted = Stores.isOrdered(from, source.name());
    boolean ordered = sorted && to.capabilities().contains(Capability.ORDERED_SCAN);
    Entry last = goesOn && ordered ? target.last(Range.all()) : null;
    Sum sum = new Sum(target.name());
    Predicate<Entry> isNew =
        entry -> last == null || Arrays.compareUnsigned(entry.key(), last.key()) > 0;
    boolean whole = !to.capabilities().contains(Capability.WRITE); // each load may cost a rewrite
    try (ReadAhead entries =
        options.skipOversized()
            ? fitting(source, oversized, sum.part(isNew), Step.COPY)
            : ReadAhead.of(
                from,
                source,
                options.range(),
                () -> sum.part(isNew),
                told(Step.COPY, source.name()))) {
      while (entries.hasNext()) {
        target.load(new Segment(entries, whole ? Long.MAX_VALUE : segmentBytes), sorted);
      }
    }
    next();
    return sum.get();
  }

  /** A sum that several threads add to, each a part. */
  private static final class Sum {
    private final String table;
    private final Queue<ContentSum> parts = new ConcurrentLinkedQueue<>();

    Sum(String table) {
      this.table = table;
    }

    /** Adds whatever it meets. */
    ReadAhead.Filter part(Predicate<Entry> kept) {
      ContentSum.Adder part = new ContentSum.Adder(table);
      return new ReadAhead.Filter() {
        @Override
        public boolean test(Entry entry) {
          part.add(entry.key(), entry.value());
          return kept.test(entry);
        }

        @Override
        public void end() {
          parts.add(part.sum());
        }
      };
    }

    ContentSum get() {
      return parts.stream().reduce(ContentSum.NONE, ContentSum::plus);
    }
  }

  /** The sum of what the target has. */
  private ContentSum verify(String name, Table target) {
    Sum sum = new Sum(target.name());
    try (ReadAhead entries =
        ReadAhead.of(
            to, target, Range.all(), () -> sum.part(_ -> false), told(Step.VERIFY, name))) {
      if (entries.hasNext()) {
        throw new IllegalStateException("none should have been handed out");
      }
    }
    next();
    return sum.get();
  }

  /** The sum of what the target has by the source's keys. */
  private ContentSum verifyMerged(TableReader source, Table target) {
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

  /** The entries that fit, in order, since the first that does not fit is reported. */
  private ReadAhead fitting(
      TableReader table, Oversized.Counter counter, ReadAhead.Filter filter, Step step) {
    return new ReadAhead(
        () -> table.scan(options.range()),
        new ReadAhead.Filter() {
          @Override
          public boolean test(Entry entry) {
            return (!options.skipOversized()
                    || counter.fits(table.name(), entry.key(), entry.value().length))
                && filter.test(entry);
          }

          @Override
          public void end() {
            filter.end();
          }
        },
        told(step, table.name()));
  }

  private ReadAhead.Progress told(Step step, String table) {
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

  private long estimate() {
    boolean bounded = options.range().from() != null || options.range().to() != null;
    return bounded || !from.capabilities().contains(Capability.ESTIMATED_COUNT)
        ? -1
        : tables.keySet().stream().mapToLong(name -> from.table(name).estimateCount()).sum();
  }

  /** Entries up to some total size. */
  private static final class Segment implements Iterator<Entry> {
    private final Iterator<Entry> entries;
    private long left;

    Segment(Iterator<Entry> entries, long bytes) {
      this.entries = entries;
      this.left = bytes;
    }

    @Override
    public boolean hasNext() {
      return left > 0 && entries.hasNext();
    }

    @Override
    public Entry next() {
      Entry entry = entries.next();
      left -= (long) entry.key().length + entry.value().length;
      return entry;
    }
  }
}
