package io.kvstadium.engine.rocksjava;

import io.kvstadium.benchmarks.ByHand;
import io.kvstadium.engine.rocksdb.RocksDbEngine;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.StoreConfig;
import java.io.IOException;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** RocksDB by hand: one database, its default column family, its options kept. */
public final class RocksDbByHand implements ByHand {
  private final RocksDbDatabase database;
  private final ColumnFamilyHandle family;
  private final ReadOptions reads = new ReadOptions();

  /** Opens or creates the store. */
  public RocksDbByHand(StoreConfig config) throws RocksDBException, IOException {
    RocksJavaEngine engine = new RocksDbEngine();
    database = engine.openDatabase(config);
    family = Objects.requireNonNull(database.tables.get(Store.DEFAULT_TABLE)).family();
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws RocksDBException {
    return database.db.get(family, reads, key);
  }

  @Override
  public void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each)
      throws RocksDBException {
    try (RocksIterator iterator = database.db.newIterator(family, reads)) {
      iterator.seek(from);
      for (int i = 0; i < limit && iterator.isValid(); i++) {
        each.accept(iterator.key(), iterator.value());
        iterator.next();
      }
      iterator.status();
    }
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    database.db.put(family, database.writes, key, value);
  }

  @Override
  public void close() throws RocksDBException, IOException {
    reads.close();
    database.closeAndReport();
  }
}
