package io.kvstadium.engine.xodus;

import io.kvstadium.benchmarks.ByHand;
import io.kvstadium.store.engine.StoreConfig;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import org.jspecify.annotations.Nullable;

/** Xodus by hand. */
public final class XodusByHand implements ByHand {
  private final Environment environment;
  private final Store store;

  /** Opens or creates the store. */
  public XodusByHand(StoreConfig config) throws IOException {
    environment =
        Environments.newInstance(config.directory().toFile(), XodusEngine.settings(config));
    store =
        environment.computeInTransaction(txn ->
            environment.openStore(
                "table", jetbrains.exodus.env.StoreConfig.WITHOUT_DUPLICATES, txn));
  }

  private static byte[] bytes(ByteIterable from) {
    return Arrays.copyOf(from.getBytesUnsafe(), from.getLength());
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    ByteIterable value =
        environment.computeInReadonlyTransaction(txn -> store.get(txn, new ArrayByteIterable(key)));
    return value == null ? null : bytes(value);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    environment.executeInTransaction(
        txn -> store.put(txn, new ArrayByteIterable(key), new ArrayByteIterable(value)));
  }

  @Override
  public void putAll(List<byte[]> keys, byte[] value) {
    environment.executeInTransaction(txn -> {
      for (byte[] key : keys) {
        store.put(txn, new ArrayByteIterable(key), new ArrayByteIterable(value));
      }
    });
  }

  @Override
  public void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
    environment.executeInReadonlyTransaction(txn -> {
      try (Cursor cursor = store.openCursor(txn)) {
        boolean found = cursor.getSearchKeyRange(new ArrayByteIterable(from)) != null;
        for (int i = 0; i < limit && found; i++) {
          each.accept(bytes(cursor.getKey()), bytes(cursor.getValue()));
          found = cursor.getNext();
        }
      }
    });
  }

  @Override
  public void close() {
    environment.close();
  }
}
