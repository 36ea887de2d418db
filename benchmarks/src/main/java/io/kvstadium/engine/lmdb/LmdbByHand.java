package io.kvstadium.engine.lmdb;

import io.kvstadium.benchmarks.ByHand;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.StoreConfig;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/**
 * LMDB by hand, through the binding's own fastest buffers. These need {@code --add-opens
 * java.base/java.nio=ALL-UNNAMED --add-exports java.base/sun.nio.ch=ALL-UNNAMED}, which the adapter
 * does without.
 */
public final class LmdbByHand implements ByHand {
  private static final int MAX_KEY_BYTES = 511;

  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> dbi;
  private final Txn<ByteBuffer> reading;
  private final ByteBuffer keyBuffer = ByteBuffer.allocateDirect(MAX_KEY_BYTES);

  /** Opens or creates the store. */
  public LmdbByHand(StoreConfig config) {
    StadiumException failure = NativeLibrary.loadingFailure();
    if (failure != null) {
      throw new StadiumException(String.valueOf(failure.getMessage()), failure);
    }
    Set<EnvFlags> flags = Environment.flags(config);
    env =
        Env.create()
            .setMapSize(Environment.mapSize(config))
            .setMaxDbs(Math.toIntExact(config.options().integer("max_tables")))
            .setMaxReaders(Math.toIntExact(config.options().integer("max_readers")))
            .open(config.directory().toFile(), flags.toArray(EnvFlags[]::new));
    dbi = env.openDbi(Store.DEFAULT_TABLE, DbiFlags.MDB_CREATE);
    reading = env.txnRead();
    reading.reset();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    reading.renew();
    try {
      ByteBuffer found = dbi.get(reading, hold(key));
      return found == null ? null : copy(found);
    } finally {
      reading.reset();
    }
  }

  @Override
  public void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
    reading.renew();
    try (Cursor<ByteBuffer> cursor = dbi.openCursor(reading)) {
      boolean found = cursor.get(hold(from), GetOp.MDB_SET_RANGE);
      for (int i = 0; i < limit && found; i++) {
        each.accept(copy(cursor.key()), copy(cursor.val()));
        found = cursor.next();
      }
    } finally {
      reading.reset();
    }
  }

  @Override
  public long view(byte[] from, int limit) {
    long sum = 0;
    reading.renew();
    try (Cursor<ByteBuffer> cursor = dbi.openCursor(reading)) {
      boolean found = cursor.get(hold(from), GetOp.MDB_SET_RANGE);
      for (int i = 0; i < limit && found; i++) {
        sum += seen(cursor.key()) + seen(cursor.val());
        found = cursor.next();
      }
    } finally {
      reading.reset();
    }
    return sum;
  }

  private static long seen(ByteBuffer found) {
    return (long) found.remaining() + found.get(found.position());
  }

  private static byte[] copy(ByteBuffer found) {
    byte[] bytes = new byte[found.remaining()];
    found.get(bytes);
    return bytes;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    try (Txn<ByteBuffer> txn = env.txnWrite()) {
      dbi.reserve(txn, hold(key), value.length).put(value);
      txn.commit();
    }
  }

  @Override
  public void close() {
    reading.renew();
    reading.close();
    env.close();
  }

  private ByteBuffer hold(byte[] key) {
    return keyBuffer.clear().put(key).flip();
  }
}
