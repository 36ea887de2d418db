package io.kvstadium.engine.mvstore;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.StoreConfig;
import java.util.function.BiConsumer;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/** MVStore by hand: one map, and a commit after each write if that is asked for. */
public final class RawMvstore implements Baseline {
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
    MvstoreFile file = MvstoreFile.of(config);
    MVStore store = file.open(config, file.path().toString());
    MVMap<byte[], byte[]> map =
        store.openMap(
            Store.DEFAULT_TABLE,
            new MVMap.Builder<byte[], byte[]>()
                .keyType(ByteArrayDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE));
    return new RawHandle(store, map, file.saved(), store::close);
  }

  private record RawHandle(
      MVStore store, MVMap<byte[], byte[]> map, boolean saved, Runnable atClose) implements Handle {

    @Override
    public byte @Nullable [] get(byte[] key) {
      byte[] value = map.get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
      Cursor<byte[], byte[]> cursor = map.cursor(from);
      int count = 0;
      while (count < limit && cursor.hasNext()) {
        byte[] key = cursor.next();
        each.accept(key.clone(), cursor.getValue().clone());
        count++;
      }
      return count;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      map.put(key.clone(), value.clone());
      save();
    }

    @Override
    public void delete(byte[] key) {
      map.remove(key);
      save();
    }

    private void save() {
      if (saved) {
        store.commit();
        store.sync();
      }
    }

    @Override
    public Handle another() {
      return new RawHandle(store, map, saved, () -> {});
    }

    @Override
    public void close() {
      atClose.run();
    }
  }
}
