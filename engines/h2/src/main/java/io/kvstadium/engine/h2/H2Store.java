package io.kvstadium.engine.h2;

import io.kvstadium.engine.h2.H2Table.Shape;
import io.kvstadium.engine.h2file.FileCopy;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.KeyLocks;
import io.kvstadium.store.engine.help.Locks;
import io.kvstadium.store.engine.help.OwnThread;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/** An open H2 database. */
final class H2Store implements EngineStore<H2Table> {
  /** Enough for a few thousand removals. */
  private static final long RESERVE = 16 << 20;

  private final Database database;
  private final Duration patience;
  private final boolean readOnly;
  private final Sessions sessions;
  private final Committer committer;
  private final Map<String, H2Table> tables = new ConcurrentHashMap<>();

  /**
   * Where single writes and batches of the same keys wait for each other, in order and without a
   * limit. In H2 each waiting one would need a thread and a connection, and its waiters give up
   * once there are many. So at most 64 of them are in H2 at once.
   */
  private final KeyLocks queues = new KeyLocks(true);

  /**
   * A transaction holds the write lock, and every other write the read lock: H2 has no range locks,
   * and its own SERIALIZABLE is no more than a snapshot. So H2 never has to wait for a row.
   */
  private final ReadWriteLock writers = new ReentrantReadWriteLock(true);

  /** One at a time, since each switches the reuse of space off and on again. */
  private final ReentrantLock backups = new ReentrantLock();

  private H2Store(Database database, StoreConfig config) throws SQLException {
    Options options = config.options();
    this.database = database;
    this.patience = options.duration("lock_timeout");
    this.readOnly = config.readOnly();
    this.sessions = new Sessions(database);
    this.committer = new Committer(database);
  }

  static H2Store open(Database database, StoreConfig config) throws SQLException {
    H2Store store = new H2Store(database, config);
    try {
      store.findTables();
      return store;
    } catch (SQLException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private void findTables() throws SQLException {
    String sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'";
    read(session -> {
      try (ResultSet result = session.statement(sql).executeQuery()) {
        while (result.next()) {
          add(result.getString(1));
        }
        return tables;
      }
    });
  }

  private void add(String sqlName) {
    for (Shape shape : Shape.values()) {
      if (sqlName.startsWith(shape.prefix)) {
        String name = sqlName.substring(shape.prefix.length());
        tables.put(name, new H2Table(name, shape));
      }
    }
  }

  @Override
  public Limits limits() {
    return database.casket()
        ? new Limits(H2Table.CASKET_KEY_BYTES, H2Engine.INFO.limits().maxValueBytes())
        : H2Engine.INFO.limits();
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return Errors.of(thrown);
  }

  // ---- sessions

  /** A read on a session. */
  @FunctionalInterface
  private interface Query<R> {
    R of(Session session) throws SQLException;
  }

  /** A task that writes. */
  @FunctionalInterface
  interface Task {
    void run(Session session) throws SQLException;
  }

  /** Runs a query for committed data. */
  private <R> R read(Query<R> query) throws SQLException {
    Session session = sessions.lease();
    try {
      return query.of(session);
    } finally {
      sessions.release(session);
    }
  }

  /**
   * Runs one statement that writes.
   *
   * @param keys what it may write, by {@link KeyLocks}
   */
  private void write(long keys, Task task) throws SQLException {
    if (committer.saved()) {
      transact(keys, task);
      return;
    }
    Runnable end = enter(keys);
    try {
      read(session -> {
        task.run(session);
        return true;
      });
    } finally {
      end.run();
    }
  }

  /** Runs statements that write as one transaction. */
  private void transact(long keys, Task task) throws SQLException {
    try (H2Transaction transaction = H2Transaction.begin(sessions, committer, enter(keys))) {
      transaction.run(task);
      transaction.commit();
    }
  }

  /** Waits for others' writes to these keys, and for a transaction; returns what lets others in. */
  private Runnable enter(long keys) {
    queues.lockAlone(keys);
    try {
      Locks.lock(writers.readLock(), patience, place());
    } catch (RuntimeException | Error e) {
      queues.unlockAlone(keys);
      throw e;
    }
    return () -> {
      writers.readLock().unlock();
      queues.unlockAlone(keys);
    };
  }

  private String place() {
    return "h2: " + database.file();
  }

  /** Runs DDL, which waits for H2's own locks regardless of the session's timeout. */
  private void define(String sql) throws SQLException {
    try (OwnThread thread = new OwnThread("h2-ddl")) {
      write(0, session -> thread.run(() -> session.execute(sql)));
    }
  }

  // ---- tables

  @Override
  public Set<String> tables() {
    return Set.copyOf(tables.keySet());
  }

  @Override
  public @Nullable H2Table openTable(String name, Options options, boolean create)
      throws SQLException {
    H2Table table = tables.get(name);
    if (table != null || !create) {
      return table;
    }
    H2Table made = new H2Table(name, database.casket() ? Shape.CASKET : Shape.PLAIN);
    define(made.creation());
    tables.put(name, made);
    return made;
  }

  @Override
  public void dropTable(H2Table table) throws SQLException {
    define("DROP TABLE " + table.quoted());
    tables.remove(table.name());
    sessions.closeIdle();
  }

  @Override
  public boolean clear(H2Table table) throws SQLException {
    write(KeyLocks.ALL, session -> session.execute("DELETE FROM " + table.quoted()));
    return true;
  }

  @Override
  public long count(H2Table table) throws SQLException {
    return number("SELECT COUNT(*) FROM " + table.quoted());
  }

  @Override
  public long estimateCount(H2Table table) throws SQLException {
    return number(
        "SELECT row_count_estimate FROM information_schema.tables WHERE table_schema = 'PUBLIC'"
            + " AND table_name = '"
            + table.sqlName()
            + "'");
  }

  private long number(String sql) throws SQLException {
    return read(session -> {
      try (ResultSet result = session.statement(sql).executeQuery()) {
        return result.next() ? result.getLong(1) : 0L;
      }
    });
  }

  // ---- reading

  @Override
  public byte @Nullable [] get(H2Table table, byte[] key) throws SQLException {
    Session session = sessions.lease();
    try {
      return session.get(table, key);
    } finally {
      sessions.release(session);
    }
  }

  @Override
  public boolean contains(H2Table table, byte[] key) throws SQLException {
    return read(session -> session.contains(table, key));
  }

  @Override
  public EngineCursor cursor(H2Table table, Range<byte[]> range) throws Exception {
    Session own = sessions.leaseView();
    return new H2Cursor(own, new ReentrantLock(), table, range, () -> sessions.releaseView(own));
  }

  @Override
  public EngineSnapshot<H2Table> snapshot() throws SQLException {
    return H2Snapshot.take(sessions, Set.copyOf(tables.values()));
  }

  // ---- writing

  @Override
  public void put(H2Table table, byte[] key, byte[] value) throws SQLException {
    write(KeyLocks.of(table, key), session -> session.put(table, key, value));
  }

  @Override
  public void delete(H2Table table, byte[] key) throws SQLException {
    write(KeyLocks.of(table, key), session -> session.delete(table, key));
  }

  @Override
  public long delete(H2Table table, Range<byte[]> range) throws SQLException {
    AtomicLong removed = new AtomicLong();
    write(KeyLocks.ALL, session -> removed.set(session.delete(table, range)));
    return removed.get();
  }

  @Override
  public void write(List<Write<H2Table>> writes) throws SQLException {
    transact(
        KeyLocks.of(writes),
        session -> {
          for (Write<H2Table> write : writes) {
            byte[] value = write.value();
            if (write.range() != null) {
              session.delete(write.table(), write.range());
            } else if (value == null) {
              session.delete(write.table(), write.key());
            } else {
              session.put(write.table(), write.key(), value);
            }
          }
        });
  }

  @Override
  public EngineTransaction<H2Table> begin(TransactionMode mode, Duration lockTimeout)
      throws SQLException {
    Lock alone = writers.writeLock();
    Locks.lock(alone, lockTimeout, place());
    return H2Transaction.begin(sessions, committer, alone::unlock);
  }

  // ---- the whole

  @Override
  public void sync() throws SQLException {
    if (!readOnly) {
      read(session -> {
        committer.sync(session);
        return true;
      });
    }
  }

  /**
   * Does what H2's own BACKUP does, without its zip file. Where commits are not saved, the file may
   * lack some.
   */
  @Override
  public boolean backup(BackupTarget target) throws SQLException, IOException {
    if (!committer.saved() || readOnly) {
      return false;
    }
    MVStore store = sessions.store();
    backups.lock();
    try {
      AtomicReference<FileCopy> copy = new AtomicReference<>();
      committer.uninterruptibly(() -> { // not in the middle of a commit
        store.setReuseSpace(false);
        copy.set(FileCopy.of(store));
      });
      Objects.requireNonNull(copy.get())
          .to(target.directory().resolve(database.file().getFileName()));
      return true;
    } finally {
      store.setReuseSpace(true);
      backups.unlock();
    }
  }

  /** Each commit of a removal writes the pages on the way to it; what they replace is kept. */
  @Override
  public long diskReserve() {
    return RESERVE;
  }

  @Override
  public Map<String, String> stats() throws SQLException {
    String sql = "SELECT setting_name, setting_value FROM information_schema.settings";
    return read(session -> {
      Map<String, String> stats = new LinkedHashMap<>();
      try (ResultSet result = session.statement(sql).executeQuery()) {
        while (result.next()) {
          stats.put(result.getString(1), String.valueOf(result.getString(2)));
        }
      }
      return stats;
    });
  }

  @Override
  public Map<String, Long> memory() {
    MVStore store = sessions.store();
    return Map.of(
        "cache", (long) store.getCacheSizeUsed() << 20, "unsaved", (long) store.getUnsavedMemory());
  }

  @Override
  public void close() throws SQLException {
    try (committer) {
      committer.uninterruptibly(sessions::close);
    }
  }
}
