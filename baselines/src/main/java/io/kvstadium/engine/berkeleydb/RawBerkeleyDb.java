package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.OperationStatus;
import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.StoreConfig;
import org.jspecify.annotations.Nullable;

/** JE by hand. */
public final class RawBerkeleyDb implements Baseline {
  @Override
  public Handle open(StoreConfig config) {
    Environment environment =
        new Environment(config.directory().toFile(), BerkeleyDbEngine.environmentConfig(config));
    return new RawHandle(
        environment,
        environment.openDatabase(
            null, Store.DEFAULT_TABLE, JeStore.tableConfig(config).setAllowCreate(true)));
  }

  private record RawHandle(Environment environment, Database database) implements Handle {
    @Override
    public byte @Nullable [] get(byte[] key) {
      DatabaseEntry value = new DatabaseEntry();
      boolean found =
          database.get(null, new DatabaseEntry(key), value, null) == OperationStatus.SUCCESS;
      return found ? value.getData() : null;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      database.put(null, new DatabaseEntry(key), new DatabaseEntry(value));
    }

    @Override
    public void delete(byte[] key) {
      database.delete(null, new DatabaseEntry(key));
    }

    @Override
    public void close() {
      database.close();
      environment.close();
    }
  }
}
