package io.kvstadium.store.internal.open;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Recording;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.StoreStatus;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineWriter;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.help.KeyLocks;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import io.kvstadium.store.internal.guard.Access;
import io.kvstadium.store.internal.guard.EngineCall;
import io.kvstadium.store.internal.guard.Failures;
import io.kvstadium.store.internal.guard.Gate;
import io.kvstadium.store.internal.guard.Handle;
import io.kvstadium.store.internal.guard.StoreAccess;
import io.kvstadium.store.internal.view.CodecTable;
import io.kvstadium.store.internal.view.ConditionalWrites;
import io.kvstadium.store.internal.view.Listening;
import io.kvstadium.store.internal.view.OpenBatch;
import io.kvstadium.store.internal.view.SnapshotView;
import io.kvstadium.store.internal.view.TableView;
import io.kvstadium.store.internal.view.Tables;
import io.kvstadium.store.internal.view.Transactions;
import io.kvstadium.store.record.CallRecorder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open store: what is the same on every engine. */
public final class OpenStore<T extends EngineTable> implements Store {
  private final String url;
  private final EngineInfo engine;
  private final EngineStore<T> engineStore;
  private final OpenOptions openOptions;
  private final StorePlace place;
  private final boolean adopted;
  private final StoreDirectory.@Nullable Lock lock;
  private final Requirements requirements;
  private final Set<Capability> capabilities;
  private final Limits limits;
  private final Durability durability;
  private final Listening listening;
  private final Map<String, String> options;
  private final long budget;
  private volatile @Nullable StoreRecording recording;

  private final StoreAccess access;
  private final Set<Handle> handles = ConcurrentHashMap.newKeySet();
  private final Tables<T> tables;

  /** {@code null} if there are transactions, which then make conditional writes atomic. */
  private final @Nullable KeyLocks keyLocks;

  /** Syncs in the background, if that is asked for. */
  private volatile @Nullable Thread syncs;

  private final ReentrantLock closing = new ReentrantLock();

  /**
   * Read-locked while a write or load block, or what takes long, runs; write-locked by the close.
   */
  private final ReentrantReadWriteLock blocks = new ReentrantReadWriteLock();

  /** The same for transactions. */
  private final ReentrantReadWriteLock transactions = new ReentrantReadWriteLock();

  /** Where transactions that lost wait, in order, to run again. */
  private final ReentrantLock turn = new ReentrantLock(true);

  public OpenStore(
      String url,
      EngineInfo engine,
      Set<Capability> declared,
      EngineStore<T> engineStore,
      StoreConfig config,
      Failures failures,
      OpenOptions openOptions,
      StoreDirectory.@Nullable Lock lock,
      Engines engines) {
    this.url = url;
    this.engine = engine;
    this.engineStore = engineStore;
    this.openOptions = openOptions;
    this.adopted = config.adopt();
    this.lock = lock;
    this.requirements = new Requirements(engines);
    EnumSet<Capability> present = EnumSet.noneOf(Capability.class);
    present.addAll(Objects.requireNonNullElse(engineStore.capabilities(), declared));
    if (adopted) { // a backup of ours would be opened as a store of ours
      present.remove(Capability.BACKUP);
    }
    if (openOptions.readOnly()) {
      present.removeAll(
          EnumSet.of(Capability.WRITE, Capability.BULK_LOAD, Capability.RANGE_DELETE));
    }
    this.capabilities = Capability.all(present);
    this.limits = Objects.requireNonNullElse(engineStore.limits(), engine.limits());
    this.durability = config.durability();
    this.listening = new Listening(openOptions.listener());
    this.options = config.options().given();
    this.budget =
        engine.options().stream()
            .filter(spec -> spec.budget() != null && config.options().has(spec.name()))
            .mapToLong(spec -> config.options().size(spec.name()))
            .sum();
    this.access = new StoreAccess(url, failures);
    this.place =
        new StorePlace(
            url,
            engine.name(),
            config.path(),
            !adopted,
            openOptions.readOnly(),
            capabilities.contains(Capability.PERSISTENT),
            () -> access.read(engineStore::identity));
    this.keyLocks = capabilities.contains(Capability.TRANSACTION) ? null : new KeyLocks();
    this.tables = new Tables<>(this, config, handles);
  }

  public EngineStore<T> engineStore() {
    return engineStore;
  }

  /** Reports to the listener and the recorder. */
  public Listening listening() {
    return listening;
  }

  /** A store that can do more than its interface says. */
  public static OpenStore<?> of(Store store) {
    if (store instanceof OpenStore<?> open) {
      return open;
    }
    throw new BadArgumentException(store + " is not a store that this library opened");
  }

  /** See {@link Recording#start}. */
  public Recording record(Recording.Options options) {
    place.checkApart(options.file());
    synchronized (listening) {
      StoreRecording present = recording;
      if (present != null && present.isRecording()) {
        throw new BadArgumentException(
            url + " is being recorded into " + present.file() + ": close that recording first");
      }
      Gate.Pass pass = access.enter();
      try {
        StoreRecording begun = StoreRecording.start(this, listening, options);
        recording = begun;
        return begun;
      } finally {
        access.exit(pass);
      }
    }
  }

  /** See {@link Recording#of}. */
  public @Nullable Recording recording() {
    return recording;
  }

  /** The options of the engine that the URL has. */
  Map<String, String> options() {
    return options;
  }

  public @Nullable KeyLocks keyLocks() {
    return keyLocks;
  }

  /** Syncs in the background, if a sync adds something. */
  void syncEvery(Duration period) {
    if (!openOptions.readOnly() && durability() != Durability.POWER) {
      syncs = PeriodicSync.start(this, period);
    }
  }

  public StoreAccess access() {
    return access;
  }

  public void require(Capability capability) {
    if (!capabilities.contains(capability)) {
      throw requirements.unsupported(engine, capability);
    }
  }

  /** A table that the user got from this store. */
  @SuppressWarnings("ReferenceEquality") // a store is its identity
  public <K, V> CodecTable<K, V> checkedTable(Table<K, V> table) {
    if (table instanceof CodecTable<K, V> typed && typed.view().handle().store() == this) {
      return typed;
    }
    throw new BadArgumentException(
        table + " is not a table of " + url + ": take it from the same store");
  }

  /** The view behind a table of this store. */
  @SuppressWarnings("unchecked") // which has this store's type of table
  public TableView<T> view(CodecTable<?, ?> typed) {
    return (TableView<T>) typed.view();
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public EngineInfo engine() {
    return engine;
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public Table<byte[], byte[]> table() {
    return table(DEFAULT_TABLE);
  }

  @Override
  public Table<byte[], byte[]> table(String name) {
    return tables.get(name).bytes();
  }

  @Override
  public <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values) {
    return new CodecTable<>(tables.get(name), keys, values);
  }

  @Override
  public List<String> tables() {
    return access.read(() -> engineStore.tables().stream().sorted().toList());
  }

  /** See {@link Stores#unreadable}. */
  public Map<String, String> unreadable() {
    return access.read(() -> new TreeMap<>(engineStore.unreadable()));
  }

  @Override
  public void dropTable(String name) {
    Tables.checkName(name);
    checkWritable();
    if (adopted) {
      throw new UnsupportedException(
          url + ": an adopted store keeps the tables that it has: clear() it instead");
    }
    require(Capability.TABLES);
    checkOutside("dropTable");
    tables.drop(name);
  }

  @Override
  public void write(Consumer<Batch> block) {
    Arguments.given(url, "block of write", block);
    checkWritable();
    require(Capability.BATCH);
    inBlock(
        "write",
        () -> {
          OpenBatch<T> batch = new OpenBatch<>(this);
          try {
            block.accept(batch);
          } finally {
            batch.end();
          }
          long begun = listening.beginRecorded();
          CallRecorder.CallOutcome outcome = CallRecorder.CallOutcome.FAILED;
          try {
            called(
                StoreListener.Call.WRITE,
                batch.bytes(),
                () -> {
                  batch.apply();
                  return true;
                });
            outcome = CallRecorder.CallOutcome.OK;
          } finally {
            listening.recordBatch(outcome, batch.writes(), begun);
          }
          return true;
        });
  }

  /** Runs what calls back into the application; close waits for its end. */
  public <R extends @Nullable Object> R inBlock(String call, Supplier<R> block) {
    checkOutside(call);
    blocks.readLock().lock();
    access.gate().beginBlock();
    try {
      return block.get();
    } finally {
      access.gate().endBlock();
      blocks.readLock().unlock();
    }
  }

  /**
   * Calls the engine for what may take long: close waits for its end, but not those who wait at the
   * gate, such as the drop of a table.
   */
  public <R extends @Nullable Object> R whileOpen(EngineCall<R> call, boolean writes) {
    blocks.readLock().lock();
    try {
      access.exit(access.enter()); // a close that is not seen here waits for this
      return call.run();
    } catch (Throwable e) {
      throw access.failed(e, writes);
    } finally {
      blocks.readLock().unlock();
    }
  }

  /** Gives the engine a batch; called between enter and exit of an {@link Access}. */
  public boolean writeBatch(List<Write<T>> writes) throws Exception {
    return locked(
        keyLocks == null ? 0 : KeyLocks.of(writes),
        () -> {
          engineStore.write(writes);
          return true;
        });
  }

  /** Calls what may write any entry; called between enter and exit of an {@link Access}. */
  public <R> R writeAny(EngineCall<R> call) throws Exception {
    return locked(KeyLocks.ALL, call);
  }

  private <R> R locked(long keys, EngineCall<R> call) throws Exception {
    if (keyLocks == null) {
      return call.run();
    }
    keyLocks.lockShared(keys);
    try {
      return call.run();
    } finally {
      keyLocks.unlockShared(keys);
    }
  }

  /** Puts one entry; called between enter and exit of an {@link Access}. */
  public boolean put(T table, byte[] key, byte[] value) throws Exception {
    return locked(
        keyLocks == null ? 0 : KeyLocks.of(table, key),
        () -> {
          engineStore.put(table, key, value);
          return true;
        });
  }

  /** What writes single entries, or {@code null} if nothing does. */
  public @Nullable EngineWriter<T> writer() {
    return capabilities.contains(Capability.WRITE) ? engineStore : null;
  }

  /** Calls the engine for something that concerns the whole store and writes. */
  public <R> R called(StoreListener.Call call, long bytes, EngineCall<R> work) {
    Gate.Pass pass = access.enter();
    try {
      long begun = listening.isOn() ? listening.begin() : 0;
      R result = work.run();
      if (listening.isOn()) {
        listening.called(call, "", begun, bytes);
      }
      return result;
    } catch (Throwable e) {
      RuntimeException failure = access.failed(e, true);
      if (!(call == StoreListener.Call.COMMIT && failure instanceof ConflictException)) {
        listening.failed(call, "", failure);
      }
      throw failure;
    } finally {
      access.exit(pass);
    }
  }

  /**
   * Runs a conditional write: in a transaction if the store has them; otherwise under the key's
   * lock.
   */
  public ConditionalWrites.Change atomically(
      String call, TableView<T> table, byte[] key, ConditionalWrites.Step step) {
    checkOutside(call);
    long begun = listening.beginRecorded();
    ConditionalWrites.Change done = null;
    try {
      done = Listening.asParts(begun, () -> change(call, table, key, step));
      return done;
    } finally {
      listening.recordConditional(table.name(), key, done, begun);
    }
  }

  private ConditionalWrites.Change change(
      String call, TableView<T> table, byte[] key, ConditionalWrites.Step step) {
    if (keyLocks != null) {
      long locked = KeyLocks.of(table.handle().engineTable(), key);
      Gate.Pass pass = access.enter();
      keyLocks.lockAlone(locked);
      try {
        return ConditionalWrites.take(table, key, step);
      } finally {
        keyLocks.unlockAlone(locked);
        access.exit(pass);
      }
    }
    try {
      return transactions(call + " of key " + Hex.of(key) + " of " + table)
          .run(
              TransactionOptions.DEFAULT,
              tx -> ConditionalWrites.take(checkedTable(tx.on(table.bytes())).view(), key, step));
    } catch (ConflictException e) {
      throw lost(e);
    }
  }

  @Override
  public <R extends @Nullable Object> R transact(
      TransactionOptions options, Function<Transaction, R> block) {
    Arguments.given(url, "TransactionOptions", options);
    Arguments.given(url, "block of transact", block);
    checkWritable();
    checkOutside("transact");
    try {
      return transactions("the transaction").run(options, block);
    } catch (ConflictException e) {
      throw lost(e);
    }
  }

  private Transactions<T> transactions(String name) {
    return new Transactions<>(this, name, transactions.readLock(), turn);
  }

  /** Tells the listener of a conflict after the last attempt: only this one the caller gets. */
  private ConflictException lost(ConflictException lost) {
    listening.failed(StoreListener.Call.COMMIT, "", lost);
    return lost;
  }

  @Override
  public Snapshot snapshot() {
    require(Capability.SNAPSHOT);
    return access.read( // or a store that closes could miss it
        () -> new SnapshotView<>(this, engineStore.snapshot(), handles));
  }

  @Override
  public void sync() {
    checkWritable();
    long begun = listening.beginRecorded();
    called(
        StoreListener.Call.SYNC,
        0,
        () -> {
          engineStore.sync();
          return true;
        });
    listening.recordBound(CallRecorder.CallKind.SYNC, CallRecorder.CallOutcome.OK, "", begun);
  }

  /** Refuses a copy of its files that this store cannot give, or not now; nothing is touched. */
  public void checkCopy() {
    require(Capability.BACKUP);
    checkOutside("backup");
    access.checkWritable(); // what failed to be written must not become a backup either
    access.exit(access.enter()); // before anything is made
    place.refuseIncomplete();
  }

  /** Where it is, for tools. */
  public StorePlace place() {
    return place;
  }

  /** Copies its files with the marks that make them a store; see {@link Stores#copyFiles}. */
  public boolean copyFiles(BackupTarget target) {
    boolean files = whileOpen(() -> engineStore.backup(target), false);
    if (files) {
      place.markCopy(target.directory());
    }
    return files;
  }

  @Override
  public boolean compact() {
    checkWritable();
    boolean compacts = false;
    for (String name : tables()) {
      compacts |= table(name).compact();
    }
    return compacts;
  }

  @Override
  public Map<String, String> stats() {
    BackgroundWork background = background();
    StoreStatus.Memory memory = access.read(this::askedMemory);
    Map<String, String> all = new LinkedHashMap<>();
    if (memory.budget() > 0) {
      all.put("memory_budget", Long.toString(memory.budget()));
    }
    if (!memory.parts().isEmpty()) {
      all.put("memory_used", Long.toString(memory.used()));
      memory.parts().forEach((part, bytes) -> all.put("memory." + part, Long.toString(bytes)));
    }
    all.putAll(access.read(engineStore::stats));
    if (background != null) {
      all.put("background_jobs", Integer.toString(background.jobs()));
      all.put("compaction_pending_bytes", Long.toString(background.pendingBytes()));
    }
    return all;
  }

  @Override
  public long sizeOnDisk() {
    return access.read(place::size);
  }

  @Override
  public long diskReserve() {
    return access.read(engineStore::diskReserve);
  }

  @Override
  public StoreStatus status() {
    StadiumException failure = access.poison();
    StoreStatus.State state =
        access.gate().isClosed()
            ? StoreStatus.State.CLOSED
            : failure != null ? StoreStatus.State.FAILED : StoreStatus.State.OPEN;
    return new StoreStatus(
        state, state == StoreStatus.State.FAILED ? failure : null, handles.size(), memory());
  }

  /** Whether it is neither closed nor failed. */
  boolean isOpen() {
    return !access.gate().isClosed() && access.poison() == null;
  }

  private StoreStatus.@Nullable Memory memory() {
    try {
      return access.read(this::askedMemory);
    } catch (RuntimeException e) {
      return null; // it is closed, or has failed
    }
  }

  private StoreStatus.Memory askedMemory() throws Exception {
    return new StoreStatus.Memory(budget, engineStore.memory());
  }

  @Override
  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  public @Nullable BackgroundWork background() {
    return access.read(engineStore::background);
  }

  @Override
  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  public @Nullable WriteStalls stalls() {
    return access.read(engineStore::stalls);
  }

  @Override
  public void close() {
    checkOutside("close");
    closing.lock(); // a second close waits for the first
    try {
      if (!access.gate().isClosed()) {
        closeAll();
      }
    } finally {
      closing.unlock();
    }
  }

  /** Closes each part, whatever happens to the others. */
  private void closeAll() {
    access.gate().shut();
    LockSupport.unpark(syncs);
    access.gate().close();
    transactions.writeLock().lock(); // blocks still running end at their next call
    blocks.writeLock().lock();
    try (StoreRecording _ = recording;
        StoreDirectory.Lock _ = lock) {
      handles.forEach(Handle::closeForgotten);
      closeEngine();
    } finally {
      blocks.writeLock().unlock();
      transactions.writeLock().unlock();
    }
  }

  /** What fails because the store had failed is not thrown: its user closes it to open it again. */
  private void closeEngine() {
    StadiumException known = access.poison();
    try {
      access.close(engineStore::close);
    } catch (RuntimeException e) {
      if (known == null) {
        throw e;
      }
      known.addSuppressed(e);
    }
  }

  @Override
  public String toString() {
    return url;
  }

  public void checkWritable() {
    access.checkWritable();
    if (openOptions.readOnly()) {
      throw new UnsupportedException(url + " is open read-only: open it without readOnly to write");
    }
  }

  /** Refuses to load into a store that can neither be written nor loaded. */
  public void checkLoad() {
    checkWritable();
    if (!capabilities.contains(Capability.BULK_LOAD)) {
      require(Capability.WRITE);
    }
  }

  /**
   * Refuses to write to what cannot be written.
   *
   * @param table for the message
   * @throws UnsupportedException always
   */
  public void refuseWrite(String table) {
    if (openOptions.readOnly()) {
      throw new UnsupportedException(table + " is read-only here: open the store for writing");
    }
    require(Capability.WRITE);
    throw new UnsupportedException(table + " is read-only here: use the store's own table");
  }

  /** Whether the calling thread is inside a block or a value reader of this store. */
  public boolean isInside() {
    return access.gate().isInBlock() || access.gate().isInside();
  }

  /** Whether the calling thread is where others may wait for it, and so must not wait for them. */
  public boolean isAwaited() {
    return transactions.getReadHoldCount() > 0 || access.gate().isInside();
  }

  /**
   * Refuses what a block of this store does past its batch or transaction, which would neither be
   * part of it nor undone with it, and what would wait for the calling thread itself.
   */
  public void checkOutsideBlocks(String call) {
    if (access.gate().isInBlock()) {
      throw new BadArgumentException(
          "%s: %s is refused inside a block of the same store (write, transact, compute, bulkLoad): use the batch or transaction that the block was given, or do it after the block"
              .formatted(url, call));
    }
  }

  private void checkOutside(String call) {
    checkOutsideBlocks(call);
    if (access.gate().isInside()) {
      throw new BadArgumentException(
          url + ": " + call + " inside a value reader: do it after the reader has returned");
    }
  }
}
