package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreStatus;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Portions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/** An open LMDB environment. */
final class LmdbStore implements EngineStore<LmdbTable> {
  /** How much a transaction of a load holds: much more costs memory and gains nothing. */
  private static final long LOAD_BYTES = 16 << 20;

  private static final byte[] ANY_KEY = {0};

  private final Path directory;
  private final Environment environment;
  private final LmdbTables tables;
  private final KeyBuffer key = new KeyBuffer(); // guarded by the writer's lock

  LmdbStore(StoreConfig config) {
    this.directory = config.directory();
    this.environment = new Environment(config);
    try {
      tables = new LmdbTables(environment, config.adopt());
      if (!config.readOnly()) {
        tables.make(Store.DEFAULT_TABLE);
      }
    } catch (RuntimeException e) {
      environment.close();
      throw e;
    }
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return Failures.of(thrown, directory);
  }

  @Override
  public Set<String> tables() {
    return tables.names();
  }

  @Override
  public Map<String, String> unreadable() {
    return tables.unreadable();
  }

  /** Existing tables were opened with the store, so only making one waits for a writer. */
  @Override
  public @Nullable LmdbTable openTable(String name, Options options, boolean create) {
    return create ? tables.make(name) : tables.get(name);
  }

  /**
   * Empties it first, which may be retried. The second step ends the handle even if its commit
   * fails, so that step must not meet a full map.
   */
  @Override
  public void dropTable(LmdbTable table) {
    clear(table);
    tables.drop(table);
  }

  @Override
  public byte @Nullable [] get(LmdbTable table, byte[] bytes) {
    try (Reader reader = environment.begin()) {
      Slice found = reader.find(table, bytes);
      return found == null ? null : found.toArray();
    }
  }

  @Override
  public <R> @Nullable R get(LmdbTable table, byte[] bytes, ValueReader<R> valueReader) {
    try (Reader reader = environment.begin()) {
      Slice found = reader.find(table, bytes);
      return found == null ? null : valueReader.read(found.segment(environment.arena()));
    }
  }

  @Override
  public byte[] @Nullable [] multiGet(LmdbTable table, byte[][] keys) {
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    try (Reader reader = environment.begin()) {
      for (int i = 0; i < keys.length; i++) {
        Slice found = reader.find(table, keys[i]);
        values[i] = found == null ? null : found.toArray();
      }
      return values;
    }
  }

  @Override
  public boolean contains(LmdbTable table, byte[] bytes) {
    try (Reader reader = environment.begin()) {
      return reader.find(table, bytes) != null;
    }
  }

  @Override
  public EngineCursor cursor(LmdbTable table, Range<byte[]> range) {
    Reader reader = environment.begin();
    try {
      return new LmdbCursor(
          table.dbi().openCursor(reader.txn()),
          range,
          reader.key(),
          null,
          environment.arena(),
          reader.path(table),
          reader::close);
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  @Override
  public void put(LmdbTable table, byte[] bytes, byte[] value) {
    environment.write(txn -> {
      put(txn, table, key.hold(bytes), value);
      return true;
    });
  }

  /** Writes the value straight into its page. */
  static void put(Txn<Slice> txn, LmdbTable table, Slice key, byte[] value) {
    table.dbi().reserve(txn, key, value.length).fill(value);
  }

  @Override
  public void delete(LmdbTable table, byte[] bytes) {
    environment.write(txn -> table.dbi().delete(txn, key.hold(bytes)));
  }

  @Override
  public void write(List<Write<LmdbTable>> writes) {
    environment.write(txn -> {
      for (Write<LmdbTable> write : writes) {
        byte[] value = write.value();
        if (write.range() != null) {
          delete(txn, write.table(), write.range());
        } else if (value == null) {
          write.table().dbi().delete(txn, key.hold(write.key()));
        } else {
          put(txn, write.table(), key.hold(write.key()), value);
        }
      }
      return true;
    });
  }

  /**
   * Loads in transactions as the durability level has them. A single one would keep up to 512 MB in
   * memory and then sort an ever longer list of what it has spilled. With several that are flushed
   * only once at the end, a power cut could take what was there before: the newest meta page on the
   * disk may then be one whose pages are not.
   */
  @Override
  public void bulkLoad(LmdbTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted) {
    Portions.forEach(entries, LOAD_BYTES, portion -> write(table, portion, sorted));
  }

  private void write(LmdbTable table, List<Entry<byte[], byte[]>> portion, boolean sorted) {
    environment.write(txn -> {
      try (Cursor<Slice> cursor = table.dbi().openCursor(txn)) {
        boolean behind =
            sorted && (!cursor.last() || cursor.key().compareTo(portion.getFirst().key()) < 0);
        // fills pages completely; usually LMDB leaves each half empty
        PutFlags[] flags = behind ? new PutFlags[] {PutFlags.MDB_APPEND} : new PutFlags[0];
        for (Entry<byte[], byte[]> entry : portion) {
          byte[] value = entry.value();
          cursor.reserve(key.hold(entry.key()), value.length, flags).fill(value);
        }
      }
      return true;
    });
  }

  @Override
  public EngineTransaction<LmdbTable> begin(TransactionMode mode, Duration lockTimeout) {
    environment.writer().lock(lockTimeout);
    try {
      environment.checkUsable();
      environment.forgetDeadReaders();
      return new LmdbTransaction(environment);
    } catch (RuntimeException e) {
      environment.writer().unlock();
      throw environment.noted(e);
    }
  }

  @Override
  public EngineSnapshot<LmdbTable> snapshot() {
    return new LmdbSnapshot(environment);
  }

  @Override
  public long delete(LmdbTable table, Range<byte[]> range) {
    return environment.write(txn -> delete(txn, table, range));
  }

  private long delete(Txn<Slice> txn, LmdbTable table, Range<byte[]> range) {
    long count = 0;
    Cursor<Slice> cursor = table.dbi().openCursor(txn);
    try (var walk = new LmdbCursor(cursor, range, key, null, environment.arena(), null, () -> {})) {
      while (walk.next()) { // from what was deleted
        cursor.delete();
        count++;
      }
    }
    return count;
  }

  @Override
  public boolean clear(LmdbTable table) {
    environment.write(txn -> {
      table.dbi().drop(txn);
      return true;
    });
    return true;
  }

  @Override
  public long count(LmdbTable table) {
    try (Reader reader = environment.begin()) {
      reader.find(table, ANY_KEY); // or LMDB would return the figures of a dropped table
      return table.dbi().stat(reader.txn()).entries;
    }
  }

  @Override
  public long estimateCount(LmdbTable table) {
    return count(table);
  }

  @Override
  public void sync() {
    environment.sync();
  }

  @Override
  public boolean backup(BackupTarget target) {
    environment.copyTo(target.directory());
    return true;
  }

  @Override
  public Map<String, String> stats() {
    try (Reader reader = environment.begin()) {
      return tables.whileNoneIsDropped(() -> LmdbStats.of(environment.env(), reader, tables));
    }
  }

  @Override
  public Map<String, Long> memory() {
    return Map.of(StoreStatus.Memory.PAGE_CACHE, LmdbStats.usedBytes(environment.env()));
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() {
    environment.close();
  }
}
