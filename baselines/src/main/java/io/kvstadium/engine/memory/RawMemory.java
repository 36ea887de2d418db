package io.kvstadium.engine.memory;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.spi.StoreConfig;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/** Memory by hand: one persistent tree behind a volatile field. */
public final class RawMemory implements Baseline {
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
    return new RawHandle();
  }

  private static final class RawHandle implements Handle {
    private final ReentrantLock writers = new ReentrantLock();
    private volatile TreePMap<byte[], byte[]> entries = TreePMap.empty(Arrays::compareUnsigned);

    @Override
    public byte @Nullable [] get(byte[] key) {
      byte[] value = entries.get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public void put(byte[] key, byte[] value) {
      change(now -> now.plus(key.clone(), value.clone()));
    }

    @Override
    public void delete(byte[] key) {
      change(now -> now.minus(key));
    }

    private void change(UnaryOperator<TreePMap<byte[], byte[]>> change) {
      writers.lock();
      try {
        entries = change.apply(entries);
      } finally {
        writers.unlock();
      }
    }

    @Override
    public int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
      Iterator<Map.Entry<byte[], byte[]>> rest = entries.tailMap(from, true).entrySet().iterator();
      int count = 0;
      for (; count < limit && rest.hasNext(); count++) {
        Map.Entry<byte[], byte[]> entry = rest.next();
        each.accept(entry.getKey().clone(), entry.getValue().clone());
      }
      return count;
    }

    @Override
    public Handle another() {
      return this; // its close has nothing to end
    }

    @Override
    public void close() {}
  }
}
