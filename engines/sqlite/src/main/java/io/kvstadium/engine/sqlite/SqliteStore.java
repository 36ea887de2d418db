package io.kvstadium.engine.sqlite;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Portions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An open SQLite database. In WAL mode, reads of committed entries use separate connections; where
 * SQLite lets nobody read while somebody commits, they take turns on the writer's.
 */
final class SqliteStore extends SqliteReader implements EngineStore<SqliteTable> {
  /**
   * How much a transaction of a load holds. Larger ones gained nothing, and in WAL mode the log is
   * as large as the largest transaction.
   */
  private static final long LOAD_BYTES = 16 << 20;

  private final Database database;
  private final Writer writer;
  private final Sessions sessions;

  /** Whether reads take turns on the writer's connection. */
  private final boolean shared;

  private final Set<Capability> capabilities;

  /** Open on the file from before it is used until after, where SQLite itself never syncs it. */
  private final @Nullable RandomAccessFile unsynced;

  /** The tables of a database that another program made. */
  private final @Nullable Adoption adoption;

  private final Set<String> tables = ConcurrentHashMap.newKeySet();

  SqliteStore(
      Database database,
      Session first,
      boolean wal,
      Set<Capability> capabilities,
      @Nullable RandomAccessFile unsynced,
      @Nullable Adoption adoption)
      throws SQLException {
    this.database = database;
    this.adoption = adoption;
    this.capabilities = capabilities;
    this.unsynced = unsynced;
    this.sessions = new Sessions(database);
    this.writer =
        new Writer(
            first, database.file(), Duration.ofMillis(database.settings().busyTimeoutMillis()));
    this.shared = !database.readOnly() && !wal;
    tables.addAll(adoption == null ? readTables(first) : adoption.tables());
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.copyOf(capabilities);
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return Errors.of(thrown);
  }

  // ---- tables

  @Override
  public Set<String> tables() throws SQLException {
    return Set.copyOf(known());
  }

  @Override
  public Map<String, String> unreadable() {
    return adoption == null ? Map.of() : adoption.unreadable();
  }

  @Override
  public @Nullable SqliteTable openTable(String name, Options options, boolean create)
      throws SQLException {
    if (adoption != null) {
      return adoption.table(name);
    }
    if (options.has("key") || options.has("value")) {
      throw new BadArgumentException(
          "sqlite: key and value name columns of an adopted database: add adopt=true, or leave them"
              + " out");
    }
    SqliteTable table = new SqliteTable(name);
    if (known().contains(name)) {
      return table;
    }
    if (!create) {
      return null;
    }
    run(table.creation());
    tables.add(name);
    return table;
  }

  /**
   * Returns the existing tables. Only this store makes and drops them, unless it is read-only, so
   * nobody has to wait for the writer to find out.
   */
  private Set<String> known() throws SQLException {
    return database.readOnly() && adoption == null ? read(SqliteStore::readTables) : tables;
  }

  private static Set<String> readTables(Session session) throws SQLException {
    Set<String> found = new HashSet<>();
    for (String table :
        session.queryAll(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 2) = '"
                + SqliteTable.PREFIX
                + "'")) {
      found.add(SqliteTable.storeName(table));
    }
    return found;
  }

  @Override
  public void dropTable(SqliteTable table) throws SQLException {
    writer.write(session -> {
      session.execute("DROP TABLE " + table.quoted());
      session.closeStatements();
    });
    tables.remove(table.name());
    sessions.closeIdle();
  }

  @Override
  public boolean clear(SqliteTable table) throws SQLException {
    run("DELETE FROM " + table.quoted());
    return true;
  }

  @Override
  public long count(SqliteTable table) throws SQLException {
    return read(session -> Long.parseLong(session.query("SELECT count(*) FROM " + table.quoted())));
  }

  /** Runs one SQL statement that writes. */
  private void run(String sql) throws SQLException {
    writer.write(session -> session.execute(sql));
  }

  // ---- reading

  @Override
  public EngineCursor cursor(SqliteTable table, Range<byte[]> range) throws SQLException {
    if (shared) {
      return super.cursor(table, range);
    }
    Session own = sessions.lease();
    return new SqliteCursor(new OwnSession(own, sessions), table, range).started();
  }

  /** For a cursor that has a session to itself, which then needs no lock. */
  private record OwnSession(Session session, Sessions sessions) implements SqliteCursor.Source {
    @Override
    public Session enter() {
      return session;
    }

    @Override
    public void exit(Session entered) {}

    @Override
    public void end() throws SQLException {
      sessions.release(session);
    }
  }

  /**
   * Returns a session for reading committed entries. Where reads use the writer's connection, a
   * thread in a transaction would see its uncommitted writes there. So it reads on another
   * connection, which a rollback journal allows until the commit.
   */
  @Override
  public Session enter() throws SQLException {
    if (!shared) {
      return sessions.enterReader();
    }
    if (!writer.isMine()) {
      return writer.enter(writer.patience());
    }
    return sessions.lease();
  }

  @Override
  public void exit(Session session) throws SQLException {
    if (!shared) {
      sessions.exitReader(session);
    } else if (session != writer.session()) {
      sessions.release(session);
    } else {
      session.lock().unlock();
    }
  }

  // ---- writing

  @Override
  public void put(SqliteTable table, byte[] key, byte[] value) throws SQLException {
    writer.write(session -> session.put(table, key, value));
  }

  @Override
  public void delete(SqliteTable table, byte[] key) throws SQLException {
    writer.write(session -> session.delete(table, key));
  }

  @Override
  public long delete(SqliteTable table, Range<byte[]> range) throws SQLException {
    AtomicLong removed = new AtomicLong();
    writer.write(session -> removed.set(session.delete(table, range)));
    return removed.get();
  }

  /** Consecutive puts into the same table go together, several with each statement. */
  @Override
  public void write(List<Write<SqliteTable>> writes) throws SQLException {
    writer.writeTogether(transaction -> {
      List<Entry<byte[], byte[]>> puts = new ArrayList<>();
      for (int i = 0; i < writes.size(); i++) {
        Write<SqliteTable> write = writes.get(i);
        byte[] value = write.value();
        if (write.range() != null) {
          transaction.delete(write.table(), write.range());
        } else if (value == null) {
          transaction.delete(write.table(), write.key());
        } else if (value.length >= Session.LARGE_BYTES) {
          transaction.put(write.table(), write.key(), value);
        } else {
          puts.add(new Entry<>(write.key(), value));
          if (i + 1 == writes.size() || !goesWith(write, writes.get(i + 1))) {
            transaction.putAll(write.table(), puts);
            puts.clear();
          }
        }
      }
    });
  }

  private static boolean goesWith(Write<SqliteTable> put, Write<SqliteTable> next) {
    byte[] value = next.value();
    return value != null
        && value.length < Session.LARGE_BYTES // the statement has all of its values in memory
        && next.table().equals(put.table());
  }

  /**
   * Loads in large transactions in the store's own journal mode. A rollback journal would write a
   * new database only once instead of into the log and then into the file, which took half the
   * time. But leaving WAL mode requires every other connection to be closed, and readers would have
   * no snapshots meanwhile. Without any journal a kill would leave a damaged file instead of an
   * empty store.
   */
  @Override
  public void bulkLoad(SqliteTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted)
      throws SQLException {
    Portions.forEach(entries, LOAD_BYTES, portion -> write(table, portion));
  }

  private void write(SqliteTable table, List<Entry<byte[], byte[]>> portion) throws SQLException {
    writer.writeTogether(transaction -> transaction.putAll(table, portion));
  }

  @Override
  public SqliteTransaction begin(TransactionMode mode, Duration lockTimeout) throws SQLException {
    return SqliteTransaction.begin(writer, lockTimeout);
  }

  @Override
  public EngineSnapshot<SqliteTable> snapshot() throws SQLException {
    return SqliteSnapshot.take(sessions);
  }

  // ---- the whole

  /**
   * Commits an empty change with every sync that SQLite has, which covers all that is not synced
   * yet: the whole log in WAL mode, the whole database with a rollback journal. (A checkpoint is
   * not enough: it stops at the oldest open snapshot, and does nothing if nothing is left to copy.)
   * With synchronous=OFF, checkpoints have copied parts of the log unsynced, so the database is
   * synced too.
   */
  @Override
  public void sync() throws SQLException, IOException {
    if (database.readOnly()) {
      return;
    }
    writer.write(session -> {
      session.execute("PRAGMA synchronous=EXTRA");
      try {
        session.execute("PRAGMA user_version=" + session.query("PRAGMA user_version"));
      } finally {
        session.execute("PRAGMA synchronous=" + database.settings().synchronous());
      }
    });
    if (unsynced != null) {
      unsynced.getFD().sync(); // unlike a channel, not closed by an interrupt
    }
  }

  @Override
  public void compact(SqliteTable table) throws SQLException {
    writer.write(session -> {
      session.execute("VACUUM"); // there is no VACUUM of one table
      // in WAL mode the file itself shrinks at the checkpoint; elsewhere this does nothing
      if (session.query("PRAGMA wal_checkpoint(TRUNCATE)").equals("1")) {
        throw new ConflictException(
            "sqlite: "
                + database.file()
                + " was compacted, but open cursors or snapshots keep the file from shrinking: close"
                + " them and compact again");
      }
    });
  }

  /** The copy comes without WAL mode, which a read-only open could not set. */
  @Override
  public boolean backup(BackupTarget target) throws SQLException {
    Path copy = target.directory().toAbsolutePath().resolve(Database.FILE);
    Session session = sessions.lease();
    try {
      session.execute("VACUUM INTO '" + copy.toString().replace("'", "''") + "'");
    } finally {
      sessions.release(session);
    }
    new Database(copy, database.settings(), false, false, false).openFirst().close();
    return true;
  }

  @Override
  public Map<String, String> stats() throws SQLException {
    return read(session -> {
      Map<String, String> stats = new LinkedHashMap<>();
      stats.put("sqlite_version", session.query("SELECT sqlite_version()"));
      for (String pragma :
          List.of(
              "journal_mode",
              "synchronous",
              "page_size",
              "page_count",
              "freelist_count",
              "cache_size",
              "mmap_size",
              "wal_autocheckpoint",
              "auto_vacuum")) {
        stats.put(pragma, session.query("PRAGMA " + pragma));
      }
      return stats;
    });
  }

  @Override
  public @Nullable WriteStalls stalls() {
    return shared ? null : writer.checkpoints().stalls();
  }

  /** SQLite's own count cannot be asked by its driver: each connection caches no more than this. */
  @Override
  public Map<String, Long> memory() {
    long cache = Math.min(database.settings().cacheBytes(), database.file().toFile().length());
    return Map.of("page_caches_at_most", cache * (1 + sessions.count()));
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  /** Closes the writer last: the last connection to close moves the log into the database. */
  @Override
  public void close() throws SQLException, IOException {
    try (RandomAccessFile _ = unsynced; // closed last
        Session _ = writer.session()) {
      sessions.closeIdle();
    }
    database.removeOwnLog();
  }
}
