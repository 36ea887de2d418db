package io.kvstadium.bench.fake;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.StoreConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The map behind {@link MisbehavingEngine}, by hand. */
public final class RawMisbehaving implements Baseline {
  @Override
  public boolean canScan() {
    return true;
  }

  @Override
  public boolean canShare() {
    return true;
  }

  @Override
  public Handle open(StoreConfig config) {
    boolean fails = config.options().text("deed").equals("fail");
    NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
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
      public int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
        List<Map.Entry<byte[], byte[]>> found =
            entries.tailMap(from, true).entrySet().stream().limit(limit).toList();
        found.forEach(entry -> each.accept(entry.getKey(), entry.getValue()));
        return found.size();
      }

      @Override
      public Handle another() {
        return this;
      }

      @Override
      public void close() {}
    };
  }
}
