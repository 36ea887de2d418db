package io.kvstadium.engine.xodus;

import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Locks;
import io.kvstadium.store.engine.help.OwnThread;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import jetbrains.exodus.env.EnvironmentImpl;
import jetbrains.exodus.env.EnvironmentStatistics;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.Transaction;
import jetbrains.exodus.gc.GarbageCollector;
import org.jspecify.annotations.Nullable;

/** An open environment. */
final class XodusStore extends XodusAccess implements EngineStore<XodusTable> {
  /** What a file of the log must have besides the largest value. */
  private static final int BESIDE_VALUE = 64 << 10;

  private final EnvironmentImpl environment;
  private final StoreConfig config;

  /** Held by the one who writes, in the order of asking. */
  private final ReentrantLock turn = new ReentrantLock(true);

  /**
   * What syncs: an interrupt of its thread would close the file, which Xodus then takes as synced,
   * and cannot write any more.
   */
  private final OwnThread syncs = new OwnThread("xodus");

  XodusStore(EnvironmentImpl environment, StoreConfig config) {
    this.environment = environment;
    this.config = config;
  }

  @Override
  public Limits limits() {
    int most = Math.clamp(fileSize() - BESIDE_VALUE, 0, XodusEngine.INFO.limits().maxValueBytes());
    return new Limits(XodusEngine.INFO.limits().maxKeyBytes(), most);
  }

  private long fileSize() {
    return environment.getEnvironmentConfig().getLogFileSize() << 10;
  }

  @Override
  public Set<String> tables() {
    return this.<Set<String>>read(txn ->
        environment.getAllStoreNames(txn).stream()
            .filter(name -> !GarbageCollector.isUtilizationProfile(name))
            .filter(name -> !hasDuplicates(name, txn))
            .collect(Collectors.toSet()));
  }

  @Override
  public Map<String, String> unreadable() {
    return this.<Map<String, String>>read(txn ->
        environment.getAllStoreNames(txn).stream()
            .filter(name -> hasDuplicates(name, txn))
            .collect(Collectors.toMap(name -> name, _ -> "it holds several values for a key")));
  }

  /** As stores of other programs may have; ours never have. */
  private boolean hasDuplicates(String name, Transaction txn) {
    return config.adopt()
        && environment
            .openStore(name, jetbrains.exodus.env.StoreConfig.USE_EXISTING, txn)
            .getConfig()
            .duplicates;
  }

  @Override
  public @Nullable XodusTable openTable(String name, Options options, boolean create) {
    Store present =
        this.<@Nullable Store>read(txn ->
            environment.storeExists(name, txn)
                ? environment.openStore(name, jetbrains.exodus.env.StoreConfig.USE_EXISTING, txn)
                : null);
    if (present != null || !create) {
      return present == null ? null : new XodusTable(name, present);
    }
    jetbrains.exodus.env.StoreConfig kind =
        options.text("tree").equals("patricia")
            ? jetbrains.exodus.env.StoreConfig.WITHOUT_DUPLICATES_WITH_PREFIXING
            : jetbrains.exodus.env.StoreConfig.WITHOUT_DUPLICATES;
    return new XodusTable(name, commit(txn -> environment.openStore(name, kind, txn)));
  }

  @Override
  public void dropTable(XodusTable table) {
    this.<Boolean>commit(txn -> {
      environment.removeStore(table.name(), txn);
      return true;
    });
  }

  @Override
  <R extends @Nullable Object> R read(Function<Transaction, R> read) {
    return reading(environment.beginReadonlyTransaction(), read);
  }

  @Override
  public EngineCursor cursor(XodusTable table, Range<byte[]> range) {
    return XodusCursor.alone(table, range, environment.beginReadonlyTransaction());
  }

  @Override
  public void put(XodusTable table, byte[] key, byte[] value) {
    write(List.of(new Write<>(table, key, value)));
  }

  @Override
  public void delete(XodusTable table, byte[] key) {
    write(List.of(new Write<>(table, key, null)));
  }

  @Override
  public void write(List<Write<XodusTable>> writes) {
    turn.lock();
    try (XodusTransaction all = begun()) {
      for (Write<XodusTable> write : writes) {
        byte[] value = write.value();
        if (value == null) {
          all.delete(write.table(), write.key());
        } else {
          all.putAsIs(write.table(), write.key(), value);
        }
      }
      all.commit();
    }
  }

  private <R extends @Nullable Object> R commit(Function<Transaction, R> change) {
    turn.lock();
    try (XodusTransaction alone = begun()) {
      R result = alone.read(change);
      alone.commit();
      return result;
    }
  }

  @Override
  public EngineTransaction<XodusTable> begin(TransactionMode mode, Duration lockTimeout) {
    Locks.lock(turn, lockTimeout, "engine xodus, " + config.directory());
    return begun();
  }

  /** Begins the transaction of the one who has the turn. */
  private XodusTransaction begun() {
    try {
      return new XodusTransaction(
          environment.beginTransaction(),
          turn,
          config.durability() == Durability.POWER ? syncs : null);
    } catch (RuntimeException | Error e) {
      turn.unlock();
      throw e;
    }
  }

  @Override
  public EngineSnapshot<XodusTable> snapshot() {
    return new XodusSnapshot(environment.beginReadonlyTransaction());
  }

  @Override
  public long count(XodusTable table) {
    return this.<Long>read(txn -> table.store().count(txn));
  }

  @Override
  public long estimateCount(XodusTable table) {
    return count(table);
  }

  @Override
  public void sync() {
    if (!config.readOnly()) {
      syncs.run(environment::flushAndSync);
    }
  }

  @Override
  public Map<String, String> stats() {
    EnvironmentStatistics stats = environment.getStatistics();
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("log_bytes", "" + environment.getLog().getDiskUsage());
    figures.put("log_files", "" + environment.getLog().getNumberOfFiles());
    figures.put(
        "log_utilization_percent",
        "" + stats.getStatisticsItem(EnvironmentStatistics.Type.UTILIZATION_PERCENT).getTotal());
    figures.put(
        "cleaner_moved_bytes",
        "" + stats.getStatisticsItem(EnvironmentStatistics.Type.BYTES_MOVED_BY_GC).getTotal());
    figures.put(
        "cache_hit_rate",
        String.format(Locale.ROOT, "%.3f", environment.getLog().getCacheHitRate()));
    return figures;
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return XodusEngine.failure(thrown);
  }

  @Override
  public void close() {
    try (syncs) {
      syncs.run(environment::close);
    }
  }
}
