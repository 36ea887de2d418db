package io.kvstadium.transfer;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ContentSum;
import io.kvstadium.store.CopyOptions.Existing;
import io.kvstadium.store.CopyProgress;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Oversized;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Stores;
import io.kvstadium.store.Table;
import io.kvstadium.transfer.EntryReader.Item;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Reads what {@link Export} or another program wrote into a store. */
public final class Import {
  private static final int TOLD_EVERY = 1_000;

  private final EntryReader reader;
  private final Store store;
  private final ImportOptions options;
  private final Oversized.Counter oversized;

  /** By table name in the store. */
  private final Map<String, ContentSum.Adder> sums = new LinkedHashMap<>();

  private @Nullable Item ahead;
  private @Nullable Exception failure;

  /** Whether keys ascended so far within each table. */
  private boolean ascending = true;

  private long entries;
  private long bytes;

  private Import(EntryReader reader, Store store, ImportOptions options) {
    this.reader = reader;
    this.store = store;
    this.options = options;
    this.oversized = new Oversized.Counter(store);
  }

  /**
   * Imports everything up to the end of the stream, by {@link Table#load}: sorted as long as keys
   * ascend. The store is marked as incomplete meanwhile, as {@link Stores#markIncomplete} says.
   *
   * @param in stays open
   * @throws CorruptException if something in it is damaged or not in this format, with the place
   *     and what was imported: everything intact before it. The store stays marked
   * @throws BadArgumentException if the store holds entries and the options refuse that
   */
  public static Imported run(InputStream in, Format format, Store store, ImportOptions options) {
    refuseEntries(store, options);
    boolean unique = format != Format.CSV && format != Format.JSON_LINES;
    try {
      boolean verified = options.verify() && unique && Stores.isEmpty(store);
      return new Import(reader(in, format, options), store, options).all(verified);
    } catch (IOException e) {
      throw new StadiumException("the import cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads everything and writes nothing: for input that can be read twice, before {@link #run}.
   * Damage ends the check; {@code run} reports it.
   *
   * @param in stays open
   * @throws BadArgumentException if the store cannot hold some entries, with their number and the
   *     first of them, or as {@code run} throws it
   */
  public static void check(InputStream in, Format format, Store store, ImportOptions options) {
    refuseEntries(store, options);
    Oversized.Counter oversized = new Oversized.Counter(store);
    long entries = 0;
    long bytes = 0;
    try {
      EntryReader reader = reader(in, format, options);
      for (Item item = reader.next(); item != null; item = reader.next()) {
        if (isNamed(item, options)) {
          oversized.fits(item.table(), item.key(), item.value().length);
        }
        bytes += (long) item.key().length + item.value().length;
        if (++entries % TOLD_EVERY == 0) {
          options
              .progress()
              .accept(new CopyProgress(CopyProgress.Step.CHECK, item.table(), entries, bytes, -1));
        }
      }
    } catch (IOException | CorruptException e) {
      // run finds it too
    }
    Oversized found = oversized.counted();
    if (found.entries() > 0) {
      throw new BadArgumentException(found.refusal(store, "what is imported"));
    }
  }

  private static void refuseEntries(Store store, ImportOptions options) {
    if (options.existing() == Existing.REFUSE && !Stores.isEmpty(store)) {
      throw new BadArgumentException(
          store.url()
              + " holds entries already: import into an empty store, or ask for a merge, or for the"
              + " tables to be replaced");
    }
  }

  private static EntryReader reader(InputStream in, Format format, ImportOptions options)
      throws IOException {
    return switch (format) {
      case DUMP -> new DumpReader(in);
      case JSON_LINES -> new JsonLinesReader(in);
      case CSV -> new CsvReader(in);
      case MDB_DUMP -> new MdbDumpReader(in);
      case RDB -> new RdbReader(in, options.expiring(), System.currentTimeMillis());
    };
  }

  private Imported all(boolean verified) {
    Stores.markIncomplete(store, "an import\n");
    advance();
    while (ahead != null) {
      load(ahead.table());
    }
    if (failure != null) {
      throw stopped(failure);
    }
    Stores.syncIfPossible(store);
    Map<String, ContentSum> imported = new LinkedHashMap<>();
    sums.forEach((name, sum) -> imported.put(name, sum.sum()));
    Imported.Verification verification = Imported.Verification.NONE;
    if (verified) {
      verification =
          imported.entrySet().stream()
                  .allMatch(
                      table -> Stores.sum(store.table(table.getKey())).equals(table.getValue()))
              ? Imported.Verification.IDENTICAL
              : Imported.Verification.DIFFERENT;
    }
    if (verification != Imported.Verification.DIFFERENT) {
      Stores.markComplete(store);
    }
    return new Imported(imported, reader.leftOut(), oversized.counted(), verification);
  }

  private StadiumException stopped(Exception cause) {
    String message =
        cause.getMessage()
            + ". Imported up to there: "
            + entries
            + (entries == 1 ? " entry; " : " entries; ")
            + store.url()
            + " stays marked as incomplete";
    return cause instanceof CorruptException
        ? new CorruptException(message, cause)
        : new StadiumException("the import cannot be read: " + message, cause);
  }

  /** Loads entries as long as they belong to one table and are in one order. */
  private void load(String source) {
    Table table = store.table(name(source));
    if (!sums.containsKey(table.name())) {
      sums.put(table.name(), new ContentSum.Adder(table.name()));
      if (options.existing() == Existing.REPLACE) {
        table.clear();
      }
    }
    boolean sorted = ascending;
    table.load(new Run(source, table.name(), sorted), sorted);
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
      } catch (IOException | CorruptException e) {
        failure = e;
        ahead = null;
      }
    } while (ahead != null && !isWanted(ahead));
  }

  private boolean isWanted(Item item) {
    return isNamed(item, options)
        && (!options.skipOversized()
            || oversized.fits(item.table(), item.key(), item.value().length));
  }

  private static boolean isNamed(Item item, ImportOptions options) {
    return options.tables().isEmpty() || options.tables().containsKey(item.table());
  }

  /** The next entries, as long as they belong to one table and are in one order. */
  private final class Run implements Iterator<Entry> {
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
    public Entry next() {
      Item item = ahead;
      if (item == null || !hasNext()) {
        throw new NoSuchElementException("the run is at its end");
      }
      previous = item.key();
      sum.add(item.key(), item.value());
      bytes += (long) item.key().length + item.value().length;
      if (++entries % TOLD_EVERY == 0) {
        options
            .progress()
            .accept(new CopyProgress(CopyProgress.Step.COPY, source, entries, bytes, -1));
      }
      advance();
      return new Entry(item.key(), item.value());
    }
  }
}
