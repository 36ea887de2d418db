package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TableWriter;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store together with the sorted maps that say what it must hold. What the store does not declare
 * is left out.
 */
final class ModelledStore implements AutoCloseable {
  private final Supplier<Store> opener;
  private Store store;
  private List<NavigableMap<byte[], byte[]>> model = List.of(emptyMap(), emptyMap());
  private @Nullable Snapshot snapshot;
  private List<NavigableMap<byte[], byte[]>> snapshotModel = List.of();
  private long step;

  ModelledStore(Supplier<Store> opener) {
    this.opener = opener;
    this.store = opener.get();
  }

  private static NavigableMap<byte[], byte[]> emptyMap() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  private static List<NavigableMap<byte[], byte[]>> copy(
      List<NavigableMap<byte[], byte[]>> tables) {
    List<NavigableMap<byte[], byte[]>> copies = new ArrayList<>();
    for (NavigableMap<byte[], byte[]> table : tables) {
      NavigableMap<byte[], byte[]> copy = emptyMap();
      copy.putAll(table);
      copies.add(copy);
    }
    return copies;
  }

  private boolean can(Capability capability) {
    return store.capabilities().contains(capability);
  }

  private int number(int table) {
    return can(Capability.TABLES) ? table : 0;
  }

  private Table table(int number) {
    return number(number) == 0 ? store.table() : store.table("second");
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  void apply(Operation operation) {
    step++;
    switch (operation) {
      case Operation.Change change -> {
        if (can(Capability.WRITE)) {
          change(change, table -> table(table), model);
        } else {
          load(List.of(change));
        }
      }
      case Operation.Get(int table, String key) -> checkGet(table(table), map(table), bytes(key));
      case Operation.Batch(List<Operation.Change> changes) -> batch(changes);
      case Operation.Transact transact -> transact(transact);
      case Operation.Scan scan -> checkScan(scan);
      case Operation.TakeSnapshot() -> takeSnapshot();
      case Operation.CheckSnapshot() -> checkSnapshot();
      case Operation.Clear(int table) -> clear(table);
      case Operation.DropSecond() -> dropSecond();
      case Operation.Reopen() -> reopen();
    }
  }

  private NavigableMap<byte[], byte[]> map(int table) {
    return model.get(number(table));
  }

  private void change(
      Operation.Change change,
      Function<Integer, ? extends TableWriter> target,
      List<NavigableMap<byte[], byte[]>> tables) {
    switch (change) {
      case Operation.Put(int table, String key, int length) -> {
        byte[] value = value(length, tables.get(number(table)).size());
        target.apply(table).put(bytes(key), value);
        tables.get(number(table)).put(bytes(key), value);
      }
      case Operation.Delete(int table, String key) -> {
        target.apply(table).delete(bytes(key));
        tables.get(number(table)).remove(bytes(key));
      }
    }
  }

  /** A unique value, of this length if the store takes it. */
  private byte[] value(int length, int number) {
    int least = store.limits().minValueBytes();
    return Bytes.value(Math.max(length, least), step * 1_000 + number);
  }

  /** Puts as loads, for a store that has nothing else; deletes are left out. */
  private void load(List<Operation.Change> changes) {
    for (int table = 0; table <= 1; table++) {
      List<Entry> entries = new ArrayList<>();
      for (Operation.Change change : changes) {
        if (change instanceof Operation.Put put && put.table() == table) {
          byte[] key = bytes(put.key());
          byte[] value = value(put.length(), entries.size());
          entries.add(new Entry(key, value));
          map(table).put(key, value);
        }
      }
      table(table).load(entries.iterator(), false);
    }
  }

  private void batch(List<Operation.Change> changes) {
    if (!can(Capability.WRITE)) {
      load(changes);
    } else if (can(Capability.BATCH)) {
      store.write(
          batch -> changes.forEach(each -> change(each, table -> batch.on(table(table)), model)));
    }
  }

  private void transact(Operation.Transact transact) {
    List<TransactionMode> modes =
        Arrays.stream(TransactionMode.values()).filter(mode -> can(mode.capability())).toList();
    if (modes.isEmpty()) {
      return;
    }
    List<Table> tables = List.of(table(0), table(1)); // made before, not inside
    TransactionOptions options =
        TransactionOptions.DEFAULT.mode(modes.get(transact.mode() % modes.size()));
    List<NavigableMap<byte[], byte[]>> after =
        store.transact(
            options,
            tx -> {
              List<NavigableMap<byte[], byte[]>> own = copy(model);
              for (Operation.Change each : transact.changes()) {
                change(each, table -> tx.on(tables.get(table)), own);
              }
              checkAll(table -> tx.on(tables.get(table)), own);
              if (!transact.commit()) {
                tx.rollback();
              }
              return own;
            });
    if (transact.commit()) {
      model = after;
    }
  }

  private void takeSnapshot() {
    if (can(Capability.SNAPSHOT)) {
      closeSnapshot();
      snapshot = store.snapshot();
      snapshotModel = copy(model);
    }
  }

  private void checkSnapshot() {
    Snapshot open = snapshot;
    if (open != null) {
      checkAll(table -> open.on(table(table)), snapshotModel);
    }
  }

  private void closeSnapshot() {
    if (snapshot != null) {
      snapshot.close();
      snapshot = null;
    }
  }

  private void clear(int table) {
    if (can(Capability.SCAN) && can(Capability.WRITE)) {
      table(table).clear();
      map(table).clear();
    }
  }

  private void dropSecond() {
    if (can(Capability.TABLES)) {
      closeSnapshot(); // what it still shows of a dropped table is undefined
      store.dropTable("second");
      model.get(1).clear();
    }
  }

  private void reopen() {
    if (can(Capability.PERSISTENT)) {
      closeSnapshot();
      store.close();
      store = opener.get();
    }
  }

  /** Compares everything. */
  void check() {
    checkAll(this::table, model);
    checkSnapshot();
  }

  private void checkAll(
      Function<Integer, ? extends TableReader> tables,
      List<NavigableMap<byte[], byte[]>> expected) {
    for (int table = 0; table <= number(1); table++) {
      TableReader reader = tables.apply(table);
      NavigableMap<byte[], byte[]> map = expected.get(table);
      if (can(Capability.ORDERED_SCAN)) {
        assertThat(Bytes.entries(reader)).isEqualTo(entries(map));
        assertThat(Bytes.entries(reader, Range.all().reverse()))
            .isEqualTo(entries(map.descendingMap()));
      } else if (can(Capability.SCAN)) {
        assertThat(Bytes.entries(reader)).containsExactlyInAnyOrderElementsOf(entries(map));
      }
      map.keySet().forEach(key -> checkGet(reader, map, key));
    }
  }

  private static List<String> entries(NavigableMap<byte[], byte[]> map) {
    List<String> entries = new ArrayList<>();
    map.forEach((key, value) -> entries.add(Bytes.text(key) + "=" + Bytes.text(value)));
    return entries;
  }

  private static void checkGet(TableReader table, NavigableMap<byte[], byte[]> map, byte[] key) {
    assertThat(Bytes.text(table.get(key)))
        .as("get %s", Bytes.text(key))
        .isEqualTo(Bytes.text(map.get(key)));
    assertThat(table.exists(key)).isEqualTo(map.containsKey(key));
  }

  private void checkScan(Operation.Scan scan) {
    if (!can(Capability.ORDERED_SCAN)) {
      return;
    }
    Range range = Range.all().limit(scan.limit());
    if (scan.from() != null) {
      range = range.from(bytes(scan.from()), (scan.flags() & 1) != 0);
    }
    if (scan.to() != null) {
      range = range.to(bytes(scan.to()), (scan.flags() & 2) != 0);
    }
    NavigableMap<byte[], byte[]> all = map(scan.table());
    if ((scan.flags() & 4) != 0) {
      range = range.reverse();
      all = all.descendingMap();
    }
    List<String> expected = new ArrayList<>();
    for (byte[] key : all.keySet()) {
      if (range.contains(key) && expected.size() < range.limit()) {
        expected.add(Bytes.text(key));
      }
    }
    assertThat(Bytes.keys(table(scan.table()), range)).as("%s", scan).isEqualTo(expected);
  }

  @Override
  public void close() {
    closeSnapshot();
    store.close();
  }
}
