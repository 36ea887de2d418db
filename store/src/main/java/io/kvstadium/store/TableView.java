package io.kvstadium.store;

import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineReader;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.EngineWriter;
import io.kvstadium.store.spi.Gate;
import io.kvstadium.store.spi.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A table as seen by its store, a snapshot or a transaction: guards, checks, then the engine. */
final class TableView<T extends EngineTable> implements Table {
  private static final int CLEAR_CHUNK = 1_000;

  private final TableHandle<T> handle;
  private final Access access;
  private final EngineReader<T> reader;
  private final @Nullable EngineWriter<T> writer;
  private final Set<Handle> cursors;

  @SuppressWarnings("unused") // kept so that a snapshot is not lost while a table of it is in use
  private final Object owner;

  private final int maxKey;
  private final int minKey;
  private final int maxValue;
  private final int minValue;

  /**
   * @param writer {@code null} if this view is read-only
   * @param cursors the set of live handles that this view's cursors join
   * @param owner the store, snapshot or transaction that this view is of
   */
  TableView(
      TableHandle<T> handle,
      Access access,
      EngineReader<T> reader,
      @Nullable EngineWriter<T> writer,
      Set<Handle> cursors,
      Object owner) {
    this.handle = handle;
    this.access = access;
    this.reader = reader;
    this.writer = writer;
    this.cursors = cursors;
    this.owner = owner;
    Limits limits = handle.store().limits();
    this.maxKey = limits.maxKeyBytes();
    this.maxValue = limits.maxValueBytes();
    this.minValue = limits.minValueBytes();
    this.minKey = handle.store().capabilities().contains(Capability.EMPTY_KEY) ? 0 : 1;
  }

  TableHandle<T> handle() {
    return handle;
  }

  @Override
  public String name() {
    return handle.name();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      return reader.get(handle.engineTable(), key);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public byte[] getOrDefault(byte[] key, byte[] fallback) {
    byte[] value = get(key);
    return value == null ? fallback : value;
  }

  @Override
  public <R> @Nullable R get(byte[] key, ValueReader<R> valueReader) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      return reader.get(handle.engineTable(), key, valueReader);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    return getAll(checked(keys));
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    if (parallelism < 1) {
      throw new BadArgumentException(
          this + ": getAll by " + parallelism + " threads cannot be: ask for 1 or more");
    }
    byte[][] array = checked(keys);
    int readers = ParallelGet.readers(array.length, parallelism);
    // other threads would wait for what the calling one holds while it waits for them
    if (readers < 2 || !access.isShared() || handle.store().isInside()) {
      return getAll(array);
    }
    return Arrays.asList(
        new ParallelGet<>(handle, access, reader, handle.store().readPool(), array, readers).run());
  }

  private byte[][] checked(List<byte[]> keys) {
    byte[][] array = keys.toArray(byte[][]::new);
    for (byte[] key : array) {
      checkKey(key);
    }
    return array;
  }

  private List<byte @Nullable []> getAll(byte[][] keys) {
    Gate.Pass pass = access.enter();
    try {
      return Arrays.asList(reader.getAll(handle.engineTable(), keys));
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public boolean exists(byte[] key) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      return reader.exists(handle.engineTable(), key);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public boolean mayExist(byte[] key) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      return reader.mayExist(handle.engineTable(), key);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    checkKey(key);
    checkValue(value);
    Gate.Pass pass = access.enter();
    try {
      writer().put(handle.engineTable(), key, value);
    } catch (StoreIoException e) {
      throw handle.store().poison(e);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void delete(byte[] key) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      writer().delete(handle.engineTable(), key);
    } catch (StoreIoException e) {
      throw handle.store().poison(e);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public Cursor scan(Range range) {
    boolean whole = range.from() == null && range.to() == null && !range.reversed();
    handle.store().require(whole ? Capability.SCAN : Capability.ORDERED_SCAN);
    Gate.Pass pass = access.enter();
    try {
      T table = handle.engineTable();
      if (range.isEmpty()) {
        return new CursorView(handle.store().newCursor(handle, access, null, cursors), null, range);
      }
      EngineCursor cursor = reader.cursor(table, range);
      return new CursorView(
          handle.store().newCursor(handle, access, cursor, cursors), cursor, range);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public long count() {
    Gate.Pass pass = access.enter();
    try {
      // only the store's own view: an engine's count knows nothing of transactions and snapshots
      long known = isOfStore() ? handle.store().engineStore().count(handle.engineTable()) : -1;
      if (known >= 0) {
        return known;
      }
    } finally {
      access.exit(pass);
    }
    long count = 0;
    try (Cursor cursor = scan(Range.all().keysOnly())) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public long estimateCount() {
    handle.store().require(Capability.ESTIMATED_COUNT);
    OpenStore<T> store = onlyOutside("estimateCount");
    Gate.Pass pass = access.enter();
    try {
      return store.engineStore().estimateCount(handle.engineTable());
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public long load(Iterator<Entry> entries, boolean sorted) {
    OpenStore<T> store = onlyOutside("load");
    store.checkLoad();
    Load<T> load = new Load<>(this, entries, sorted);
    return store.inBlock(
        "load",
        () -> {
          Gate.Pass pass = access.enter();
          try {
            return load.into(store, handle.engineTable());
          } catch (StoreIoException e) {
            throw store.poison(e);
          } finally {
            access.exit(pass);
          }
        });
  }

  @Override
  public void clear() {
    writer();
    if (isOfStore()) {
      Gate.Pass pass = access.enter();
      try {
        if (handle.store().engineStore().clear(handle.engineTable())) {
          return;
        }
      } catch (StoreIoException e) {
        throw handle.store().poison(e);
      } finally {
        access.exit(pass);
      }
    }
    List<byte[]> chunk = new ArrayList<>();
    do {
      chunk.clear();
      try (Cursor cursor = scan(Range.all().keysOnly().limit(CLEAR_CHUNK))) {
        while (cursor.next()) {
          chunk.add(cursor.key());
        }
      }
      chunk.forEach(this::delete);
    } while (!chunk.isEmpty());
  }

  @Override
  public void compact() {
    handle.store().require(Capability.COMPACT);
    writer();
    OpenStore<T> store = onlyOutside("compact");
    Gate.Pass pass = access.enter();
    try {
      store.engineStore().compact(handle.engineTable());
    } catch (StoreIoException e) {
      throw store.poison(e);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public String toString() {
    return "table " + name() + " of " + handle.store().url();
  }

  /** Refuses keys that the engine cannot hold. */
  void checkKey(byte[] key) {
    if (key.length > maxKey || key.length < minKey) {
      throw new BadArgumentException(
          this
              + ": a key has "
              + key.length
              + " bytes, but engine "
              + handle.store().engine().name()
              + " takes keys of "
              + minKey
              + " to "
              + maxKey
              + " bytes here");
    }
  }

  /** Refuses values that the engine cannot hold. */
  void checkValue(byte[] value) {
    if (value.length > maxValue || value.length < minValue) {
      throw new BadArgumentException(
          this
              + ": a value has "
              + value.length
              + " bytes, but engine "
              + handle.store().engine().name()
              + " takes values of "
              + minValue
              + " to "
              + maxValue
              + " bytes here");
    }
  }

  /** Whether this is the store's own view, not one of a snapshot or a transaction. */
  @SuppressWarnings("ReferenceEquality") // a reader is its identity
  private boolean isOfStore() {
    return reader == handle.store().engineStore();
  }

  @SuppressWarnings("NullAway") // refuseWrite does not return
  private EngineWriter<T> writer() {
    if (writer == null) {
      handle.store().refuseWrite(toString());
    }
    return writer;
  }

  private OpenStore<T> onlyOutside(String call) {
    OpenStore<T> store = handle.store();
    if (!isOfStore()) {
      throw new UnsupportedException(
          this + ": " + call + " is not to be had inside a transaction or snapshot");
    }
    return store;
  }
}
