package io.kvstadium.bench.fake;

import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.Baseline;
import io.kvstadium.store.spi.StoreConfig;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The map behind {@link MisbehavingEngine}, by hand. */
public final class MapBaseline implements Baseline {
  /** For the service loader. */
  public MapBaseline() {}

  @Override
  public String engine() {
    return MisbehavingEngine.NAME;
  }

  @Override
  public Handle open(StoreConfig config) {
    boolean fails = config.options().text("deed").equals("fail");
    Map<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    return new Handle() {
      @Override
      public byte @Nullable [] get(byte[] key) {
        return entries.get(key);
      }

      @Override
      public void put(byte[] key, byte[] value) {
        if (fails) {
          throw new StoreIoException("the disk is on fire");
        }
        entries.put(key, value);
      }

      @Override
      public void delete(byte[] key) {
        entries.remove(key);
      }

      @Override
      public void close() {}
    };
  }
}
