package io.kvstadium.engine.halodb;

import io.kvstadium.store.Durability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.Baseline;
import io.kvstadium.store.spi.StoreConfig;
import org.jspecify.annotations.Nullable;

/**
 * HaloDB by hand: through the same constant method handles as the adapter, which cost what calls
 * cost, for it cannot be compiled against.
 */
public final class RawHaloDb implements Baseline {
  /** For {@link java.util.ServiceLoader}. */
  public RawHaloDb() {}

  @Override
  public String engine() {
    return "halodb";
  }

  @Override
  public Handle open(StoreConfig config) {
    String problem = new HaloDbEngine().unavailable();
    if (problem != null) {
      throw new StadiumException("engine halodb: " + problem);
    }
    boolean synced = config.durability() == Durability.POWER;
    Failures failures = new Failures(config.directory());
    try {
      return new RawHandle(
          HaloDbApi.open(
              config.directory().toFile(),
              HaloDbApi.options(HaloDbEngine.settings(config, synced))),
          failures);
    } catch (Throwable e) {
      throw failures.opening(e);
    }
  }

  private record RawHandle(Object db, Failures failures) implements Handle {
    @Override
    public byte @Nullable [] get(byte[] key) {
      try {
        return HaloDbApi.get(db, key);
      } catch (Throwable e) {
        throw failures.using(e);
      }
    }

    @Override
    public void put(byte[] key, byte[] value) {
      try {
        HaloDbApi.put(db, key, value);
      } catch (Throwable e) {
        throw failures.using(e);
      }
    }

    @Override
    public void delete(byte[] key) {
      try {
        HaloDbApi.delete(db, key);
      } catch (Throwable e) {
        throw failures.using(e);
      }
    }

    @Override
    public void close() {
      try {
        HaloDbApi.close(db);
      } catch (Throwable e) {
        throw failures.using(e);
      }
    }
  }
}
