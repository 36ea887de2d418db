package io.kvstadium.bench.trial;

import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.WriteStalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Each operation on its own, through the library. */
final class StoreTarget implements Target {
  private final Store store;
  private final Table<byte[], byte[]> table;

  /** Share a multi-get; idle ones end, and the process does not wait for them. */
  private final ExecutorService readers =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

  StoreTarget(Store store) {
    this.store = store;
    this.table = store.table();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return table.get(key);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    if (parallelism == 1) {
      return table.multiGet(keys);
    }
    int portion = Math.ceilDiv(keys.size(), parallelism);
    List<CompletableFuture<List<byte @Nullable []>>> parts = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += portion) {
      List<byte[]> part = keys.subList(from, Math.min(from + portion, keys.size()));
      parts.add(CompletableFuture.supplyAsync(() -> table.multiGet(part), readers));
    }
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (CompletableFuture<List<byte @Nullable []>> part : parts) {
      values.addAll(part.join());
    }
    return values;
  }

  @Override
  public long lend(byte[] key) {
    Long fingerprint = table.get(key, StoreTarget::fingerprint);
    return fingerprint == null ? -1 : fingerprint;
  }

  private static Long fingerprint(MemorySegment value) {
    long length = value.byteSize();
    return Target.fingerprint(
        length, length == 0 ? 0 : value.get(ValueLayout.JAVA_BYTE, length - 1));
  }

  @Override
  public void put(byte[] key, byte[] value) {
    table.put(key, value);
  }

  @Override
  public byte @Nullable [] compute(byte[] key, byte[] value) {
    byte[] @Nullable [] before = new byte[1] @Nullable [];
    table.compute(
        key,
        present -> {
          before[0] = present;
          return value;
        });
    return before[0];
  }

  @Override
  public void delete(byte[] key) {
    table.delete(key);
  }

  @Override
  public void write(List<byte[]> keys, List<byte @Nullable []> values) {
    store.write(batch -> {
      for (int i = 0; i < keys.size(); i++) {
        byte[] value = values.get(i);
        if (value == null) {
          batch.delete(table, keys.get(i));
        } else {
          batch.put(table, keys.get(i), value);
        }
      }
    });
  }

  @Override
  public void load(Iterator<Entry<byte[], byte[]>> entries, boolean sorted) {
    table.bulkLoad(entries, sorted);
  }

  @Override
  public boolean takesPuts() {
    return store.capabilities().contains(Capability.WRITE);
  }

  @Override
  public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
    return table.scan(range);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public @Nullable WriteStalls stalls() {
    return store.stalls();
  }

  @Override
  public @Nullable BackgroundWork background() {
    return store.background();
  }

  @Override
  public void close() {
    store.close();
  }
}
