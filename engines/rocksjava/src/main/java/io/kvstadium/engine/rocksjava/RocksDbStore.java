package io.kvstadium.engine.rocksjava;

import io.kvstadium.engine.rocksjava.RocksDbOptions.Mode;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.KeyLocks;
import io.kvstadium.store.engine.help.Locks;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.OptimisticTransactionOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteBatch;

/** An open database. */
final class RocksDbStore extends RocksDbReader implements EngineStore<RocksDbTable> {
  /** Above all keys but those that begin with 64 bytes 0xff. */
  private static final byte[] HIGH = new byte[64];

  static {
    Arrays.fill(HIGH, (byte) 0xff);
  }

  private final RocksDbDatabase database;
  private final String place; // for messages

  /**
   * Clears are range deletions and loads are new files: the conflict check of optimistic
   * transactions does not see them, and they do not take the locks of pessimistic ones. So they are
   * counted, and an optimistic transaction during which one happened fails; a pessimistic one holds
   * the read lock until it ends. The lock makes counting and changing one step as seen by a commit.
   */
  private final ReentrantReadWriteLock changing = new ReentrantReadWriteLock(true);

  private long changes; // guarded by changing

  /**
   * RocksDB checks an optimistic transaction for conflicts and then writes it; a plain write can
   * come between, and would be lost. (RocksJava cannot ask for the other kind of check.) So a
   * commit holds the locks of its keys exclusively. {@code null} in the other modes.
   */
  private final @Nullable KeyLocks keyLocks;

  RocksDbStore(RocksDbDatabase database) {
    super(database.db, null);
    this.database = database;
    this.place = database.engine.info().name() + " at " + database.config.directory();
    this.keyLocks = database.mode == Mode.OPTIMISTIC ? new KeyLocks() : null;
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return RocksDbFailures.of(thrown);
  }

  @Override
  public Set<String> tables() {
    return Set.copyOf(database.tables.keySet());
  }

  @Override
  public Map<String, String> unreadable() {
    return database.unreadable;
  }

  @Override
  public @Nullable RocksDbTable openTable(String name, Options options, boolean create)
      throws RocksDBException {
    RocksDbTable table = database.tables.get(name);
    if (table != null || !create) {
      return table;
    }
    return database.create(name, options);
  }

  @Override
  public void dropTable(RocksDbTable table) throws RocksDBException {
    database.drop(table);
  }

  @Override
  public void put(RocksDbTable table, byte[] key, byte[] value) throws RocksDBException {
    long keys = lock(table, key);
    try {
      db.put(table.family(), database.writes, key, value);
    } finally {
      unlock(keys);
    }
  }

  @Override
  public void delete(RocksDbTable table, byte[] key) throws RocksDBException {
    long keys = lock(table, key);
    try {
      db.delete(table.family(), database.writes, key);
    } finally {
      unlock(keys);
    }
  }

  private long lock(RocksDbTable table, byte[] key) {
    if (keyLocks == null) {
      return 0;
    }
    long keys = KeyLocks.of(table, key);
    keyLocks.lockShared(keys);
    return keys;
  }

  private void unlock(long keys) {
    if (keyLocks != null) {
      keyLocks.unlockShared(keys);
    }
  }

  @Override
  public void write(List<Write<RocksDbTable>> writes) throws RocksDBException {
    boolean ranges = false;
    int collected = BatchBytes.count(writes);
    try (WriteBatch batch = new WriteBatch(BatchBytes.of(writes.subList(0, collected)))) {
      for (int i = collected; i < writes.size(); i++) {
        Write<RocksDbTable> write = writes.get(i);
        byte[] value = write.value();
        if (write.range() != null) {
          ranges = true;
          deleteRange(batch, write.table(), write.range(), writes.subList(0, i));
        } else if (value == null) {
          batch.delete(write.table().family(), write.key());
        } else {
          batch.put(write.table().family(), write.key(), value);
        }
      }
      if (ranges) {
        change(base -> base.write(database.writes, batch)); // keeps commits out anyway
      } else {
        write(writes, batch);
      }
    }
  }

  private void write(List<Write<RocksDbTable>> writes, WriteBatch batch) throws RocksDBException {
    long keys = 0;
    if (keyLocks != null) {
      keys = KeyLocks.of(writes);
      keyLocks.lockShared(keys);
    }
    try {
      db.write(database.writes, batch);
    } finally {
      unlock(keys);
    }
  }

  @Override
  public EngineTransaction<RocksDbTable> begin(TransactionMode mode, Duration lockTimeout) {
    return switch (mode) {
      case OPTIMISTIC -> beginOptimistic((OptimisticTransactionDB) db);
      case PESSIMISTIC -> beginPessimistic((TransactionDB) db, lockTimeout);
    };
  }

  private EngineTransaction<RocksDbTable> beginOptimistic(OptimisticTransactionDB optimistic) {
    long changesBefore = changes();
    try (var options = new OptimisticTransactionOptions().setSetSnapshot(true)) {
      return new RocksDbTransaction(
          optimistic.beginTransaction(database.writes, options),
          (transaction, keys) -> commitUnlessChanged(transaction, keys, changesBefore),
          () -> {});
    }
  }

  private EngineTransaction<RocksDbTable> beginPessimistic(
      TransactionDB pessimistic, Duration lockTimeout) {
    Lock lock = changing.readLock();
    Locks.lock(lock, lockTimeout, place);
    // Finds a deadlock at once, rather than when one of its participants times out.
    try (var options = new TransactionOptions().setDeadlockDetect(true)) {
      options.setLockTimeout(lockTimeout.plusNanos(999_999).toMillis());
      return new RocksDbTransaction(
          pessimistic.beginTransaction(database.writes, options),
          (transaction, _) -> transaction.commit(),
          lock::unlock);
    } catch (RuntimeException | Error e) {
      lock.unlock();
      throw e;
    }
  }

  private long changes() {
    changing.readLock().lock();
    try {
      return changes;
    } finally {
      changing.readLock().unlock();
    }
  }

  private void commitUnlessChanged(Transaction transaction, long keys, long changesBefore)
      throws RocksDBException {
    KeyLocks locks = Objects.requireNonNull(keyLocks);
    changing.readLock().lock();
    locks.lockAlone(keys);
    try {
      if (changes != changesBefore) {
        throw new ConflictException(
            place + ": a table was loaded, or a range removed, during the transaction; try again");
      }
      transaction.commit();
    } finally {
      locks.unlockAlone(keys);
      changing.readLock().unlock();
    }
  }

  @Override
  public EngineSnapshot<RocksDbTable> snapshot() {
    Snapshot snapshot = db.getSnapshot();
    return new RocksDbSnapshot(db, snapshot);
  }

  @Override
  public boolean clear(RocksDbTable table) throws RocksDBException {
    if (database.mode == Mode.PESSIMISTIC) {
      return false; // RocksDB has no range deletions there, as they would have to lock each key
    }
    change(base -> base.deleteRange(table.family(), database.writes, new byte[0], aboveAll(table)));
    return true;
  }

  /** RocksDB does not report how many there were, so they are counted first. */
  @Override
  public long delete(RocksDbTable table, Range<byte[]> range) throws Exception {
    long count = 0;
    try (EngineCursor cursor = cursor(table, range)) {
      while (cursor.next()) {
        count++;
      }
    }
    write(List.of(Write.delete(table, range)));
    return count;
  }

  /**
   * Adds the removal of a range. RocksDB has no removal without an upper bound, so it then extends
   * above all keys that exist or are put earlier in the same batch.
   */
  private void deleteRange(
      WriteBatch batch, RocksDbTable table, Range<byte[]> range, List<Write<RocksDbTable>> before)
      throws RocksDBException {
    byte[] from = range.from();
    byte[] begin =
        from == null ? new byte[0] : range.fromInclusive() ? from : RocksDbCursor.successor(from);
    byte[] end = range.to();
    if (end == null) {
      end = aboveAll(table);
      for (Write<RocksDbTable> write : before) {
        boolean above = Arrays.compareUnsigned(write.key(), end) >= 0;
        if (above && write.value() != null && write.table().equals(table)) {
          end = RocksDbCursor.successor(write.key());
        }
      }
    } else if (range.toInclusive()) {
      end = RocksDbCursor.successor(end);
    }
    if (Arrays.compareUnsigned(begin, end) < 0) { // else the range begins above all keys
      batch.deleteRange(table.family(), begin, end);
    }
  }

  /** A change that transactions do not notice on their own. */
  private interface Change {
    void apply(RocksDB base) throws RocksDBException;
  }

  private void change(Change change) throws RocksDBException {
    changing.writeLock().lock();
    try {
      changes++;
      // The same database without its transactions, which refuse range deletions too; not owned.
      change.apply(db instanceof OptimisticTransactionDB optimistic ? optimistic.getBaseDB() : db);
    } finally {
      changing.writeLock().unlock();
    }
  }

  @Override
  public void bulkLoad(RocksDbTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted)
      throws RocksDBException, IOException {
    try (RocksDbLoad load = new RocksDbLoad(database, table)) {
      Iterator<Iterator<Entry<byte[], byte[]>>> runs =
          sorted ? List.of(entries).iterator() : RocksDbLoad.runs(entries);
      while (runs.hasNext()) {
        add(load, runs.next());
      }
    }
  }

  private void add(RocksDbLoad load, Iterator<Entry<byte[], byte[]>> ascending)
      throws RocksDBException {
    List<String> files = load.write(ascending);
    if (files.isEmpty()) {
      return;
    }
    load.awaitCompactions();
    changing.writeLock().lock();
    try {
      changes++;
      load.ingest(files);
    } finally {
      changing.writeLock().unlock();
    }
  }

  /**
   * Without a log it would flush one table after the other and might tear a batch; a read-only
   * database cannot flush; a file system without hard links has no checkpoints.
   */
  @Override
  public boolean backup(BackupTarget target) throws RocksDBException, IOException {
    if (database.config.readOnly() || database.writes.disableWAL()) {
      return false;
    }
    return RocksDbBackup.make(database, target);
  }

  /** Returns a key above all existing ones. */
  private byte[] aboveAll(RocksDbTable table) throws RocksDBException {
    try (RocksIterator iterator = db.newIterator(table.family(), reads)) {
      iterator.seekToLast();
      iterator.status();
      if (!iterator.isValid() || Arrays.compareUnsigned(iterator.key(), HIGH) < 0) {
        return HIGH;
      }
      return RocksDbCursor.successor(iterator.key());
    }
  }

  @Override
  public long estimateCount(RocksDbTable table) throws RocksDBException {
    return db.getLongProperty(table.family(), "rocksdb.estimate-num-keys");
  }

  @Override
  public long diskReserve() throws RocksDBException {
    return database.watch == null ? 0 : database.watch.reserve();
  }

  @Override
  public void sync() throws RocksDBException {
    database.sync();
  }

  @Override
  public void compact(RocksDbTable table) throws RocksDBException {
    if (database.watch != null) {
      database.watch.requireCompaction();
    }
    db.compactRange(table.family());
  }

  @Override
  public Map<String, String> stats() throws RocksDBException {
    return RocksDbStats.of(database);
  }

  @Override
  public WriteStalls stalls() throws RocksDBException {
    return RocksDbStats.stalls(database);
  }

  @Override
  public Map<String, Long> memory() throws RocksDBException {
    return database.memory();
  }

  @Override
  public BackgroundWork background() throws RocksDBException {
    return RocksDbStats.background(database.db);
  }

  @Override
  public void close() throws RocksDBException, IOException {
    reads.close();
    database.closeAndReport();
  }
}
