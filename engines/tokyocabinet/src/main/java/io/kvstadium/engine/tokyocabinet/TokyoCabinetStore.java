package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.NamedTable;
import io.kvstadium.store.engine.help.NativeArguments;
import io.kvstadium.store.engine.help.NativeFunctions;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/** A file of the library as a store with one table. */
final class TokyoCabinetStore implements EngineStore<NamedTable> {
  private final StoreConfig config;
  private final Database database;
  private final ThreadLocal<NativeArguments> arguments =
      ThreadLocal.withInitial(NativeArguments::new);

  /** Held by writes, and shared by the steps of cursors; see the package's page. */
  private final StampedLock lock = new StampedLock();

  private long changes; // guarded by lock

  /** What runs under the lock. */
  private interface Change {
    void run() throws Exception;
  }

  TokyoCabinetStore(StoreConfig config) {
    this.database = Database.open(config);
    this.config = config;
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return TokyoCabinetException.classify(config, thrown);
  }

  @Override
  public Set<String> tables() {
    return Set.of(Store.DEFAULT_TABLE);
  }

  @Override
  public NamedTable openTable(String name, Options options, boolean create) {
    return new NamedTable(name);
  }

  NativeArguments arguments() {
    return arguments.get();
  }

  /** How often the table was changed; only with the lock held. */
  long changes() {
    return changes;
  }

  StampedLock lock() {
    return lock;
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) {
    NativeArguments mine = arguments();
    MemorySegment held = mine.hold(key);
    long stamp = lock.tryOptimisticRead();
    if (stamp != 0) {
      MemorySegment value = Tree.GET.call(database.usable(), held, key.length, mine.returned());
      if (lock.validate(stamp)) {
        return take(value, mine);
      }
      Native.FREE.call(value);
    }
    stamp = lock.readLock();
    try {
      return take(Tree.GET.call(database.usable(), held, key.length, mine.returned()), mine);
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private byte @Nullable [] take(MemorySegment value, NativeArguments mine) {
    if (value.equals(MemorySegment.NULL)) {
      database.isMiss("get");
      return null;
    }
    byte[] copy = NativeFunctions.copy(value, mine.length());
    Native.FREE.call(value);
    return copy;
  }

  @Override
  public boolean contains(NamedTable table, byte[] key) {
    long stamp = lock.readLock();
    try {
      return Tree.VALUE_SIZE.call(database.usable(), arguments().hold(key), key.length) >= 0
          || !database.isMiss("contains");
    } finally {
      lock.unlockRead(stamp);
    }
  }

  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) {
    return new TokyoCabinetCursor(this, database, range);
  }

  @Override
  public long count(NamedTable table) {
    return estimateCount(table);
  }

  @Override
  public long estimateCount(NamedTable table) {
    long stamp = lock.readLock();
    try {
      return Tree.COUNT.call(database.usable());
    } finally {
      lock.unlockRead(stamp);
    }
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) throws Exception {
    change(database.transactional, () -> put(key, value));
  }

  @Override
  public void delete(NamedTable table, byte[] key) throws Exception {
    change(database.transactional, () -> delete(key));
  }

  @Override
  public void write(List<Write<NamedTable>> writes) throws Exception {
    change(
        true,
        () -> {
          for (Write<NamedTable> write : writes) {
            byte[] value = write.value();
            if (value == null) {
              delete(write.key());
            } else {
              put(write.key(), value);
            }
          }
        });
  }

  private void put(byte[] key, byte[] value) {
    arguments()
        .hold(
            key,
            value,
            (first, second) ->
                database.check(
                    Tree.PUT.call(database.handle, first, key.length, second, value.length),
                    "put"));
  }

  private void delete(byte[] key) {
    if (!Tree.OUT.call(database.handle, arguments().hold(key), key.length)) {
      database.isMiss("delete");
    }
  }

  /** Runs writes, alone among writers; in a transaction of the library or without one. */
  private void change(boolean transaction, Change writes) throws Exception {
    long stamp = lock.writeLock();
    try {
      database.usable();
      changes++;
      if (transaction) {
        transact(writes);
      } else {
        writes.run();
      }
    } catch (Exception e) {
      database.fail(e);
      throw e;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private void transact(Change writes) throws Exception {
    database.check(Tree.BEGIN.call(database.handle), "begin");
    boolean committed = false;
    try {
      writes.run();
      database.check(Tree.COMMIT.call(database.handle), "commit");
      committed = true;
    } finally {
      if (!committed) {
        boolean _ = Tree.ABORT.call(database.handle);
      }
    }
  }

  @Override
  public void sync() throws Exception {
    if (config.readOnly()) {
      return; // the library refuses, and we have nothing to sync
    }
    change(
        false,
        () -> {
          database.check(Tree.SYNC.call(database.handle), "sync");
          database.syncLog();
        });
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() {
    database.close();
  }
}
