package io.kvstadium.engine.rocksdb;

import io.kvstadium.store.Store;
import io.kvstadium.store.spi.Baseline;
import io.kvstadium.store.spi.StoreConfig;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** RocksDB by hand: one database, its default column family, its options kept. */
public final class RawRocksDb implements Baseline {
  /** Made by {@link java.util.ServiceLoader}. */
  public RawRocksDb() {}

  @Override
  public String engine() {
    return RocksDbEngine.NAME;
  }

  @Override
  public Handle open(StoreConfig config) {
    RocksDbEngine.natives().load();
    RocksDbErrors errors = new RocksDbErrors(RocksDbEngine.NAME, config.directory());
    try {
      return new Raw(RocksDbDatabase.open(config), errors);
    } catch (RocksDBException e) {
      throw errors.ofOpen(e);
    }
  }

  private static final class Raw implements Handle {
    private final RocksDbDatabase database;
    private final RocksDbErrors errors;
    private final RocksDB db;
    private final ColumnFamilyHandle family;
    private final ReadOptions reads = new ReadOptions();
    private final WriteOptions writes;

    Raw(RocksDbDatabase database, RocksDbErrors errors) {
      this.database = database;
      this.errors = errors;
      this.db = database.db;
      this.family = Objects.requireNonNull(database.tables.get(Store.DEFAULT_TABLE)).family();
      this.writes = database.writes;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      try {
        return db.get(family, reads, key);
      } catch (RocksDBException e) {
        throw errors.of(e);
      }
    }

    @Override
    public void put(byte[] key, byte[] value) {
      try {
        db.put(family, writes, key, value);
      } catch (RocksDBException e) {
        throw errors.of(e);
      }
    }

    @Override
    public void delete(byte[] key) {
      try {
        db.delete(family, writes, key);
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
      }
    }
  }
}
