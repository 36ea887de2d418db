package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.conformance.Operation.Bounds;
import io.kvstadium.conformance.Operation.Change;
import io.kvstadium.conformance.Operation.OnTable;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.EntryReader;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.internal.open.Stores;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A store together with the sorted maps that say what it must hold. What the store does not declare
 * is left out.
 */
final class ModelledStore implements AutoCloseable {
  /** Stands for a key of 70 bytes, to be readable. */
  static final String LONG_KEY = "long";

  private static final String SECOND = "second";

  private final Stage stage;
  private final String name;
  private final String url;
  private Store store;
  private List<NavigableMap<byte[], byte[]>> model = List.of(emptyMap(), emptyMap());
  private @Nullable Snapshot snapshot;
  private List<NavigableMap<byte[], byte[]>> snapshotModel = List.of();
  private @Nullable ModelledCursor cursor;
  private long step;
  private int written;

  ModelledStore(Stage stage, String name) {
    this.stage = stage;
    this.name = name;
    this.url = stage.url(name);
    this.store = Stadium.open(url);
  }

  private static NavigableMap<byte[], byte[]> emptyMap() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  private static List<NavigableMap<byte[], byte[]>> copy(
      List<NavigableMap<byte[], byte[]>> tables) {
    return List.of(new TreeMap<>(tables.get(0)), new TreeMap<>(tables.get(1)));
  }

  private boolean can(Capability capability) {
    return store.capabilities().contains(capability);
  }

  private int number(int table) {
    return can(Capability.TABLES) ? table : 0;
  }

  private Table<byte[], byte[]> table(int number) {
    return number(number) == 0 ? store.table() : store.table(SECOND);
  }

  private byte[] bytes(String key) {
    if (key.equals(LONG_KEY)) {
      return Bytes.filled(70, 0xff);
    }
    return HexFormat.of().parseHex(key.isEmpty() && !can(Capability.EMPTY_KEY) ? "00" : key);
  }

  /** The key of an entry that is loaded, in hexadecimal. */
  static String loadedKey(int number) {
    return "6c%04x".formatted(number);
  }

  private Range<byte[]> range(Bounds bounds) {
    Range<byte[]> range = Range.all();
    if (bounds.from() != null) {
      range = range.from(bytes(bounds.from()), bounds.fromInclusive());
    }
    if (bounds.to() != null) {
      range = range.to(bytes(bounds.to()), bounds.toInclusive());
    }
    return range;
  }

  void apply(Operation operation) {
    step++;
    written = 0;
    List<NavigableMap<byte[], byte[]>> before = cursor == null ? model : copy(model);
    switch (operation) {
      case OnTable part -> {
        if (!(part instanceof Change) || can(Capability.WRITE)) {
          apply(part, this::table, model);
        } else if (part instanceof Operation.Put put) {
          load(put.table(), List.of(bytes(put.key())), put.length(), false);
        }
      }
      case Operation.Batch(List<Change> changes) -> batch(changes);
      case Operation.Transact transact -> transact(transact);
      case Operation.BesideReader(List<Change> changes) -> besideReader(changes);
      case Operation.Load load -> load(load);
      case Operation.OpenCursor open -> openCursor(open);
      case Operation.Step(int steps) -> {
        if (cursor != null) {
          cursor.step(steps);
        }
      }
      case Operation.Seek(String key) -> {
        if (cursor != null && can(Capability.ORDERED_SCAN)) {
          cursor.seek(bytes(key));
        }
      }
      case Operation.TakeSnapshot() -> takeSnapshot();
      case Operation.CheckSnapshot() -> checkSnapshot();
      case Operation.Clear(int table) -> clear(table);
      case Operation.Drop() -> drop();
      case Operation.Compact() -> {
        try {
          assertThat(table(0).compact()).isEqualTo(can(Capability.COMPACT));
          assertThat(store.compact()).isEqualTo(can(Capability.COMPACT));
        } catch (ConflictException e) {
          if (snapshot == null && cursor == null) { // which may keep space from being reclaimed
            throw e;
          }
        }
        closeEndedSnapshot(); // one table may be compacted, and another not
      }
      case Operation.Reopen(boolean readOnly) -> reopen(readOnly);
      case Operation.Backup() -> backUp();
    }
    if (cursor != null) {
      cursor.note(before.get(cursor.table), model.get(cursor.table));
    }
  }

  // ---- writes and reads of a store or a transaction

  /** A value that no other write has, of this length if the store takes it. */
  private byte[] value(int length) {
    int size = Math.clamp(length, store.limits().minValueBytes(), store.limits().maxValueBytes());
    return Bytes.value(size, step * 1_000 + written++);
  }

  private void apply(
      OnTable operation,
      IntFunction<? extends Table<byte[], byte[]>> tables,
      List<NavigableMap<byte[], byte[]>> maps) {
    Table<byte[], byte[]> table = tables.apply(operation.table());
    NavigableMap<byte[], byte[]> map = maps.get(number(operation.table()));
    switch (operation) {
      case Operation.Put(_, String key, int length) -> put(table, map, bytes(key), value(length));
      case Operation.Delete(_, String key) -> {
        table.delete(bytes(key));
        map.remove(bytes(key));
      }
      case Operation.DeleteRange(_, Bounds bounds) -> {
        if (can(Capability.ORDERED_SCAN)) {
          int size = map.size();
          map.keySet().removeIf(range(bounds)::contains);
          assertThat(table.delete(range(bounds))).as("deleted").isEqualTo(size - map.size());
        }
      }
      case Operation.Get(_, String key, String other) -> {
        checkGet(table, map, bytes(key));
        checkAllOf(table, map, List.of(bytes(key), bytes(other), bytes(key)));
      }
      case Operation.Scan scan -> {
        Range<byte[]> range = range(scan.bounds()).limit(scan.limit());
        if (can(Capability.ORDERED_SCAN)) {
          checkScan(table, map, scan.reversed() ? range.reverse() : range, scan.inChunks());
        }
      }
      case Operation.Ends(_, Bounds bounds) -> checkEnds(table, map, range(bounds));
      case Operation.Walk walk -> walk(table, map, walk);
      case Operation.Count(_) -> {
        if (can(Capability.SCAN)) {
          assertThat(table.count()).as("count").isEqualTo(map.size());
        }
      }
    }
  }

  /** The arrays are the caller's again when the put has returned. */
  private static void put(
      Table<byte[], byte[]> table, NavigableMap<byte[], byte[]> map, byte[] key, byte[] value) {
    map.put(key.clone(), value.clone());
    table.put(key, value);
    Arrays.fill(key, (byte) 'x');
    Arrays.fill(value, (byte) 'x');
  }

  /** In every way; what is returned is the caller's to change. */
  private static void checkGet(
      TableReader<byte[], byte[]> table, NavigableMap<byte[], byte[]> map, byte[] key) {
    String expected = Bytes.text(map.get(key));
    byte[] found = table.get(key);
    assertThat(Bytes.text(found)).as("get %s", Bytes.text(key)).isEqualTo(expected);
    if (found != null) {
      Arrays.fill(found, (byte) 'x');
    }
    byte[] view = table.get(key, ModelledStore::copyOf);
    assertThat(Bytes.text(view)).as("zero-copy %s", Bytes.text(key)).isEqualTo(expected);
    assertThat(table.contains(key)).as("exists %s", Bytes.text(key)).isEqualTo(found != null);
    checkHead(table, key, map.get(key));
  }

  private static void checkHead(
      TableReader<byte[], byte[]> table, byte[] key, byte @Nullable [] value) {
    byte[] head = new byte[3];
    int length = table.head(key, head);
    byte[] expected = value == null ? new byte[3] : Arrays.copyOf(value, 3);
    assertThat(length)
        .as("length %s", Bytes.text(key))
        .isEqualTo(value == null ? -1 : value.length);
    assertThat(Bytes.text(head)).as("head %s", Bytes.text(key)).isEqualTo(Bytes.text(expected));
  }

  private static byte[] copyOf(MemorySegment view) {
    assertThat(view.isReadOnly()).as("a zero-copy value is read-only").isTrue();
    return view.toArray(ValueLayout.JAVA_BYTE);
  }

  private static void checkAllOf(
      TableReader<byte[], byte[]> table, NavigableMap<byte[], byte[]> map, List<byte[]> keys) {
    List<String> expected = keys.stream().map(key -> Bytes.text(map.get(key))).toList();
    assertThat(Bytes.texts(table.multiGet(keys))).as("multiGet").isEqualTo(expected);
  }

  private static List<String> expected(NavigableMap<byte[], byte[]> map, Range<byte[]> range) {
    List<String> expected = new ArrayList<>();
    (range.reversed() ? map.descendingMap() : map)
        .forEach((key, value) -> {
          if (range.contains(key) && expected.size() < range.limit()) {
            expected.add(Bytes.text(key) + "=" + Bytes.text(value));
          }
        });
    return expected;
  }

  private static void checkScan(
      TableReader<byte[], byte[]> table,
      NavigableMap<byte[], byte[]> map,
      Range<byte[]> range,
      boolean iterates) {
    List<String> found = new ArrayList<>();
    try (Cursor<byte[], byte[]> scan = table.scan(range)) {
      Iterator<Entry<byte[], byte[]>> rest = scan.iterator();
      while (iterates && rest.hasNext()) {
        Entry<byte[], byte[]> entry = rest.next();
        found.add(Bytes.text(entry.key()) + "=" + Bytes.text(entry.value()));
      }
      while (!iterates && scan.next()) {
        String value = Bytes.text(scan.value());
        assertThat(Bytes.text(scan.value(ModelledStore::copyOf))).as("zero-copy").isEqualTo(value);
        found.add(Bytes.text(scan.key()) + "=" + value);
        Arrays.fill(scan.key(), (byte) 'x');
        Arrays.fill(scan.value(), (byte) 'x');
      }
    }
    assertThat(found).as("scan").isEqualTo(expected(map, range));
    checkInPlace(table, map, range);
  }

  /** Ends the reader in the middle, and goes on. */
  private static void checkInPlace(
      TableReader<byte[], byte[]> table, NavigableMap<byte[], byte[]> map, Range<byte[]> range) {
    List<String> expected = expected(map, range);
    List<String> found = new ArrayList<>();
    int half = expected.size() / 2;
    try (Cursor<byte[], byte[]> scan = table.scan(range)) {
      EntryReader reader =
          (key, value) -> {
            found.add(Bytes.text(copyOf(key)) + "=" + Bytes.text(copyOf(value)));
            return found.size() != half;
          };
      long read = scan.readRemaining(reader);
      assertThat(read).as("entries read in place").isEqualTo(found.size());
      if (half > 0) {
        assertThat(Bytes.text(scan.key()) + "=" + Bytes.text(scan.value()))
            .as("where the reader ended")
            .isEqualTo(expected.get(half - 1));
        scan.readRemaining(reader);
      }
    }
    assertThat(found).as("scan in place").isEqualTo(expected);
  }

  private void checkEnds(
      TableReader<byte[], byte[]> table, NavigableMap<byte[], byte[]> map, Range<byte[]> range) {
    if (can(Capability.ORDERED_SCAN)) {
      assertThat(text(table.first(range))).as("first").isEqualTo(expected(map, range.limit(1)));
      assertThat(text(table.last(range)))
          .as("last")
          .isEqualTo(expected(map, range.limit(1).reverse()));
    }
  }

  private void walk(
      TableReader<byte[], byte[]> table, NavigableMap<byte[], byte[]> map, Operation.Walk walk) {
    if (!can(Capability.ORDERED_SCAN)) {
      return;
    }
    Range<byte[]> range = walk.reversed() ? range(walk.bounds()).reverse() : range(walk.bounds());
    try (ModelledCursor walker =
        new ModelledCursor(table.scan(range), walk.table(), range, map, true, true)) {
      walker.step(1);
      for (String key : walk.keys()) {
        walker.seek(bytes(key));
        walker.step(1);
      }
    }
  }

  private static List<String> text(@Nullable Entry<byte[], byte[]> entry) {
    return entry == null
        ? List.of()
        : List.of(Bytes.text(entry.key()) + "=" + Bytes.text(entry.value()));
  }

  // ---- groups

  private void batch(List<Change> changes) {
    if (!can(Capability.BATCH)) {
      return;
    }
    List<Table<byte[], byte[]>> tables = List.of(table(0), table(1));
    store.write(batch -> {
      for (Change change : changes) {
        Table<byte[], byte[]> table = tables.get(number(change.table()));
        NavigableMap<byte[], byte[]> map = model.get(number(change.table()));
        switch (change) {
          case Operation.Put(_, String key, int length) -> {
            byte[] value = value(length);
            batch.put(table, bytes(key), value);
            map.put(bytes(key), value);
          }
          case Operation.Delete(_, String key) -> {
            batch.delete(table, bytes(key));
            map.remove(bytes(key));
          }
          case Operation.DeleteRange(_, Bounds bounds) -> {
            if (can(Capability.RANGE_DELETE)) {
              batch.delete(table, range(bounds));
              map.keySet().removeIf(range(bounds)::contains);
            }
          }
        }
      }
    });
  }

  private void transact(Operation.Transact transact) {
    List<TransactionMode> modes =
        Arrays.stream(TransactionMode.values()).filter(mode -> can(mode.capability())).toList();
    if (modes.isEmpty()) {
      return;
    }
    List<Table<byte[], byte[]>> tables = List.of(table(0), table(1)); // made before, not inside
    TransactionOptions options =
        TransactionOptions.DEFAULT.mode(modes.get(transact.mode() % modes.size()));
    List<NavigableMap<byte[], byte[]>> after =
        store.transact(
            options,
            tx -> {
              List<NavigableMap<byte[], byte[]>> own = copy(model);
              IntFunction<Table<byte[], byte[]>> inside = number -> tx.on(tables.get(number));
              transact.parts().forEach(part -> apply(part, inside, own));
              checkAll(inside, own);
              if (!transact.commit()) {
                tx.rollback();
              }
              return own;
            });
    if (transact.commit()) {
      model = after;
    }
  }

  /** A reader must find, in order and once, what the writer leaves alone. */
  private void besideReader(List<Change> changes) {
    if (!can(Capability.ORDERED_SCAN) || !can(Capability.WRITE)) {
      return;
    }
    Table<byte[], byte[]> table = table(0);
    NavigableMap<byte[], byte[]> alone = new TreeMap<>(model.get(0));
    Set<byte[]> changed = new TreeSet<>(Arrays::compareUnsigned);
    for (Change change : changes) {
      switch (change) {
        case Operation.Put(_, String key, _) -> changed.add(bytes(key));
        case Operation.Delete(_, String key) -> changed.add(bytes(key));
        case Operation.DeleteRange(_, Bounds bounds) ->
            alone.keySet().stream().filter(range(bounds)::contains).forEach(changed::add);
      }
    }
    alone.keySet().removeAll(changed);
    Set<byte[]> possible = new TreeSet<>(alone.navigableKeySet());
    possible.addAll(changed);
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean passed = new AtomicBoolean();
    List<FutureTask<Void>> reader =
        TestThreads.start(
            1,
            _ -> {
              do {
                long begun = System.nanoTime();
                try {
                  checkBeside(table, alone, possible, changed);
                } finally {
                  passed.set(true);
                }
                LockSupport.parkNanos(System.nanoTime() - begun); // where writers wait for readers
              } while (!over.get());
            });
    try {
      // until the reader has seen some of it, on whatever processor it waited
      for (int i = 0; i < 3 || (i < 1000 && !passed.get()); i++) {
        changes.forEach(change -> apply(change, this::table, model));
      }
    } finally {
      over.set(true);
    }
    TestThreads.joinAll(reader);
  }

  private static void checkBeside(
      Table<byte[], byte[]> table,
      NavigableMap<byte[], byte[]> alone,
      Set<byte[]> possible,
      Set<byte[]> changed) {
    for (Range<byte[]> range : List.of(Range.<byte[]>all(), Range.<byte[]>all().reverse())) {
      List<String> order = new ArrayList<>(possible.stream().map(Bytes::text).toList());
      List<String> found = new ArrayList<>();
      try (Cursor<byte[], byte[]> scan = table.scan(range)) {
        while (scan.next()) {
          byte[] value = alone.get(scan.key());
          if (value != null) {
            found.add(Bytes.text(scan.key()));
            assertThat(Bytes.text(scan.value())).isEqualTo(Bytes.text(value));
          } else {
            assertThat(changed).as("keys that may be there").contains(scan.key());
          }
        }
      }
      order.removeIf(key -> !alone.containsKey(HexFormat.of().parseHex(key)));
      assertThat(found)
          .as("what nobody changes")
          .isEqualTo(range.reversed() ? order.reversed() : order);
    }
    for (byte[] bound : possible) { // found in several steps, between which others write
      Entry<byte[], byte[]> first = table.first(Range.<byte[]>all().from(bound, false));
      Entry<byte[], byte[]> last = table.last(Range.<byte[]>all().to(bound, false));
      assertThat(first == null || Arrays.compareUnsigned(first.key(), bound) > 0)
          .as("first() after %s", Bytes.text(bound))
          .isTrue();
      assertThat(last == null || Arrays.compareUnsigned(last.key(), bound) < 0)
          .as("last() before %s", Bytes.text(bound))
          .isTrue();
    }
  }

  private void load(Operation.Load load) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < load.count(); i++) {
      keys.add(bytes(loadedKey(load.first() + i * load.stride())));
    }
    if (!load.sorted()) {
      keys.addAll(keys.subList(0, keys.size() / 2)); // the last of several holds
      Collections.shuffle(keys, new Random(load.first()));
    }
    load(load.table(), keys, 1 + load.first() % 50, load.sorted());
  }

  private void load(int table, List<byte[]> keys, int length, boolean sorted) {
    List<Entry<byte[], byte[]>> entries =
        keys.stream().map(key -> new Entry<>(key, value(length))).toList();
    assertThat(table(table).bulkLoad(entries.iterator(), sorted)).isEqualTo(keys.size());
    entries.forEach(entry -> model.get(number(table)).put(entry.key(), entry.value()));
  }

  // ---- handles, and the store as a whole

  private void openCursor(Operation.OpenCursor open) {
    closeCursor();
    Snapshot of = open.ofSnapshot() ? snapshot : null;
    if (!can(Capability.ORDERED_SCAN) || (open.ofSnapshot() && of == null)) {
      return;
    }
    Range<byte[]> range = open.reversed() ? range(open.bounds()).reverse() : range(open.bounds());
    Table<byte[], byte[]> table = table(open.table());
    cursor =
        new ModelledCursor(
            (of == null ? table : of.on(table)).scan(range),
            number(open.table()),
            range,
            (of == null ? model : snapshotModel).get(number(open.table())),
            can(Capability.SNAPSHOT),
            of != null);
  }

  private void closeCursor() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
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

  /** A compaction may end older snapshots, if they say so. */
  private void closeEndedSnapshot() {
    try {
      checkSnapshot();
    } catch (ConflictException e) {
      closeSnapshot();
    }
  }

  private void closeSnapshot() {
    closeCursor(); // which may be its
    if (snapshot != null) {
      snapshot.close();
      snapshot = null;
    }
  }

  private void clear(int table) {
    if (can(Capability.SCAN) && can(Capability.WRITE)) {
      table(table).clear();
      model.get(number(table)).clear();
    }
  }

  private void drop() {
    if (can(Capability.TABLES)) {
      closeSnapshot(); // what it still shows of a dropped table is undefined
      store.dropTable(SECOND);
      assertThat(store.tables()).containsExactly(Store.DEFAULT_TABLE);
      model.get(1).clear();
    }
  }

  private void reopen(boolean readOnly) {
    if (!can(Capability.PERSISTENT)) {
      return;
    }
    closeSnapshot();
    List<String> tables = store.tables();
    store.close();
    if (readOnly && store.engine().capabilities().contains(Capability.READ_ONLY)) {
      store = Stadium.open(url, OpenOptions.DEFAULT.readOnly(true));
      checkAll(
          table -> table(store.tables().contains(SECOND) ? table : 0),
          store.tables().contains(SECOND) ? model : List.of(model.get(0), model.get(0)));
      byte[] key = bytes("61");
      assertThatThrownBy(() -> store.table().put(key, key)).isInstanceOf(StadiumException.class);
      store.close();
    }
    store = Stadium.open(url);
    assertThat(store.tables()).isEqualTo(tables);
  }

  /** A copy of the files is a store like any other. */
  private void backUp() {
    if (!can(Capability.BACKUP)) {
      return;
    }
    Path place = stage.path().resolveSibling(name + "-copy");
    String copy = stage.url(name + "-copy");
    if (!Stores.copyFiles(store, new FileCopy(place))) {
      return;
    }
    try (Store other = Stadium.open(copy)) {
      checkEntries(other.table(), model.get(0));
      if (other.tables().contains(SECOND)) {
        checkEntries(other.table(SECOND), model.get(1));
      } else {
        assertThat(model.get(1)).isEmpty();
      }
      if (can(Capability.WRITE)) {
        other.table().put(bytes("61"), value(20));
      }
    }
    Stadium.destroy(copy);
  }

  // ---- everything

  /** Compares everything. */
  void check() {
    checkAll(this::table, model);
    checkSnapshot();
  }

  private void checkAll(
      IntFunction<? extends TableReader<byte[], byte[]>> tables,
      List<NavigableMap<byte[], byte[]>> expected) {
    for (int table = 0; table <= number(1); table++) {
      checkEntries(tables.apply(table), expected.get(table));
    }
  }

  private void checkEntries(TableReader<byte[], byte[]> reader, NavigableMap<byte[], byte[]> map) {
    if (can(Capability.ORDERED_SCAN)) {
      checkScan(reader, map, Range.all(), false);
      checkScan(reader, map, Range.<byte[]>all().reverse(), true);
    } else if (can(Capability.SCAN)) {
      assertThat(Bytes.entries(reader))
          .containsExactlyInAnyOrderElementsOf(expected(map, Range.all()));
    }
    map.keySet().forEach(key -> checkGet(reader, map, key));
  }

  @Override
  public void close() {
    closeSnapshot();
    store.close();
  }
}
