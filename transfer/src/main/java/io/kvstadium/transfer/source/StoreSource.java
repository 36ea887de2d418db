package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Item;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One table of a store, as it is while it is read. */
final class StoreSource implements EntrySource {
  private final StoreUrl url;
  private final Engines engines;
  private final @Nullable String asked;

  /**
   * Looks at nothing but the URL.
   *
   * @param columns only with a table
   */
  public StoreSource(String url, Columns columns, Engines engines) {
    this.url = StoreUrl.parse(url);
    this.engines = engines;
    this.asked = columns.table();
    engines.engine(this.url.engine()); // refuses unknown ones
    if (columns.key() != null || columns.value() != null) {
      throw new BadArgumentException(
          name() + " is a store, whose entries have keys and values: leave out --key and --value");
    }
  }

  @Override
  public String name() {
    return Passwords.masked(url.toString());
  }

  @Override
  public String format() {
    return url.engine();
  }

  @Override
  public boolean hasUniqueKeys() {
    return true;
  }

  @Override
  public SourceReader read() {
    boolean can = engines.engine(url.engine()).info().capabilities().contains(Capability.READ_ONLY);
    Store store =
        engines.open(url.toString(), OpenOptions.DEFAULT.createIfMissing(false).readOnly(can));
    try {
      return new Entries(store, table(store));
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private String table(Store store) {
    List<String> names = store.tables();
    if (asked != null) {
      if (!names.contains(asked)) {
        throw new BadArgumentException(
            name()
                + ": there is no table '"
                + asked
                + "'"
                + Nearest.hint(asked, names)
                + "; there are "
                + String.join(", ", names));
      }
      return asked;
    }
    List<String> filled = names.stream().filter(each -> hasEntries(store, each)).toList();
    if (filled.size() > 1) {
      throw new BadArgumentException(
          name() + ": which table? Give one of " + String.join(", ", filled) + " as --table");
    }
    return filled.isEmpty() ? Store.DEFAULT_TABLE : filled.getFirst();
  }

  private static boolean hasEntries(Store store, String table) {
    try (Cursor<byte[], byte[]> cursor =
        store.table(table).scan(Range.<byte[]>all().limit(1).keysOnly())) {
      return cursor.next();
    }
  }

  private record Entries(Store store, String table, Cursor<byte[], byte[]> cursor)
      implements SourceReader {
    Entries(Store store, String table) {
      this(store, table, store.table(table).scan(Range.all()));
    }

    @Override
    public @Nullable Item next() {
      return cursor.next() ? new Item(table, cursor.key(), cursor.value()) : null;
    }

    @Override
    public Map<String, String> describe() {
      return Map.of("key", "as in the table " + table);
    }

    @Override
    public void close() {
      cursor.close();
      store.close();
    }
  }
}
