package io.kvstadium.engine.rocksjava;

import io.kvstadium.engine.rocksjava.RocksDbOptions.Mode;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.spi.EngineSnapshot;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTransaction;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.Write;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final Set<Capability> capabilities;

  /**
   * Clears are range deletions and loads are new files: neither is seen by the conflict check of
   * optimistic transactions nor takes locks of pessimistic ones. So they are counted, and an
   * optimistic transaction during which one happened is a loser; a pessimistic one holds the read
   * lock until it ends. The lock makes counting and changing one step as seen by a commit.
   */
  private final ReentrantReadWriteLock changing = new ReentrantReadWriteLock();

  private long changes; // guarded by changing

  RocksDbStore(RocksDbDatabase database, Set<Capability> capabilities, RocksDbErrors errors) {
    super(database.db, errors, null);
    this.database = database;
    this.capabilities = EnumSet.copyOf(capabilities);
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Durability durability() {
    return database.config.durability();
  }

  @Override
  public Set<String> tables() {
    return Set.copyOf(database.tables.keySet());
  }

  @Override
  public @Nullable RocksDbTable openTable(String name, Options options, boolean create) {
    RocksDbTable table = database.tables.get(name);
    if (table != null || !create) {
      return table;
    }
    try {
      return database.create(name, options);
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public void dropTable(RocksDbTable table) {
    try {
      database.drop(table);
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public void put(RocksDbTable table, byte[] key, byte[] value) {
    try {
      db.put(table.family(), database.writes, key, value);
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public void delete(RocksDbTable table, byte[] key) {
    try {
      db.delete(table.family(), database.writes, key);
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public void write(List<Write<RocksDbTable>> writes) {
    try (WriteBatch batch = new WriteBatch()) {
      for (Write<RocksDbTable> write : writes) {
        byte[] value = write.value();
        if (value == null) {
          batch.delete(write.table().family(), write.key());
        } else {
          batch.put(write.table().family(), write.key(), value);
        }
      }
      db.write(database.writes, batch);
    } catch (RocksDBException e) {
      throw errors.of(e);
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
          transaction -> commitUnlessChanged(transaction, changesBefore),
          () -> {},
          database.engine.boundsOwnWrites(),
          errors);
    }
  }

  private EngineTransaction<RocksDbTable> beginPessimistic(
      TransactionDB pessimistic, Duration lockTimeout) {
    changing.readLock().lock();
    // A deadlock is found at once instead of by the timeout of one of those in it.
    try (var options = new TransactionOptions().setDeadlockDetect(true)) {
      options.setLockTimeout(lockTimeout.plusNanos(999_999).toMillis());
      return new RocksDbTransaction(
          pessimistic.beginTransaction(database.writes, options),
          Transaction::commit,
          changing.readLock()::unlock,
          database.engine.boundsOwnWrites(),
          errors);
    } catch (RuntimeException | Error e) {
      changing.readLock().unlock();
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

  private void commitUnlessChanged(Transaction transaction, long changesBefore)
      throws RocksDBException {
    changing.readLock().lock();
    try {
      if (changes != changesBefore) {
        throw new ConflictException(
            errors.engine()
                + " at "
                + errors.path()
                + ": a table was cleared or loaded during the transaction; try again");
      }
      transaction.commit();
    } finally {
      changing.readLock().unlock();
    }
  }

  @Override
  public EngineSnapshot<RocksDbTable> snapshot() {
    Snapshot snapshot = db.getSnapshot();
    return new RocksDbSnapshot(db, errors, snapshot);
  }

  @Override
  public boolean clear(RocksDbTable table) {
    if (database.mode == Mode.PESSIMISTIC) {
      return false; // RocksDB has no range deletions there, as they would have to lock each key
    }
    changing.writeLock().lock();
    try {
      changes++;
      // The same database without its transactions, which refuses range deletions too; not owned.
      RocksDB base = db instanceof OptimisticTransactionDB optimistic ? optimistic.getBaseDB() : db;
      base.deleteRange(table.family(), database.writes, new byte[0], aboveAll(table));
      return true;
    } catch (RocksDBException e) {
      throw errors.of(e);
    } finally {
      changing.writeLock().unlock();
    }
  }

  @Override
  public void load(RocksDbTable table, Iterator<Entry> entries, boolean sorted) {
    try (RocksDbLoad load = new RocksDbLoad(database, table)) {
      Iterator<Iterator<Entry>> runs =
          sorted ? List.of(entries).iterator() : RocksDbLoad.runs(entries);
      while (runs.hasNext()) {
        add(load, runs.next());
      }
    } catch (RocksDBException e) {
      throw errors.of(e);
    } catch (IOException e) {
      throw errors.of(e);
    }
  }

  private void add(RocksDbLoad load, Iterator<Entry> ascending) throws RocksDBException {
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

  @Override
  public void catchUp() {
    try {
      database.catchUp();
    } catch (RocksDBException e) {
      throw errors.of(e);
    } catch (IOException e) {
      throw errors.of(e);
    }
  }

  /** A key above all that are there. */
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
  public long estimateCount(RocksDbTable table) {
    try {
      return db.getLongProperty(table.family(), "rocksdb.estimate-num-keys");
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public void sync() {
    try {
      database.sync();
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public void compact(RocksDbTable table) {
    try {
      db.compactRange(table.family());
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public Map<String, String> stats() {
    try {
      return RocksDbStats.of(database);
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public BackgroundWork background() {
    try {
      return RocksDbStats.background(database.db);
    } catch (RocksDBException e) {
      throw errors.of(e);
    }
  }

  @Override
  public void close() {
    reads.close();
    try {
      database.closeAndReport();
    } catch (RocksDBException e) {
      throw errors.of(e);
    } catch (IOException e) {
      throw errors.of(e);
    }
  }
}
