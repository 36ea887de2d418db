package io.kvstadium.engine.xodus;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import java.util.Arrays;
import java.util.function.Function;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Transaction;
import org.jspecify.annotations.Nullable;

/** Reads within transactions, which a subclass begins for each read or keeps. */
abstract class XodusAccess implements EngineReader<XodusTable> {
  /** Makes a read in a transaction of its own, which is ended afterwards. */
  static <R extends @Nullable Object> R reading(Transaction txn, Function<Transaction, R> read) {
    try {
      return read.apply(txn);
    } finally {
      txn.abort();
    }
  }

  /** Makes a read in the right transaction. */
  abstract <R extends @Nullable Object> R read(Function<Transaction, R> read);

  @Override
  public byte @Nullable [] get(XodusTable table, byte[] key) {
    return this.<byte @Nullable []>read(txn -> {
      ByteIterable value = table.store().get(txn, new ArrayByteIterable(key));
      return value == null ? null : bytes(value);
    });
  }

  @Override
  public boolean contains(XodusTable table, byte[] key) {
    return this.<Boolean>read(txn -> table.store().get(txn, new ArrayByteIterable(key)) != null);
  }

  @Override
  public byte[] @Nullable [] multiGet(XodusTable table, byte[][] keys) {
    return this.<byte[] @Nullable []>read(txn -> {
      byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
      for (int i = 0; i < keys.length; i++) {
        ByteIterable value = table.store().get(txn, new ArrayByteIterable(keys[i]));
        values[i] = value == null ? null : bytes(value);
      }
      return values;
    });
  }

  @Override
  public abstract EngineCursor cursor(XodusTable table, Range<byte[]> range);

  /** A copy: what Xodus returns may belong to its cache. */
  static byte[] bytes(ByteIterable from) {
    return Arrays.copyOf(from.getBytesUnsafe(), from.getLength());
  }
}
