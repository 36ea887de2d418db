package io.kvstadium.store;

import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineInfo;
import io.kvstadium.store.spi.EngineSnapshot;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.EngineTransaction;
import io.kvstadium.store.spi.Gate;
import io.kvstadium.store.spi.StoreConfig;
import io.kvstadium.store.spi.Write;
import java.nio.channels.FileLock;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A store that is open: what is the same on every engine. */
final class OpenStore<T extends EngineTable> implements Store {
  private static final Pattern TABLE_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final int MAX_BACK_OFF_DOUBLINGS = 10;

  private final String url;
  private final EngineInfo engine;
  private final EngineStore<T> engineStore;
  private final StoreConfig config;
  private final OpenOptions how;
  private final @Nullable FileLock lock;
  private final Engines engines;
  private final Set<Capability> capabilities;

  private final StoreAccess access;
  private final Set<Handle> handles = ConcurrentHashMap.newKeySet();
  private final Map<String, TableView<T>> tables = new ConcurrentHashMap<>();
  private final ReentrantLock opening = new ReentrantLock();

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
    this.config = config;
    this.how = how;
    this.lock = lock;
    this.engines = engines;
    EnumSet<Capability> present = EnumSet.noneOf(Capability.class);
    present.addAll(engineStore.capabilities());
    this.capabilities = Collections.unmodifiableSet(present);
    this.access = new StoreAccess(url);
  }

  static void checkTableName(String name) {
    if (!TABLE_NAME.matcher(name).matches()) {
      throw new BadArgumentException(
          "'" + name + "' cannot name a table: use 1 to 64 letters, digits, '_', '-' and '.'");
    }
  }

  EngineStore<T> engineStore() {
    return engineStore;
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
  public Durability durability() {
    return engineStore.durability();
  }

  @Override
  public Table table() {
    return table(DEFAULT_TABLE);
  }

  @Override
  public Table table(String name) {
    TableView<T> known = tables.get(name);
    if (known == null) {
      return openTable(name);
    }
    if (access.gate().isClosed()) {
      throw new ClosedException(url + ": the store is closed");
    }
    return known;
  }

  private Table openTable(String name) {
    checkTableName(name);
    if (!name.equals(DEFAULT_TABLE)) {
      require(Capability.TABLES);
    }
    Gate.Pass pass = access.enter();
    opening.lock();
    try {
      TableView<T> known = tables.get(name);
      if (known != null) {
        return known;
      }
      T table = engineStore.openTable(name, config.tableOptions(name), !how.readOnly());
      if (table == null) {
        throw new BadArgumentException(
            url
                + ": there is no table "
                + name
                + ", and readOnly forbids to make one; there are: "
                + String.join(", ", engineStore.tables()));
      }
      TableView<T> view =
          new TableView<>(
              new TableHandle<>(this, table),
              access,
              engineStore,
              how.readOnly() ? null : engineStore,
              handles,
              this);
      tables.put(name, view);
      return view;
    } finally {
      opening.unlock();
      access.exit(pass);
    }
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
    checkTableName(name);
    checkWritable();
    if (name.equals(DEFAULT_TABLE)) {
      throw new BadArgumentException(
          url + ": table " + name + " cannot be dropped: clear() it instead");
    }
    require(Capability.TABLES);
    checkOutside("dropTable");
    if (!tables().contains(name)) {
      return;
    }
    TableView<T> view = view(table(name));
    blocks.writeLock().lock();
    try {
      boolean ran = access.gate().exclusively(() -> drop(name, view));
      if (!ran) {
        throw new ClosedException(url + ": the store is closed");
      }
    } finally {
      blocks.writeLock().unlock();
    }
  }

  private void drop(String name, TableView<T> view) {
    if (!tables.remove(name, view)) {
      return; // somebody else was faster
    }
    for (Handle handle : handles) {
      handle.children().stream()
          .filter(child -> child.dependsOn(view.handle()))
          .forEach(Handle::closeNow);
      if (handle.dependsOn(view.handle())) {
        handle.closeNow();
      }
    }
    try {
      engineStore.dropTable(view.handle().drop());
    } catch (StoreIoException e) {
      throw poison(e);
    }
  }

  @Override
  public void write(Consumer<Batch> block) {
    require(Capability.BATCH);
    checkWritable();
    checkOutside("write");
    blocks.readLock().lock();
    try {
      apply(collect(block));
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
    TransactionMode mode = options.mode();
    if (mode == null) {
      mode =
          capabilities.contains(Capability.OPTIMISTIC_TRANSACTION)
                  && !capabilities.contains(Capability.PESSIMISTIC_TRANSACTION)
              ? TransactionMode.OPTIMISTIC
              : TransactionMode.PESSIMISTIC;
    }
    require(mode.capability());
    long begun = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt(mode, options, block);
      } catch (ConflictException e) {
        boolean waitedEnough =
            mode == TransactionMode.PESSIMISTIC
                && System.nanoTime() - begun >= options.lockTimeout().toNanos();
        if (attempt >= options.attempts() || waitedEnough) {
          throw new ConflictException(
              url + ": the transaction lost in each of " + attempt + " attempts: " + e.getMessage(),
              e);
        }
        long most = options.backOff().toNanos() << Math.min(attempt - 1, MAX_BACK_OFF_DOUBLINGS);
        if (most > 0) {
          LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
        }
      }
    }
  }

  private <R extends @Nullable Object> R attempt(
      TransactionMode mode, TransactionOptions options, Function<Transaction, R> block) {
    blocks.readLock().lock();
    try {
      OpenTransaction<T> transaction = begin(mode, options);
      try {
        R result = block.apply(transaction);
        transaction.commit();
        return result;
      } finally {
        transaction.close();
      }
    } finally {
      blocks.readLock().unlock();
    }
  }

  private OpenTransaction<T> begin(TransactionMode mode, TransactionOptions options) {
    Gate.Pass pass = access.enter();
    try {
      EngineTransaction<T> transaction = engineStore.begin(mode, options.lockTimeout());
      return new OpenTransaction<>(
          this, transaction, new HandleAccess(access, "the transaction", false));
    } finally {
      access.exit(pass);
    }
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
      return engineStore.stats();
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

  /** Refuses what would wait for the calling thread itself. */
  private void checkOutside(String call) {
    if (blocks.getReadHoldCount() > 0) {
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
