package io.kvstadium.bench.trial;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a trial's operations run against: a store in one of the ways to use it. */
interface Target extends AutoCloseable {
  byte @Nullable [] get(byte[] key);

  void put(byte[] key, byte[] value);

  void delete(byte[] key);

  /** Writes several entries as one atomic batch; a {@code null} value deletes. */
  void write(List<byte[]> keys, List<byte @Nullable []> values);

  Cursor scan(Range range);

  /** Runs the blocks of a phase; some targets put a transaction or a batch around them. */
  default void around(boolean writes, Runnable blocks) {
    blocks.run();
  }

  @Override
  void close();
}
