package io.kvstadium.transfer;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.transfer.CopyOptions.Existing;
import io.kvstadium.transfer.format.ContentSum;
import io.kvstadium.transfer.format.Item;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.SourceReader;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads what {@link Export} or another program wrote into a store. */
public final class Import {
  private static final int TOLD_EVERY = 1_000;

  /** What the mark of a store begins with that an import fills. */
  private static final String MARK = "an import\n";

  private final SourceReader reader;
  private final Store store;
  private final ImportOptions options;
  private final Oversized.Counter oversized;

  /** By table name in the store. */
  private final Map<String, ContentSum.Adder> sums = new LinkedHashMap<>();

  /** The tables, by their names in the input, that had entries so far. */
  private final Set<String> met = new HashSet<>();

  private @Nullable Item ahead;
  private @Nullable StadiumException failure;

  /** Whether keys ascended so far within each table. */
  private boolean ascending = true;

  private long entries;
  private long bytes;

  private Import(SourceReader reader, Store store, ImportOptions options) {
    this.reader = reader;
    this.store = store;
    this.options = options;
    this.oversized = new Oversized.Counter(store);
  }

  /**
   * Imports everything up to the end of the source, by {@link Table#bulkLoad}: sorted as long as
   * keys ascend. Unless entries are only added ({@link Existing#MERGE}), the store is marked as
   * incomplete meanwhile, as {@link Stores#markIncomplete} says.
   *
   * @throws CorruptException if something in it is damaged or not in its format, with the place and
   *     what was imported: everything intact before it. The store stays marked if it was, unless it
   *     is still empty
   * @throws BadArgumentException if the store holds entries and the options refuse that
   */
  public static Imported run(EntrySource source, Store store, ImportOptions options) {
    Target target = target(store, options);
    boolean verified = options.verify() && Stores.isEmpty(store);
    try (SourceReader reader = source.read()) {
      return new Import(reader, store, options).all(target, verified, source.hasUniqueKeys());
    }
  }

  /**
   * Reads everything and writes nothing: for a source that can be read twice, before {@link #run}.
   *
   * @throws CorruptException if something in it is damaged or not in its format, with the place
   * @throws BadArgumentException if the store cannot hold some entries, with their number and the
   *     first of them; if a table that the options name is not there; or as {@code run} throws it
   */
  public static void check(EntrySource source, Store store, ImportOptions options) {
    target(store, options);
    try (SourceReader reader = source.read()) {
      new Import(reader, store, options).check();
    }
  }

  private void check() {
    for (Item item = reader.next(); item != null; item = reader.next()) {
      met.add(item.table());
      if (isNamed(item)) {
        oversized.fits(item.table(), item.key(), item.value().length);
      }
      bytes += (long) item.key().length + item.value().length;
      if (++entries % TOLD_EVERY == 0) {
        tell(CopyProgress.Step.CHECK, item.table());
      }
    }
    refuseMissing();
    Oversized found = oversized.counted();
    if (found.entries() > 0 && !options.skipOversized()) {
      throw new BadArgumentException(found.refusal(store, "what is imported"));
    }
  }

  /** The total is an estimate, from what has been read. */
  private void tell(CopyProgress.Step step, String table) {
    double share = reader.share();
    long total = share > 0 ? Math.round(entries / share) : -1;
    options.progress().accept(new CopyProgress(step, table, entries, bytes, total));
  }

  /** Refuses to end well if a table was asked for, perhaps by a typo, and did not come. */
  private void refuseMissing() {
    Set<String> present = new TreeSet<>(met);
    present.addAll(reader.tables());
    for (String name : options.tables().keySet()) {
      if (!present.contains(name)) {
        throw new BadArgumentException(
            "what is imported has no table '"
                + name
                + "'"
                + Nearest.hint(name, present)
                + "; it has "
                + (present.isEmpty() ? "none" : String.join(", ", present))
                + ": a table gets another name by --table NAME=NEW");
      }
    }
  }

  private static Target target(Store store, ImportOptions options) {
    Target target = new Target(store, options.existing(), MARK);
    if (options.existing() == Existing.REFUSE) {
      target.refuseEntries();
    }
    return target;
  }

  /**
   * @param unique whether no key may come twice
   */
  private Imported all(Target target, boolean verified, boolean unique) {
    target.mark("");
    try {
      advance();
      while (ahead != null) {
        load(ahead.table());
      }
      if (failure == null) {
        refuseMissing();
        makeEmptyTables();
      }
    } catch (StadiumException e) {
      failure = e;
    }
    if (failure != null) {
      throw stopped(failure, target);
    }
    target.sync();
    Map<String, ContentSum> imported = new LinkedHashMap<>();
    sums.forEach((name, sum) -> imported.put(name, sum.sum()));
    Imported.Verification verification = Imported.Verification.NONE;
    long repeated = 0;
    if (verified) {
      boolean identical = true;
      for (Map.Entry<String, ContentSum> table : imported.entrySet()) {
        ContentSum there = ReadAhead.sum(store.table(table.getKey()));
        identical &= there.equals(table.getValue());
        repeated += table.getValue().entries() - there.entries();
      }
      if (identical) {
        verification = Imported.Verification.IDENTICAL;
      } else if (unique || repeated <= 0) {
        verification = Imported.Verification.DIFFERENT;
      } // else the sum has entries that others have replaced
    }
    if (options.existing() != Existing.MERGE && verification != Imported.Verification.DIFFERENT) {
      target.complete();
    }
    return new Imported(
        imported, reader.leftOut(), oversized.counted(), Math.max(repeated, 0), verification);
  }

  /** Makes tables that the source names and that have no entries, if there can be several. */
  private void makeEmptyTables() {
    if (store.capabilities().contains(Capability.TABLES)) {
      reader.tables().stream()
          .filter(name -> options.tables().isEmpty() || options.tables().containsKey(name))
          .map(this::name)
          .filter(Stores::isTableName)
          .forEach(store::table);
    }
  }

  /** What ended the import, and what it left. */
  private StadiumException stopped(StadiumException cause, Target target) {
    String message = cause.getMessage() + ". " + left(cause, target);
    return switch (cause) {
      case CorruptException _ -> new CorruptException(message, cause);
      case BadArgumentException _ -> new BadArgumentException(message, cause);
      default -> new StadiumException(message, cause);
    };
  }

  private String left(StadiumException cause, Target target) {
    String imported = "Imported up to there: " + entries + (entries == 1 ? " entry" : " entries");
    if (options.existing() == Existing.MERGE) {
      return imported + "; " + store.url() + " keeps what it held under other keys";
    }
    if (target.isUntouched(cause)) {
      return imported;
    }
    return imported
        + "; "
        + store.url()
        + " stays marked as incomplete: import again with --replace";
  }

  /** Loads entries as long as they belong to one table and are in one order. */
  private void load(String source) {
    Table<byte[], byte[]> table = store.table(name(source));
    if (!sums.containsKey(table.name())) {
      sums.put(table.name(), new ContentSum.Adder(table.name()));
      if (options.existing() == Existing.REPLACE) {
        table.clear();
      }
    }
    boolean sorted = ascending;
    table.bulkLoad(new Run(source, table.name(), sorted), sorted);
    ascending = sorted && (ahead == null || !ahead.table().equals(source));
  }

  /** The name that a table of the source gets in the store. */
  private String name(String source) {
    return options.tables().getOrDefault(source, source);
  }

  /** Reads up to the next wanted entry; a failure is reported after the entries before it. */
  private void advance() {
    do {
      try {
        ahead = failure == null ? reader.next() : null;
        if (ahead != null) {
          met.add(ahead.table());
        }
      } catch (StadiumException e) {
        failure = e;
        ahead = null;
      }
    } while (ahead != null && !isWanted(ahead));
  }

  private boolean isWanted(Item item) {
    return isNamed(item)
        && (!options.skipOversized()
            || oversized.fits(item.table(), item.key(), item.value().length));
  }

  private boolean isNamed(Item item) {
    return options.tables().isEmpty() || options.tables().containsKey(item.table());
  }

  /** The next entries, as long as they belong to one table and are in one order. */
  private final class Run implements Iterator<Entry<byte[], byte[]>> {
    private final String source;
    private final boolean sorted;
    private final ContentSum.Adder sum;
    private byte @Nullable [] previous;

    Run(String source, String name, boolean sorted) {
      this.source = source;
      this.sorted = sorted;
      this.sum = sums.computeIfAbsent(name, ContentSum.Adder::new);
    }

    @Override
    public boolean hasNext() {
      Item next = ahead;
      return next != null
          && next.table().equals(source)
          && (!sorted || previous == null || Arrays.compareUnsigned(previous, next.key()) < 0);
    }

    @Override
    public Entry<byte[], byte[]> next() {
      Item item = ahead;
      if (item == null || !hasNext()) {
        throw new NoSuchElementException("the run is at its end");
      }
      previous = item.key();
      sum.add(item.key(), item.value());
      bytes += (long) item.key().length + item.value().length;
      if (++entries % TOLD_EVERY == 0) {
        tell(CopyProgress.Step.COPY, source);
      }
      advance();
      return new Entry<>(item.key(), item.value());
    }
  }
}
