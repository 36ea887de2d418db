package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineWriter;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Write;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A table as seen by its store, a snapshot or a transaction: guards, checks, then the engine. */
public final class TableView<T extends EngineTable> implements Table, Callee {
  private final TableHandle<T> handle;
  private final Access access;
  private final EngineReader<T> reader;
  private final @Nullable EngineWriter<T> writer;
  private final Set<Handle> cursors;

  /** Also kept so that a snapshot is not lost while a table of it is in use. */
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
  public TableView(
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

  public TableHandle<T> handle() {
    return handle;
  }

  /** The store's own view without its listener, for what the library does unasked. */
  TableView<T> unlistened() {
    OpenStore<T> store = handle.store();
    EngineStore<T> engineStore = store.unlistened();
    return new TableView<>(handle, access, engineStore, store.writer(engineStore), cursors, owner);
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
    } catch (Throwable e) {
      throw access.failed(e, false);
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
    Lending<R> lending = new Lending<>(Arguments.given(this, "value reader", valueReader));
    Gate.Pass pass = access.enter();
    try {
      return reader.get(handle.engineTable(), key, lending);
    } catch (Throwable e) {
      throw lending.failed(e, access);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    byte[][] array = Arguments.given(this, "list of keys", keys).toArray(byte[][]::new);
    for (byte[] key : array) {
      checkKey(key);
    }
    return access.read(() -> Arrays.asList(reader.getAll(handle.engineTable(), array)));
  }

  @Override
  public boolean exists(byte[] key) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      return reader.exists(handle.engineTable(), key);
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    checkKey(key);
    checkValue(value);
    EngineWriter<T> target = writer("put");
    Gate.Pass pass = access.enter();
    try {
      target.put(handle.engineTable(), key, value);
    } catch (Throwable e) {
      throw access.failed(e, true);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void delete(byte[] key) {
    checkKey(key);
    EngineWriter<T> target = writer("delete");
    Gate.Pass pass = access.enter();
    try {
      target.delete(handle.engineTable(), key);
    } catch (Throwable e) {
      throw access.failed(e, true);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public boolean putIfAbsent(byte[] key, byte[] value) {
    return ConditionalWrites.putIfAbsent(this, key, value);
  }

  @Override
  public boolean replace(byte[] key, byte[] expected, byte[] value) {
    return ConditionalWrites.replace(this, key, expected, value);
  }

  @Override
  public byte @Nullable [] update(byte[] key, UnaryOperator<byte @Nullable []> function) {
    return ConditionalWrites.update(this, key, function);
  }

  @Override
  public long add(byte[] key, long delta) {
    return ConditionalWrites.add(this, key, delta);
  }

  /** Takes a step so that nobody else writes the entry between its reading and its writing. */
  <R> R atomically(String call, byte[] key, ConditionalWrites.Step<R> step) {
    writer(call);
    return isOfStore()
        ? handle.store().atomically(call, this, key, step)
        : ConditionalWrites.take(this, key, step);
  }

  /**
   * Runs what calls back into the application. Inside a transaction the thread is in a block
   * already, unless another thread got hold of it.
   */
  <R extends @Nullable Object> R inBlock(String call, Supplier<R> block) {
    writer(call);
    OpenStore<T> store = handle.store();
    try {
      return isOfStore() || !store.isInside() ? store.inBlock(call, block) : block.get();
    } catch (Throwable e) {
      access.callFailed(e);
      throw e;
    }
  }

  @Override
  public Cursor scan(Range range) {
    Arguments.given(this, "range", range);
    requireScan(range.from() != null || range.to() != null || range.reversed());
    Gate.Pass pass = access.enter();
    try {
      handle.engineTable(); // throws if it was dropped
      CursorSource source = range.isEmpty() ? null : new CursorSource(this::cursor, range);
      return new CursorView(
          handle.store().newCursor(handle, access, source, cursors),
          source,
          range,
          handle.store().capabilities().contains(Capability.SNAPSHOT),
          handle.isOrdered());
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      access.exit(pass);
    }
  }

  /** Refuses scans where there are none, or none in the order of the keys. */
  void requireScan(boolean inOrder) {
    try {
      handle.store().require(inOrder ? Capability.ORDERED_SCAN : Capability.SCAN);
      if (inOrder) {
        handle.requireOrder();
      }
    } catch (StadiumException e) {
      throw refused(e);
    }
  }

  private EngineCursor cursor(Range range) throws Exception {
    if (range.from() != null || range.to() != null) {
      requireScan(true);
    }
    return reader.cursor(handle.engineTable(), range);
  }

  @Override
  public @Nullable Entry first(Range range) {
    return end(range, false);
  }

  @Override
  public @Nullable Entry last(Range range) {
    return end(range, true);
  }

  private @Nullable Entry end(Range range, boolean upper) {
    Arguments.given(this, "range", range);
    requireScan(true);
    Range one =
        new Range(
            range.from(), range.fromInclusive(), range.to(), range.toInclusive(), upper, 1, false);
    try (Cursor cursor = scan(one)) {
      Entry[] found = new Entry[1];
      return cursor.nextChunk(found) == 0 ? null : found[0];
    }
  }

  @Override
  public long count() {
    // only the latest state: an engine's count knows nothing about transactions and snapshots
    EngineStore<T> latest = handle.store().engineStore();
    long known = access.read(() -> reader.equals(latest) ? latest.count(handle.engineTable()) : -1);
    return known >= 0 ? known : walk(Range.all());
  }

  @Override
  public long count(Range range) {
    Arguments.given(this, "range", range);
    boolean whole = range.from() == null && range.to() == null && range.limit() == Long.MAX_VALUE;
    return whole ? count() : walk(range);
  }

  private long walk(Range range) {
    long count = 0;
    try (Cursor cursor = scan(range.keysOnly())) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public long estimateCount() {
    OpenStore<T> store = onlyOutside("estimateCount");
    store.require(Capability.ESTIMATED_COUNT);
    return access.read(() -> store.engineStore().estimateCount(handle.engineTable()));
  }

  @Override
  public long load(Iterator<Entry> entries, boolean sorted) {
    Arguments.given(this, "iterator of entries", entries);
    OpenStore<T> store = onlyOutside("load");
    store.checkLoad();
    Load<T> load = new Load<>(this, entries, sorted);
    return store.inBlock(
        "load",
        () -> {
          Gate.Pass pass = access.enter();
          try {
            return load.into(store, handle.engineTable());
          } catch (Throwable e) {
            throw load.failed(e, failure -> access.failed(failure, true));
          } finally {
            access.exit(pass);
          }
        });
  }

  @Override
  public void clear() {
    writer("clear");
    OpenStore<T> store = handle.store();
    boolean cleared =
        isOfStore()
            && access.write(
                () -> store.writeAny(() -> store.engineStore().clear(handle.engineTable())));
    if (!cleared) {
      RangeDelete.inChunks(this, Range.all().keysOnly());
    }
  }

  @Override
  public long delete(Range range) {
    Arguments.given(this, "range", range);
    writer("delete");
    Range bounds = RangeDelete.bounds(this, range);
    OpenStore<T> store = handle.store();
    if (bounds.isEmpty()) {
      return 0;
    }
    if (!isOfStore() || !store.capabilities().contains(Capability.RANGE_DELETE)) {
      return RangeDelete.inChunks(this, bounds);
    }
    return access.write(
        () -> store.writeAny(() -> store.engineStore().delete(handle.engineTable(), bounds)));
  }

  /** Deletes several entries: in one batch, if there are batches and this is the store's view. */
  void deleteAll(List<byte[]> keys) {
    OpenStore<T> store = handle.store();
    if (!isOfStore() || !store.capabilities().contains(Capability.BATCH) || keys.isEmpty()) {
      keys.forEach(this::delete);
      return;
    }
    access.write(() -> {
      T table = handle.engineTable();
      return store.writeBatch(keys.stream().map(key -> new Write<>(table, key, null)).toList());
    });
  }

  @Override
  public boolean compact() {
    OpenStore<T> store = onlyOutside("compact");
    store.checkWritable();
    return access.write(() -> {
      T table = handle.engineTable();
      boolean compacts = store.capabilities().contains(Capability.COMPACT);
      if (compacts) {
        store.engineStore().compact(table);
      }
      return compacts;
    });
  }

  @Override
  public String toString() {
    return "table " + name() + " of " + handle.store().url();
  }

  /** Refuses keys that the engine cannot hold. */
  void checkKey(byte[] key) {
    if (key == null) {
      throw isNull("key");
    }
    if (key.length > maxKey || key.length < minKey) {
      throw wrongSize("key", key.length, minKey, maxKey);
    }
  }

  /** Refuses values that the engine cannot hold. */
  void checkValue(byte[] value) {
    if (value == null) {
      throw isNull("value");
    }
    if (value.length > maxValue || value.length < minValue) {
      throw wrongSize("value", value.length, minValue, maxValue);
    }
  }

  private BadArgumentException wrongSize(String what, int length, int least, int most) {
    return refused(
        new BadArgumentException(
            "%s: a %s has %d bytes, but engine %s takes %ss of %d to %d bytes here"
                .formatted(this, what, length, handle.store().engine().name(), what, least, most)));
  }

  BadArgumentException isNull(String what) {
    return refused(
        new BadArgumentException(this + ": the " + what + " is null: give a byte array"));
  }

  @Override
  public void callFailed(Throwable failure) {
    access.callFailed(failure);
  }

  private <E extends RuntimeException> E refused(E refusal) {
    return Callee.failed(this, refusal);
  }

  /** Whether this is the store's own view, not one of a snapshot, a transaction or a block. */
  @SuppressWarnings("ReferenceEquality") // a store is its identity
  boolean isOfStore() {
    return owner == handle.store();
  }

  @SuppressWarnings("NullAway") // refuseWrite does not return
  private EngineWriter<T> writer(String call) {
    try {
      if (writer == null) {
        handle.store().refuseWrite(toString());
      }
      if (isOfStore()) {
        handle.store().checkOutsideBlocks(call);
      }
      handle.store().access().checkWritable();
      return writer;
    } catch (StadiumException e) {
      throw refused(e);
    }
  }

  private OpenStore<T> onlyOutside(String call) {
    OpenStore<T> store = handle.store();
    if (!isOfStore()) {
      throw refused(
          new UnsupportedException(
              this + ": " + call + " is not available inside a transaction or snapshot"));
    }
    return store;
  }
}
