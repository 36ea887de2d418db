package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreListener.Call;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineWriter;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.help.KeyLocks;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Callee;
import io.kvstadium.store.internal.Hex;
import io.kvstadium.store.internal.guard.Access;
import io.kvstadium.store.internal.guard.EngineCall;
import io.kvstadium.store.internal.guard.Gate;
import io.kvstadium.store.internal.guard.Handle;
import io.kvstadium.store.record.CallRecorder.CallKind;
import io.kvstadium.store.record.CallRecorder.CallOutcome;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table of byte strings as seen by its store, a snapshot or a transaction: guards, checks, the
 * listener, then the engine.
 */
public final class TableView<T extends EngineTable> implements Callee {
  private final TableHandle<T> handle;
  private final Access access;
  private final EngineReader<T> reader;
  private final @Nullable EngineWriter<T> writer;
  private final Set<Handle> cursors;

  /** Also kept so that a snapshot is not lost while a table of it is in use. */
  private final Object owner;

  private final Listening listening;
  private final @Nullable KeyLocks locks;
  private final CodecTable<byte[], byte[]> bytes;
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
    this.listening = handle.store().listening();
    this.locks = handle.store().keyLocks();
    Limits limits = handle.store().store().limits();
    this.maxKey = limits.maxKeyBytes();
    this.maxValue = limits.maxValueBytes();
    this.minValue = limits.minValueBytes();
    this.bytes = new CodecTable<>(this, Codec.BYTES, Codec.BYTES);
    this.minKey = handle.store().capabilities().contains(Capability.EMPTY_KEY) ? 0 : 1;
  }

  /** The same for its user. */
  public CodecTable<byte[], byte[]> bytes() {
    return bytes;
  }

  Listening listening() {
    return listening;
  }

  public TableHandle<T> handle() {
    return handle;
  }

  public String name() {
    return handle.name();
  }

  byte @Nullable [] get(byte[] key) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      long begun = begin();
      byte[] value = reader.get(handle.engineTable(), key);
      if (listening.isOn()) {
        listening.entry(Call.GET, name(), key, begun, value == null ? -1 : value.length);
      }
      return value;
    } catch (Throwable e) {
      throw failed(Call.GET, key, e, false);
    } finally {
      access.exit(pass);
    }
  }

  <R> @Nullable R get(byte[] key, ValueReader<R> valueReader) {
    checkKey(key);
    CallbackReader<R> callback =
        new CallbackReader<>(Arguments.given(this, "value reader", valueReader));
    Gate.Pass pass = access.enter();
    try {
      long begun = begin();
      R result = reader.get(handle.engineTable(), key, callback);
      if (listening.isOn()) {
        listening.entry(Call.GET, name(), key, begun, callback.size());
      }
      return result;
    } catch (Throwable e) {
      if (callback.threw(e)) {
        access.callFailed(e);
        throw CallbackReader.throwAsIs(e);
      }
      throw failed(Call.GET, key, e, false);
    } finally {
      access.exit(pass);
    }
  }

  int head(byte[] key, byte[] into) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      long begun = begin();
      int length = reader.head(handle.engineTable(), key, into);
      if (listening.isOn()) {
        listening.called(Call.GET, name(), begun, Math.clamp(length, 0, into.length));
        listening.recordEntry(Call.GET, name(), key, begun, length);
      }
      return length;
    } catch (Throwable e) {
      throw failed(Call.GET, key, e, false);
    } finally {
      access.exit(pass);
    }
  }

  byte[] @Nullable [] multiGet(byte[][] keys) {
    for (byte[] key : keys) {
      checkKey(key);
    }
    Gate.Pass pass = access.enter();
    try {
      long begun = begin();
      byte[] @Nullable [] values = reader.multiGet(handle.engineTable(), keys);
      if (listening.isOn()) {
        listening.multiGet(name(), keys, values, begun);
      }
      return values;
    } catch (Throwable e) {
      throw failed(Call.MULTI_GET, e, false);
    } finally {
      access.exit(pass);
    }
  }

  boolean contains(byte[] key) {
    checkKey(key);
    Gate.Pass pass = access.enter();
    try {
      long begun = begin();
      boolean found = reader.contains(handle.engineTable(), key);
      if (listening.isOn()) {
        listening.entry(Call.CONTAINS, name(), key, begun, found ? 0 : -1);
      }
      return found;
    } catch (Throwable e) {
      throw failed(Call.CONTAINS, key, e, false);
    } finally {
      access.exit(pass);
    }
  }

  void put(byte[] key, byte[] value) {
    put(key, value, false);
  }

  /**
   * Puts an entry.
   *
   * @param expires whether the value says when it expires
   */
  void put(byte[] key, byte[] value, boolean expires) {
    checkKey(key);
    checkValue(value);
    EngineWriter<T> target = writer("put");
    Gate.Pass pass = access.enter();
    try {
      long begun = begin();
      long locked = lock(key);
      try {
        target.put(handle.engineTable(), key, value);
      } finally {
        unlock(locked);
      }
      if (listening.isOn()) {
        if (expires) {
          listening.expiring(name(), key, begun, value);
        } else {
          listening.put(name(), key, begun, value);
        }
      }
    } catch (Throwable e) {
      throw failed(Call.PUT, key, e, true);
    } finally {
      access.exit(pass);
    }
  }

  void delete(byte[] key) {
    checkKey(key);
    EngineWriter<T> target = writer("delete");
    Gate.Pass pass = access.enter();
    try {
      long begun = begin();
      long locked = lock(key);
      try {
        target.delete(handle.engineTable(), key);
      } finally {
        unlock(locked);
      }
      if (listening.isOn()) {
        listening.entry(Call.DELETE, name(), key, begun, -1);
      }
    } catch (Throwable e) {
      throw failed(Call.DELETE, key, e, true);
    } finally {
      access.exit(pass);
    }
  }

  /** On a store without transactions, conditional writes exclude plain ones. */
  private long lock(byte[] key) {
    if (locks == null) {
      return 0;
    }
    long locked = KeyLocks.of(handle.engineTable(), key);
    locks.lockShared(locked);
    return locked;
  }

  private void unlock(long locked) {
    if (locks != null) {
      locks.unlockShared(locked);
    }
  }

  private long begin() {
    return listening.isOn() ? listening.begin() : 0;
  }

  /** The same for a call on one key. */
  private RuntimeException failed(Call call, byte[] key, Throwable thrown, boolean writes) {
    RuntimeException failure = failed(call, thrown, writes);
    listening.recordFailed(call, name(), key, failure);
    // its caller does not know of what call it is, other than that of a call on a table
    return failure instanceof ConflictException conflict && isOfTransaction()
        ? new ConflictException(
            "%s (%s of key %s of table %s)"
                .formatted(conflict.getMessage(), call, Hex.of(key), name()),
            conflict)
        : failure;
  }

  /** What to throw for a failed call of the engine, which the listener is told of. */
  private RuntimeException failed(Call call, Throwable thrown, boolean writes) {
    RuntimeException failure = access.failed(thrown, writes);
    tell(call, failure);
    return failure;
  }

  /**
   * Tells the listener of a failure; a conflict in a transaction is told after the last attempt.
   */
  void tell(Call call, RuntimeException failure) {
    if (!(failure instanceof ConflictException && isOfTransaction())) {
      listening.failed(call, name(), failure);
    }
  }

  private boolean isOfTransaction() {
    return owner instanceof Transaction;
  }

  /** Calls the engine for something that may write, and is not a hot path. */
  private <R extends @Nullable Object> R write(Call call, EngineCall<R> work) {
    Gate.Pass pass = access.enter();
    try {
      long begun = begin();
      R result = work.run();
      if (listening.isOn()) {
        listening.called(call, name(), begun, 0);
      }
      return result;
    } catch (Throwable e) {
      throw failed(call, e, true);
    } finally {
      access.exit(pass);
    }
  }

  /** Takes a step so that nobody else writes the entry between its reading and its writing. */
  ConditionalWrites.Change atomically(String call, byte[] key, ConditionalWrites.Step step) {
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
    StoreCalls<T> store = handle.store();
    try {
      return isOfStore() || !store.isInside() ? store.inBlock(call, block) : block.get();
    } catch (Throwable e) {
      access.callFailed(e);
      throw e;
    }
  }

  <K, V> CursorView<K, V> scan(Range<byte[]> range, CodecTable<K, V> table) {
    requireScan(range.from() != null || range.to() != null || range.reversed());
    Gate.Pass pass = access.enter();
    try {
      handle.engineTable(); // throws if it was dropped
      long begun = begin();
      EngineCursor opened = range.isEmpty() ? null : engineCursor(range);
      return new CursorView<>(table, access, cursors, range, opened, begun);
    } catch (Throwable e) {
      throw failed(Call.SCAN, e, false);
    } finally {
      access.exit(pass);
    }
  }

  CursorView<byte[], byte[]> scan(Range<byte[]> range) {
    return scan(range, bytes);
  }

  /** Refuses scans where there are none, or none in the order of the keys. */
  void requireScan(boolean inOrder) {
    try {
      handle.store().require(inOrder ? Capability.ORDERED_SCAN : Capability.SCAN);
    } catch (StadiumException e) {
      throw refused(e);
    }
  }

  /** Opens an engine's cursor; called between enter and exit. */
  EngineCursor engineCursor(Range<byte[]> range) throws Exception {
    if (range.from() != null || range.to() != null) {
      requireScan(true);
    }
    return reader.cursor(handle.engineTable(), range);
  }

  long count() {
    // only the latest state: an engine's count knows nothing about transactions and snapshots
    EngineStore<T> latest = handle.store().engineStore();
    long known = access.read(() -> reader.equals(latest) ? latest.count(handle.engineTable()) : -1);
    return known >= 0 ? known : walk(Range.all());
  }

  long count(Range<byte[]> range) {
    boolean whole = range.from() == null && range.to() == null && range.limit() == Long.MAX_VALUE;
    return whole ? count() : walk(range);
  }

  private long walk(Range<byte[]> range) {
    long count = 0;
    try (Cursor<?, ?> cursor = scan(range.keysOnly())) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  long estimateCount() {
    StoreCalls<T> store = onlyOutside("estimateCount");
    store.require(Capability.ESTIMATED_COUNT);
    return access.read(() -> store.engineStore().estimateCount(handle.engineTable()));
  }

  long bulkLoad(Iterator<Entry<byte[], byte[]>> entries, boolean sorted) {
    StoreCalls<T> store = onlyOutside("bulkLoad");
    store.checkLoad();
    Load<T> load = new Load<>(this, entries, sorted);
    return store.inBlock(
        "bulkLoad",
        () -> {
          Gate.Pass pass = access.enter();
          try {
            long begun = begin();
            long count = load.into(store, handle.engineTable());
            if (listening.isOn()) {
              listening.called(Call.BULK_LOAD, name(), begun, load.bytes());
            }
            return count;
          } catch (Throwable e) {
            throw load.threw(e) ? CallbackReader.throwAsIs(e) : failed(Call.BULK_LOAD, e, true);
          } finally {
            access.exit(pass);
          }
        });
  }

  void clear() {
    writer("clear");
    StoreCalls<T> store = handle.store();
    long begun = listening.beginRecorded();
    boolean cleared =
        isOfStore()
            && write(
                Call.CLEAR,
                () -> store.writeAny(() -> store.engineStore().clear(handle.engineTable())));
    if (!cleared) {
      deleteInChunks(Range.<byte[]>all().keysOnly(), begun);
    }
    listening.recordBound(CallKind.CLEAR, CallOutcome.OK, name(), begun);
  }

  long delete(Range<byte[]> range) {
    writer("delete");
    Range<byte[]> bounds = RangeDelete.bounds(this, range);
    StoreCalls<T> store = handle.store();
    if (bounds.isEmpty()) {
      return 0;
    }
    long begun = listening.beginRecorded();
    boolean chunks = !isOfStore() || !store.capabilities().contains(Capability.RANGE_DELETE);
    long count =
        chunks
            ? deleteInChunks(bounds, begun)
            : write(
                Call.DELETE,
                () ->
                    store.writeAny(() -> store.engineStore().delete(handle.engineTable(), bounds)));
    listening.recordRange(CallKind.DELETE_RANGE, name(), bounds, begun, count, -1);
    return count;
  }

  private long deleteInChunks(Range<byte[]> range, long begun) {
    return Listening.asParts(begun, () -> RangeDelete.inChunks(this, range));
  }

  /** Deletes several entries: in one batch, if there are batches and this is the store's view. */
  void deleteAll(List<byte[]> keys) {
    StoreCalls<T> store = handle.store();
    if (!isOfStore() || !store.capabilities().contains(Capability.BATCH) || keys.isEmpty()) {
      keys.forEach(this::delete);
      return;
    }
    access.write(() -> {
      T table = handle.engineTable();
      return store.writeBatch(keys.stream().map(key -> new Write<>(table, key, null)).toList());
    });
  }

  boolean compact() {
    StoreCalls<T> store = onlyOutside("compact");
    store.checkWritable();
    boolean compacts = store.capabilities().contains(Capability.COMPACT);
    if (!compacts) {
      return access.read(() -> handle.engineTable() == null); // throws if it was dropped
    }
    handle.hold(); // only a drop of this table waits
    try {
      long begun = begin();
      boolean done =
          store.whileOpen(
              () -> {
                store.engineStore().compact(handle.engineTable());
                return true;
              },
              true);
      if (listening.isOn()) {
        listening.called(Call.COMPACT, name(), begun, 0);
      }
      return done;
    } catch (StadiumException e) {
      tell(Call.COMPACT, e);
      throw e;
    } finally {
      handle.release();
    }
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

  private BadArgumentException wrongSize(String what, int length, int min, int max) {
    return refused(
        new BadArgumentException(
            "%s: a %s has %d bytes, but engine %s takes %ss of %d to %d bytes here"
                .formatted(
                    this, what, length, handle.store().store().engine().name(), what, min, max)));
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

  private StoreCalls<T> onlyOutside(String call) {
    StoreCalls<T> store = handle.store();
    if (!isOfStore()) {
      throw refused(
          new UnsupportedException(
              this + ": " + call + " is not available inside a transaction or snapshot"));
    }
    return store;
  }
}
