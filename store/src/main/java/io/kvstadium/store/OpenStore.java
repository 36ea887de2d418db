package io.kvstadium.store;

import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineInfo;
import io.kvstadium.store.spi.EngineSnapshot;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.Gate;
import io.kvstadium.store.spi.Limits;
import io.kvstadium.store.spi.StoreConfig;
import io.kvstadium.store.spi.Write;
import java.nio.channels.FileLock;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that is open: what is the same on every engine. */
final class OpenStore<T extends EngineTable> implements Store {
  private final String url;
  private final EngineInfo engine;
  private final EngineStore<T> engineStore;
  private final OpenOptions how;
  private final @Nullable FileLock lock;
  private final Engines engines;
  private final Set<Capability> capabilities;
  private final Limits limits;

  private final StoreAccess access;
  private final Set<Handle> handles = ConcurrentHashMap.newKeySet();
  private final Tables<T> tables;
  private final ReadPool readPool;

  /**
   * Read-locked while a write or transact block runs; write-locked by who must wait for their end.
   */
  private final ReentrantReadWriteLock blocks = new ReentrantReadWriteLock();

  OpenStore(
      String url,
      EngineInfo engine,
      EngineStore<T> engineStore,
      StoreConfig config,
      OpenOptions how,
      @Nullable FileLock lock,
      Engines engines) {
    this.url = url;
    this.engine = engine;
    this.engineStore = engineStore;
    this.how = how;
    this.lock = lock;
    this.engines = engines;
    EnumSet<Capability> present = EnumSet.noneOf(Capability.class);
    present.addAll(engineStore.capabilities());
    if (how.readOnly()) {
      present.removeAll(EnumSet.of(Capability.WRITE, Capability.BULK_LOAD));
    }
    this.capabilities = Collections.unmodifiableSet(present);
    this.limits = Objects.requireNonNullElse(engineStore.limits(), engine.limits());
    this.access = new StoreAccess(url);
    this.readPool = new ReadPool(url);
    this.tables = new Tables<>(this, engineStore, config, how.readOnly(), access, handles);
  }

  EngineStore<T> engineStore() {
    return engineStore;
  }

  ReadPool readPool() {
    return readPool;
  }

  StoreIoException poison(StoreIoException cause) {
    return access.poison(cause);
  }

  void require(Capability capability) {
    if (!capabilities.contains(capability)) {
      throw Opener.unsupported(engine, capability, engines);
    }
  }

  /** The view behind a table of this store. */
  @SuppressWarnings("unchecked") // a handle of this store has this store's type of table
  TableView<T> view(Table table) {
    if (table instanceof TableView<?> view && view.handle().store() == this) {
      return (TableView<T>) view;
    }
    throw new BadArgumentException(
        table + " is no table of " + url + ": take it from the same store");
  }

  /** The handle behind a new cursor; {@code cursor} is {@code null} for an empty range. */
  Handle newCursor(
      TableHandle<T> table, Access parent, @Nullable EngineCursor cursor, Set<Handle> siblings) {
    return new Handle(
        "cursor on table " + table.name() + " of " + url,
        access.gate(),
        new HandleAccess(parent, "the cursor", false),
        cursor == null ? () -> {} : cursor::close,
        siblings,
        table);
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
    return engineStore.durability();
  }

  @Override
  public Table table() {
    return table(DEFAULT_TABLE);
  }

  @Override
  public Table table(String name) {
    return tables.get(name);
  }

  @Override
  public List<String> tables() {
    Gate.Pass pass = access.enter();
    try {
      return engineStore.tables().stream().sorted().toList();
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void dropTable(String name) {
    Tables.checkName(name);
    checkWritable();
    require(Capability.TABLES);
    checkOutside("dropTable");
    blocks.writeLock().lock();
    try {
      tables.drop(name);
    } finally {
      blocks.writeLock().unlock();
    }
  }

  @Override
  public void write(Consumer<Batch> block) {
    require(Capability.BATCH);
    checkWritable();
    inBlock(
        "write",
        () -> {
          apply(collect(block));
          return null;
        });
  }

  /** Runs what calls back into the application; close and drop wait for its end. */
  <R extends @Nullable Object> R inBlock(String call, Supplier<R> block) {
    checkOutside(call);
    blocks.readLock().lock();
    try {
      return block.get();
    } finally {
      blocks.readLock().unlock();
    }
  }

  private List<Write<T>> collect(Consumer<Batch> block) {
    OpenBatch<T> batch = new OpenBatch<>(this);
    List<Write<T>> writes;
    try {
      block.accept(batch);
    } finally {
      writes = batch.end();
    }
    return writes;
  }

  private void apply(List<Write<T>> writes) {
    Gate.Pass pass = access.enter();
    try {
      if (!writes.isEmpty()) {
        engineStore.write(writes);
      }
    } catch (StoreIoException e) {
      throw poison(e);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public <R extends @Nullable Object> R transact(
      TransactionOptions options, Function<Transaction, R> block) {
    checkWritable();
    checkOutside("transact");
    return new Transactions<>(this, engineStore, access, blocks.readLock()).run(options, block);
  }

  @Override
  public Snapshot snapshot() {
    require(Capability.SNAPSHOT);
    Gate.Pass pass = access.enter();
    try {
      EngineSnapshot<T> snapshot = engineStore.snapshot();
      Handle handle =
          new Handle(
              "snapshot of " + url,
              access.gate(),
              new HandleAccess(access, "the snapshot", true),
              snapshot::close,
              handles,
              null);
      return new SnapshotView<>(this, snapshot, handle);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void sync() {
    checkWritable();
    Gate.Pass pass = access.enter();
    try {
      engineStore.sync();
    } catch (StoreIoException e) {
      throw poison(e);
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void catchUp() {
    require(Capability.CATCH_UP);
    Gate.Pass pass = access.enter();
    try {
      engineStore.catchUp();
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void compact() {
    require(Capability.COMPACT);
    checkWritable();
    for (String name : tables()) {
      table(name).compact();
    }
  }

  @Override
  public Map<String, String> stats() {
    Gate.Pass pass = access.enter();
    try {
      BackgroundWork background = engineStore.background();
      Map<String, String> stats = engineStore.stats();
      if (background == null) {
        return stats;
      }
      Map<String, String> all = new LinkedHashMap<>(stats);
      all.put("background_jobs", Integer.toString(background.jobs()));
      all.put("compaction_pending_bytes", Long.toString(background.pendingBytes()));
      return all;
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public @Nullable BackgroundWork background() {
    Gate.Pass pass = access.enter();
    try {
      return engineStore.background();
    } finally {
      access.exit(pass);
    }
  }

  @Override
  public void close() {
    checkOutside("close");
    if (access.gate().isClosed()) {
      return;
    }
    RuntimeException failure = null;
    if (how.compactOnClose()) {
      try {
        compact();
      } catch (ClosedException e) {
        return; // another thread closed it first
      } catch (RuntimeException e) {
        failure = e; // close all the same, then tell
      }
    }
    if (!access.gate().close()) {
      return;
    }
    blocks.writeLock().lock(); // blocks still running end at their next call
    try {
      readPool.close();
      handles.forEach(Handle::closeForgotten);
      engineStore.close();
    } catch (RuntimeException e) {
      if (failure != null) {
        e.addSuppressed(failure);
      }
      failure = e;
    } finally {
      blocks.writeLock().unlock();
      StoreDirectory.unlock(lock);
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String toString() {
    return url;
  }

  private void checkWritable() {
    if (how.readOnly()) {
      throw new UnsupportedException(url + " is open read-only: open it without readOnly to write");
    }
  }

  /** Refuses to load what can neither be written nor loaded. */
  void checkLoad() {
    checkWritable();
    if (!capabilities.contains(Capability.BULK_LOAD)) {
      require(Capability.WRITE);
    }
  }

  /**
   * @param table for the message
   * @throws UnsupportedException always
   */
  void refuseWrite(String table) {
    if (how.readOnly()) {
      throw new UnsupportedException(table + " is read-only here: open the store for writing");
    }
    require(Capability.WRITE);
    throw new UnsupportedException(table + " is read-only here: use the store's own table");
  }

  /** Whether the calling thread is inside a block or a value reader of this store. */
  boolean isInside() {
    return isInBlock() || access.gate().isInside();
  }

  private boolean isInBlock() {
    return blocks.getReadHoldCount() > 0;
  }

  /** Refuses what would wait for the calling thread itself. */
  private void checkOutside(String call) {
    if (isInBlock()) {
      throw new BadArgumentException(
          url
              + ": "
              + call
              + " inside a write or transact block of the same store: use what the block was given,"
              + " or do it after the block");
    }
    if (access.gate().isInside()) {
      throw new BadArgumentException(
          url + ": " + call + " inside a value reader: do it after the reader has returned");
    }
  }
}
