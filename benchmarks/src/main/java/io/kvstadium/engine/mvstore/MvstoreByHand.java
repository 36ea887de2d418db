package io.kvstadium.engine.mvstore;

import io.kvstadium.benchmarks.ByHand;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.StoreConfig;
import java.util.function.BiConsumer;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/** MVStore by hand: one map, and a commit after each write if that is asked for. */
public final class MvstoreByHand implements ByHand {
  private final MVStore store;
  private final MVMap<byte[], byte[]> map;
  private final boolean saved;

  /** Opens or creates the store. */
  public MvstoreByHand(StoreConfig config) {
    MvstoreFile file = MvstoreFile.of(config);
    saved = file.saved();
    store = file.open(config, file.path().toString());
    map =
        store.openMap(
            Store.DEFAULT_TABLE,
            new MVMap.Builder<byte[], byte[]>()
                .keyType(ByteArrayDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE));
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    byte[] value = map.get(key);
    return value == null ? null : value.clone();
  }

  @Override
  public void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
    Cursor<byte[], byte[]> cursor = map.cursor(from);
    for (int i = 0; i < limit && cursor.hasNext(); i++) {
      byte[] key = cursor.next();
      each.accept(key.clone(), cursor.getValue().clone());
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    map.put(key.clone(), value.clone());
    if (saved) {
      store.commit();
      store.sync();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
