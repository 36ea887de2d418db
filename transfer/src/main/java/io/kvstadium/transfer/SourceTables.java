package io.kvstadium.transfer;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.help.Retry;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.store.internal.open.Stores;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The tables of a store that are copied or exported. */
public final class SourceTables {
  /** How often tables may change while a snapshot is taken. */
  private SourceTables() {}

  /**
   * Returns the requested tables, each with its new name, or all tables if none is requested.
   *
   * @throws BadArgumentException if there is no such table, or all are requested and some of what
   *     the store holds cannot be read
   */
  public static Map<String, String> select(Store store, Map<String, String> asked) {
    List<String> present = store.tables();
    Map<String, String> unreadable = Stores.unreadable(store);
    Map<String, String> selected = new LinkedHashMap<>(asked);
    if (selected.isEmpty()) {
      if (!unreadable.isEmpty()) {
        Map.Entry<String, String> first = unreadable.entrySet().iterator().next();
        throw new BadArgumentException(
            "%s holds %s that cannot be read as entries: %s: %s; name the tables that you mean (--table); there are: %s"
                .formatted(
                    store.url(),
                    unreadable.size() == 1 ? "a table" : unreadable.size() + " tables",
                    first.getKey(),
                    first.getValue(),
                    String.join(", ", present)));
      }
      present.forEach(name -> selected.put(name, name));
    }
    for (String name : selected.keySet()) {
      if (!present.contains(name)) {
        String why = unreadable.get(name);
        throw new BadArgumentException(
            store.url()
                + (why == null
                    ? ": there is no table '" + name + "'" + Nearest.hint(name, present)
                    : ": table " + name + " cannot be read as entries: " + why)
                + "; there are: "
                + String.join(", ", present));
      }
    }
    return selected;
  }

  /**
   * Runs a block on one state of a store: a snapshot, or a store that is open read-only and that
   * nobody else can write to meanwhile. The store's tables are those of the same moment.
   *
   * @param live whether to read even a store that has neither, while others may write to it
   * @throws UnsupportedException if it has neither, and {@code live} is not set
   */
  static <R> R readOneState(Store store, boolean live, Function<State, R> block) {
    boolean writable = mayBeWritten(store);
    if (!live
        && !store.capabilities().contains(Capability.SNAPSHOT)
        && (writable || store.capabilities().contains(Capability.CONCURRENT_READ_ONLY))) {
      throw new UnsupportedException(
          store.url()
              + ": engine "
              + store.engine().name()
              + " has no snapshots here, so that what others write meanwhile may be read in part: "
              + (writable ? "open the store with read_only=true, or " : "")
              + "accept that (live)");
    }
    if (!store.capabilities().contains(Capability.SNAPSHOT)) {
      return block.apply(table -> table);
    }
    Retry retry = new Retry(Retry.USUAL);
    do {
      List<String> tables = store.tables();
      try (Snapshot snapshot = store.snapshot()) {
        if (store.tables().equals(tables)) {
          return block.apply(snapshot::on);
        }
      }
    } while (retry.again());
    throw new StadiumException(
        "%s: tables were created or dropped during each of %s: try again"
            .formatted(store.url(), retry));
  }

  /** One state of a store. */
  @FunctionalInterface
  public interface State {
    TableReader<byte[], byte[]> on(Table<byte[], byte[]> table);
  }

  static boolean mayBeWritten(Store store) {
    return store.capabilities().contains(Capability.WRITE)
        || store.capabilities().contains(Capability.BULK_LOAD);
  }

  /** Roughly how many entries the tables have, or -1 if that is unknown. */
  static long estimate(Store store, Map<String, String> tables, boolean whole) {
    return whole && store.capabilities().contains(Capability.ESTIMATED_COUNT)
        ? tables.keySet().stream().mapToLong(name -> store.table(name).estimateCount()).sum()
        : -1;
  }
}
