package io.kvstadium.engine.rocksjava;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/** RocksDB's interface by hand: one database, its default column family, its options kept. */
public abstract class RocksJavaBaseline implements Baseline {
  private final RocksJavaEngine engine;

  /** With the settings of this engine. */
  protected RocksJavaBaseline(RocksJavaEngine engine) {
    this.engine = engine;
  }

  @Override
  public final boolean canScan() {
    return true;
  }

  @Override
  public final Handle open(StoreConfig config) throws RocksDBException, IOException {
    return new Raw(engine.openDatabase(config));
  }

  private static final class Raw implements Handle {
    private final RocksDbDatabase database;
    private final RocksDB db;
    private final ColumnFamilyHandle family;
    private final ReadOptions reads = new ReadOptions();
    private final WriteOptions writes;

    Raw(RocksDbDatabase database) {
      this.database = database;
      this.db = database.db;
      this.family = Objects.requireNonNull(database.tables.get(Store.DEFAULT_TABLE)).family();
      this.writes = database.writes;
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws RocksDBException {
      return db.get(family, reads, key);
    }

    @Override
    public int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each)
        throws RocksDBException {
      try (RocksIterator iterator = db.newIterator(family, reads)) {
        int count = 0;
        for (iterator.seek(from); count < limit && iterator.isValid(); iterator.next()) {
          each.accept(iterator.key(), iterator.value());
          count++;
        }
        iterator.status();
        return count;
      }
    }

    @Override
    public void put(byte[] key, byte[] value) throws RocksDBException {
      db.put(family, writes, key, value);
    }

    @Override
    public void delete(byte[] key) throws RocksDBException {
      db.delete(family, writes, key);
    }

    @Override
    public void close() throws RocksDBException, IOException {
      reads.close();
      database.closeAndReport();
    }
  }
}
