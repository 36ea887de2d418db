package io.kvstadium.engine.halodb;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.StoreConfig;
import org.jspecify.annotations.Nullable;

/**
 * HaloDB by hand, through the same constant method handles as the adapter, since it cannot be
 * compiled against. They cost as much as calls.
 */
public final class RawHaloDb implements Baseline {
  @Override
  public Handle open(StoreConfig config) throws Exception {
    String problem = new HaloDbEngine().unavailable();
    if (problem != null) {
      throw new StadiumException("engine halodb: " + problem);
    }
    boolean synced = config.durability() == Durability.POWER;
    try {
      return new RawHandle(
          HaloDbApi.open(
              config.directory().toFile(),
              HaloDbApi.options(HaloDbEngine.settings(config, synced))));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A method handle may throw anything. */
  private static Exception thrown(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return (Exception) e;
  }

  private record RawHandle(Object db) implements Handle {
    @Override
    public byte @Nullable [] get(byte[] key) throws Exception {
      try {
        return HaloDbApi.get(db, key);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    @Override
    public void put(byte[] key, byte[] value) throws Exception {
      try {
        HaloDbApi.put(db, key, value);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    @Override
    public void delete(byte[] key) throws Exception {
      try {
        HaloDbApi.delete(db, key);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    @Override
    public void close() throws Exception {
      try {
        HaloDbApi.close(db);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }
  }
}
