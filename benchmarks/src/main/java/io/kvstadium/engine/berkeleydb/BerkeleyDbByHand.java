package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.OperationStatus;
import io.kvstadium.benchmarks.ByHand;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.StoreConfig;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** JE by hand. */
public final class BerkeleyDbByHand implements ByHand {
  private final Environment environment;
  private final Database database;

  /** Opens or creates the store. */
  public BerkeleyDbByHand(StoreConfig config) {
    environment =
        new Environment(config.directory().toFile(), BerkeleyDbEngine.environmentConfig(config));
    database =
        environment.openDatabase(
            null, Store.DEFAULT_TABLE, JeStore.tableConfig(config).setAllowCreate(true));
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    DatabaseEntry value = new DatabaseEntry();
    boolean found =
        database.get(null, new DatabaseEntry(key), value, null) == OperationStatus.SUCCESS;
    return found ? value.getData() : null;
  }

  @Override
  public void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
    DatabaseEntry key = new DatabaseEntry(from);
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = database.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, value, null);
      for (int i = 0; i < limit && status == OperationStatus.SUCCESS; i++) {
        each.accept(key.getData(), value.getData());
        status = cursor.getNext(key, value, null);
      }
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    database.put(null, new DatabaseEntry(key), new DatabaseEntry(value));
  }

  @Override
  public void close() {
    database.close();
    environment.close();
  }
}
