package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.CheckpointConfig;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseNotFoundException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentStats;
import com.sleepycat.je.StatsConfig;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.TransactionConfig;
import com.sleepycat.je.util.DbBackup;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.KeyLocks;
import io.kvstadium.store.engine.help.Locks;
import io.kvstadium.store.engine.help.OwnThread;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An open environment and its databases. */
final class JeStore extends JeAccess implements EngineStore<JeTable> {
  /** A file of its log, as JE makes them. */
  private static final long FOR_REMOVALS = 10 << 20;

  private final Environment environment;
  private final StoreConfig config;

  /** How long a batch waits for locks. */
  private final Duration patience;

  private final LogFiles files;
  private final Map<String, String> unreadable;
  private final Set<JeTable> open = ConcurrentHashMap.newKeySet();

  /**
   * Held by transactions and batches, which take turns. Otherwise two of them that scan, or look
   * for a missing key, and then insert next to it would wait for each other. JE does not see this
   * as a deadlock, since an insert waits for ranges in the name of a helper, and lets the wait time
   * out.
   */
  private final ReentrantLock turn = new ReentrantLock(true);

  /**
   * Where single writes and batches of the same keys wait for each other, in order and without a
   * limit. JE's own waiting has one, and many writes that are synced take longer than that.
   */
  private final KeyLocks queues = new KeyLocks(true);

  /**
   * Shared by puts outside of transactions. When a put begins, JE checks whether there are
   * serializable transactions, and only then keeps out of the ranges that they have read. So a new
   * transaction waits for the puts that did not know of it; otherwise they could insert what it has
   * found missing.
   */
  private final StampedLock puts = new StampedLock();

  JeStore(JeCalls calls, Environment environment, StoreConfig config) {
    super(calls, null);
    this.environment = environment;
    this.config = config;
    this.files = new LogFiles(environment, config.directory());
    this.patience = config.options().duration("lock_timeout");
    this.unreadable =
        config.adopt() ? calls.uninterruptibly(() -> Adoption.unreadable(environment)) : Map.of();
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return BerkeleyDbEngine.classify(thrown);
  }

  @Override
  public Set<String> tables() {
    return calls.uninterruptibly(() ->
        environment.getDatabaseNames().stream()
            .filter(name -> !unreadable.containsKey(name))
            .collect(Collectors.toSet()));
  }

  @Override
  public Map<String, String> unreadable() {
    return unreadable;
  }

  @Override
  public @Nullable JeTable openTable(String name, Options options, boolean create) {
    if (name.startsWith("_je")) { // JE itself would open some of these
      throw new BadArgumentException(
          "engine berkeleydb: table names with _je are JE's own: " + name);
    }
    DatabaseConfig settings =
        config.adopt()
            ? Adoption.AS_IT_IS
            : tableConfig(config).setAllowCreate(create).setReadOnly(config.readOnly());
    return calls.<@Nullable JeTable>uninterruptibly(() -> {
      try {
        JeTable table = new JeTable(name, environment.openDatabase(null, name, settings));
        open.add(table);
        return table;
      } catch (DatabaseNotFoundException e) {
        return null;
      }
    });
  }

  static DatabaseConfig tableConfig(StoreConfig config) {
    return new DatabaseConfig().setTransactional(BerkeleyDbEngine.isTransactional(config));
  }

  @Override
  public void dropTable(JeTable table) {
    open.remove(table);
    calls.runUninterruptibly(() -> {
      table.database().close();
      environment.removeDatabase(null, table.name());
    });
  }

  @Override
  public EngineCursor cursor(JeTable table, Range<byte[]> range) {
    return calls.get(() -> JeCursor.alone(environment, calls, table.database(), range));
  }

  @Override
  public void put(JeTable table, byte[] key, byte[] value) throws IOException {
    long keys = KeyLocks.of(table, key);
    queues.lockAlone(keys);
    long stamp = puts.readLock();
    try {
      super.put(table, key, value);
    } finally {
      puts.unlockRead(stamp);
      queues.unlockAlone(keys);
    }
    committed();
  }

  @Override
  public void delete(JeTable table, byte[] key) throws IOException {
    long keys = KeyLocks.of(table, key);
    queues.lockAlone(keys);
    try {
      super.delete(table, key);
    } finally {
      queues.unlockAlone(keys);
    }
    committed();
  }

  /** Makes sure that what a commit has synced stays. */
  private void committed() throws IOException {
    if (config.durability() == Durability.POWER) {
      files.sync();
    }
  }

  @Override
  public void write(List<Write<JeTable>> writes) throws IOException {
    long keys = KeyLocks.of(writes);
    queues.lockAlone(keys);
    try (JeTransaction batch = enter(null, patience)) {
      for (Write<JeTable> write : writes) {
        byte[] value = write.value();
        if (value == null) {
          batch.delete(write.table(), write.key());
        } else {
          batch.put(write.table(), write.key(), value);
        }
      }
      batch.commit();
    } finally {
      queues.unlockAlone(keys);
    }
  }

  @Override
  public EngineTransaction<JeTable> begin(TransactionMode mode, Duration lockTimeout) {
    JeTransaction begun =
        enter(new TransactionConfig().setSerializableIsolation(true), lockTimeout);
    puts.unlockWrite(puts.writeLock());
    return begun;
  }

  private JeTransaction enter(@Nullable TransactionConfig config, Duration lockTimeout) {
    Locks.lock(turn, lockTimeout, calls.place());
    try {
      return calls.get(() -> {
        Transaction txn = environment.beginTransaction(null, config);
        long millis = Math.clamp(lockTimeout.toMillis(), 1, Integer.MAX_VALUE); // 0 means forever
        txn.setLockTimeout(millis, TimeUnit.MILLISECONDS);
        return new JeTransaction(calls, txn, turn, this::committed);
      });
    } catch (RuntimeException | Error e) {
      turn.unlock();
      throw e;
    }
  }

  @Override
  public long estimateCount(JeTable table) {
    return calls.uninterruptibly(() -> table.database().count());
  }

  @Override
  public void sync() throws IOException {
    calls.runUninterruptibly(() -> environment.flushLog(true));
    files.sync();
  }

  /** Cleaned files are deleted at the next checkpoint. */
  @Override
  public void compact(JeTable table) {
    calls.runUninterruptibly(() -> {
      while (environment.cleanLog() > 0) {}
      environment.checkpoint(new CheckpointConfig().setForce(true));
    });
  }

  /** JE ends the last file of its log and continues in a new one. */
  @Override
  public boolean backup(BackupTarget target) {
    calls.runUninterruptibly(() -> {
      if (!BerkeleyDbEngine.isTransactional(config)) {
        environment.sync(); // then its log has what was written
      }
      DbBackup backup = new DbBackup(environment);
      backup.startBackup();
      try {
        for (String file : backup.getLogFilesInBackupSet()) {
          target.addImmutable(config.directory().resolve(file), file);
        }
      } finally {
        backup.endBackup();
      }
    });
    return true;
  }

  @Override
  public Map<String, String> stats() {
    EnvironmentStats stats = calls.uninterruptibly(() -> environment.getStats(null));
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("log_bytes", "" + stats.getTotalLogSize());
    figures.put("cache_bytes", "" + stats.getCacheTotalBytes());
    figures.put("cache_misses", "" + stats.getNCacheMiss());
    figures.put("fsyncs", "" + stats.getNLogFSyncs());
    figures.put("files_cleaned", "" + stats.getNCleanerRuns());
    return figures;
  }

  @Override
  public Map<String, Long> memory() {
    StatsConfig fast = new StatsConfig().setFast(true);
    return Map.of(
        "cache", calls.uninterruptibly(() -> environment.getStats(fast)).getCacheTotalBytes());
  }

  @Override
  public WriteStalls stalls() {
    StatsConfig fast = new StatsConfig().setFast(true);
    long evicted =
        calls.uninterruptibly(() -> environment.getStats(fast)).getNBytesEvictedCritical() >> 10;
    return new WriteStalls(
        -1,
        evicted == 0
            ? List.of()
            : List.of(
                new WriteStalls.Cause(
                    "kB that callers had to evict from a full cache",
                    evicted,
                    "set cache_size higher")));
  }

  /** JE refuses removals, too, once less than its {@code free_disk} is left. */
  @Override
  public long diskReserve() {
    long refused = config.options().size("free_disk");
    return refused + Math.min(refused, FOR_REMOVALS);
  }

  @Override
  public void close() {
    try (OwnThread _ = calls.threads()) {
      calls.runUninterruptibly(() -> {
        try {
          open.forEach(table -> table.database().close());
        } finally {
          environment.close();
        }
      });
    }
  }
}
