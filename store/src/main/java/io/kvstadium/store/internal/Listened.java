package io.kvstadium.store.internal;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.StoreListener.Call;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.EngineWriter;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.Write;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An engine's side of a store, a transaction or a snapshot, whose calls are reported to a listener.
 * It sits between the library and the engine, so that a store without a listener pays nothing.
 */
public abstract class Listened<T extends EngineTable> implements EngineReader<T> {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  final StoreListener listener;
  final Failures failures;
  private final EngineReader<T> reader;

  public Listened(EngineReader<T> reader, StoreListener listener, Failures failures) {
    this.reader = reader;
    this.listener = listener;
    this.failures = failures;
  }

  /** The store with a listener, or as it is if there is none. */
  static <T extends EngineTable> EngineStore<T> by(
      @Nullable StoreListener listener, EngineStore<T> store, Failures failures) {
    return listener == null ? store : new ListenedStore<>(store, listener, failures);
  }

  /** What {@link #by} was given. */
  static <T extends EngineTable> EngineStore<T> without(EngineStore<T> store) {
    return store instanceof ListenedStore<T> listened ? listened.store : store;
  }

  /** Calls the listener; what it throws must not look like the store's failure. */
  static void tell(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException e) {
      listenerFailed(e);
    }
  }

  private static void listenerFailed(RuntimeException e) {
    LOG.log(System.Logger.Level.WARNING, "a store's listener failed", e);
  }

  /** The time at which a call began, or 0 if it is not timed. */
  final long begin() {
    return listener.timesCalls() ? System.nanoTime() : 0;
  }

  /** Reports a call's end; see {@link #begin}. */
  final void called(Call call, String table, long begun, long bytes) {
    long nanoseconds = begun == 0 ? 0 : System.nanoTime() - begun;
    try {
      listener.called(call, table, nanoseconds, bytes);
    } catch (RuntimeException e) {
      listenerFailed(e);
    }
  }

  /** Reports a call's failure in the library's words, and returns it. */
  final RuntimeException failed(Call call, String table, Throwable thrown) {
    RuntimeException failure = failures.of(thrown);
    if (!(failure instanceof ConflictException && isRetried())) {
      tell(() -> listener.failed(call, table, failure));
    }
    return failure;
  }

  /** Whether what loses to others is tried again, and reported only after the last attempt. */
  boolean isRetried() {
    return false;
  }

  /** For what is not a hot path. */
  final <R extends @Nullable Object> R call(
      Call call, String table, EngineCall<R> work, ToLongFunction<R> bytes) {
    long begun = begin();
    R result;
    try {
      result = work.run();
    } catch (Throwable e) {
      throw failed(call, table, e);
    }
    called(call, table, begun, bytes.applyAsLong(result));
    return result;
  }

  final void call(Call call, String table, long bytes, EngineCall.Action work) {
    call(
        call,
        table,
        () -> {
          work.run();
          return 0;
        },
        _ -> bytes);
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  @Override
  public byte @Nullable [] get(T table, byte[] key) {
    long begun = begin();
    byte[] value;
    try {
      value = reader.get(table, key);
    } catch (Throwable e) {
      throw failed(Call.GET, table.name(), e);
    }
    called(Call.GET, table.name(), begun, length(value));
    return value;
  }

  @Override
  public <R> @Nullable R get(T table, byte[] key, ValueReader<R> valueReader) {
    long begun = begin();
    Lending<R> lending = new Lending<>(valueReader);
    R result;
    try {
      result = reader.get(table, key, lending);
    } catch (Throwable e) {
      throw lending.failed(e, failure -> failed(Call.GET, table.name(), failure));
    }
    called(Call.GET, table.name(), begun, lending.size());
    return result;
  }

  @Override
  public byte[] @Nullable [] getAll(T table, byte[][] keys) {
    return call(
        Call.GET_ALL,
        table.name(),
        () -> reader.getAll(table, keys),
        values -> {
          long sum = 0;
          for (byte[] value : values) {
            sum += length(value);
          }
          return sum;
        });
  }

  @Override
  public boolean exists(T table, byte[] key) {
    long begun = begin();
    boolean found;
    try {
      found = reader.exists(table, key);
    } catch (Throwable e) {
      throw failed(Call.EXISTS, table.name(), e);
    }
    called(Call.EXISTS, table.name(), begun, 0);
    return found;
  }

  final void put(EngineWriter<T> writer, T table, byte[] key, byte[] value) {
    long begun = begin();
    try {
      writer.put(table, key, value);
    } catch (Throwable e) {
      throw failed(Call.PUT, table.name(), e);
    }
    called(Call.PUT, table.name(), begun, (long) key.length + value.length);
  }

  final void delete(EngineWriter<T> writer, T table, byte[] key) {
    long begun = begin();
    try {
      writer.delete(table, key);
    } catch (Throwable e) {
      throw failed(Call.DELETE, table.name(), e);
    }
    called(Call.DELETE, table.name(), begun, 0);
  }

  @Override
  public EngineCursor cursor(T table, Range range) {
    return new ListenedCursor(this, table.name(), () -> reader.cursor(table, range));
  }

  /** Reported once, when it is closed. */
  static final class ListenedCursor implements EngineCursor {
    private final Listened<?> reader;
    private final String table;
    private final long begun;
    private final EngineCursor cursor;
    private long bytes;

    ListenedCursor(Listened<?> reader, String table, EngineCall<EngineCursor> opening) {
      this.reader = reader;
      this.table = table;
      this.begun = reader.begin();
      try {
        this.cursor = opening.run();
      } catch (Throwable e) {
        throw reader.failed(Call.SCAN, table, e);
      }
    }

    @Override
    public boolean next() {
      try {
        return cursor.next();
      } catch (Throwable e) {
        throw reader.failed(Call.SCAN, table, e);
      }
    }

    /** Counts what the application got: the library may have asked for more. */
    void handedOut(long more) {
      bytes += more;
    }

    @Override
    public byte[] key() throws Exception {
      return cursor.key();
    }

    @Override
    public byte[] value() throws Exception {
      return cursor.value();
    }

    @Override
    public <R extends @Nullable Object> R value(ValueReader<R> reading) throws Exception {
      return cursor.value(reading);
    }

    @Override
    public boolean isImmutable() {
      return cursor.isImmutable();
    }

    @Override
    public Object immutableKey() throws Exception {
      return cursor.immutableKey();
    }

    @Override
    public Object immutableValue() throws Exception {
      return cursor.immutableValue();
    }

    @Override
    public boolean canSeek() {
      return cursor.canSeek();
    }

    @Override
    public boolean seek(byte[] key) throws Exception {
      return cursor.seek(key);
    }

    @Override
    public void close() throws Exception {
      cursor.close();
      reader.called(Call.SCAN, table, begun, bytes);
    }
  }

  private static final class ListenedSnapshot<T extends EngineTable> extends Listened<T>
      implements EngineSnapshot<T> {
    private final EngineSnapshot<T> snapshot;

    ListenedSnapshot(EngineSnapshot<T> snapshot, StoreListener listener, Failures failures) {
      super(snapshot, listener, failures);
      this.snapshot = snapshot;
    }

    @Override
    public void close() throws Exception {
      snapshot.close();
    }
  }

  private static final class ListenedTransaction<T extends EngineTable> extends Listened<T>
      implements EngineTransaction<T> {
    private final EngineTransaction<T> transaction;

    ListenedTransaction(
        EngineTransaction<T> transaction, StoreListener listener, Failures failures) {
      super(transaction, listener, failures);
      this.transaction = transaction;
    }

    @Override
    boolean isRetried() {
      return true;
    }

    @Override
    public void put(T table, byte[] key, byte[] value) {
      put(transaction, table, key, value);
    }

    @Override
    public void delete(T table, byte[] key) {
      delete(transaction, table, key);
    }

    @Override
    public void commit() {
      call(Call.COMMIT, "", 0, transaction::commit);
    }

    @Override
    public void close() throws Exception {
      transaction.close();
    }
  }

  /** Entries on their way into the store, counted in bytes. */
  private static final class Counted implements Iterator<Entry> {
    private final Iterator<Entry> entries;
    private long bytes;

    Counted(Iterator<Entry> entries) {
      this.entries = entries;
    }

    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    public Entry next() {
      Entry entry = entries.next();
      bytes += entry.key().length + entry.value().length;
      return entry;
    }
  }

  private static final class ListenedStore<T extends EngineTable> extends Listened<T>
      implements EngineStore<T> {
    private final EngineStore<T> store;

    ListenedStore(EngineStore<T> store, StoreListener listener, Failures failures) {
      super(store, listener, failures);
      this.store = store;
    }

    @Override
    public void put(T table, byte[] key, byte[] value) {
      put(store, table, key, value);
    }

    @Override
    public void delete(T table, byte[] key) {
      delete(store, table, key);
    }

    @Override
    public boolean exchange(
        T table, byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
      Call call = value == null ? Call.DELETE : Call.PUT;
      return call(
          call,
          table.name(),
          () -> store.exchange(table, key, expected, value),
          _ -> value == null ? 0 : (long) key.length + value.length);
    }

    @Override
    public Map<String, String> unreadable() throws Exception {
      return store.unreadable();
    }

    @Override
    public long delete(T table, Range range) {
      return call(Call.DELETE, table.name(), () -> store.delete(table, range), _ -> 0);
    }

    @Override
    public void write(List<Write<T>> writes) {
      long bytes = 0;
      for (Write<T> write : writes) {
        bytes += write.key().length + length(write.value());
      }
      call(Call.WRITE, "", bytes, () -> store.write(writes));
    }

    @Override
    public void load(T table, Iterator<Entry> entries, boolean sorted) {
      Counted counted = new Counted(entries);
      long begun = begin();
      try {
        store.load(table, counted, sorted);
      } catch (Throwable e) {
        Function<Throwable, RuntimeException> own =
            thrown -> failed(Call.LOAD, table.name(), thrown);
        throw entries instanceof Load<?> load ? load.failed(e, own) : own.apply(e);
      }
      called(Call.LOAD, table.name(), begun, counted.bytes);
    }

    @Override
    public boolean clear(T table) {
      return call(Call.CLEAR, table.name(), () -> store.clear(table), _ -> 0);
    }

    @Override
    public void sync() {
      call(Call.SYNC, "", 0, store::sync);
    }

    @Override
    public void compact(T table) {
      call(Call.COMPACT, table.name(), 0, () -> store.compact(table));
    }

    @Override
    public EngineTransaction<T> begin(TransactionMode mode, Duration lockTimeout) throws Exception {
      return new ListenedTransaction<>(store.begin(mode, lockTimeout), listener, failures);
    }

    @Override
    public EngineSnapshot<T> snapshot() throws Exception {
      return new ListenedSnapshot<>(store.snapshot(), listener, failures);
    }

    @Override
    public Set<Capability> capabilities() {
      return store.capabilities();
    }

    @Override
    public @Nullable Limits limits() {
      return store.limits();
    }

    @Override
    public Durability durability() {
      return store.durability();
    }

    @Override
    public Set<String> tables() throws Exception {
      return store.tables();
    }

    @Override
    public @Nullable T openTable(String name, Options options, boolean create) throws Exception {
      return store.openTable(name, options, create);
    }

    @Override
    public void dropTable(T table) throws Exception {
      store.dropTable(table);
    }

    @Override
    public long count(T table) throws Exception {
      return store.count(table);
    }

    @Override
    public long estimateCount(T table) throws Exception {
      return store.estimateCount(table);
    }

    @Override
    public long sizeOnDisk() throws Exception {
      return store.sizeOnDisk();
    }

    @Override
    public long diskReserve() throws Exception {
      return store.diskReserve();
    }

    @Override
    public boolean backup(BackupTarget target) throws Exception {
      return store.backup(target);
    }

    @Override
    public List<String> unseen() {
      return store.unseen();
    }

    @Override
    public String identity() throws Exception {
      return store.identity();
    }

    @Override
    public Map<String, String> stats() throws Exception {
      return store.stats();
    }

    @Override
    public @Nullable BackgroundWork background() throws Exception {
      return store.background();
    }

    @Override
    public @Nullable Failure classify(Throwable thrown) {
      return store.classify(thrown);
    }

    @Override
    public void close() throws Exception {
      store.close();
    }
  }
}
