package io.kvstadium.bench.measure.operation;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.WriteStalls;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What a trial's operations run against: a store in one of the ways to use it. */
public interface Target extends AutoCloseable {
  byte @Nullable [] get(byte[] key);

  /**
   * The {@link #fingerprint} of a value that is lent, or -1 for a miss; a copy where there is no
   * lending.
   */
  default long lend(byte[] key) {
    byte[] value = get(key);
    return value == null ? -1 : fingerprint(value);
  }

  /**
   * The values of several keys in their order, {@code null} for a miss.
   *
   * @param parallelism the number of concurrent readers, if supported
   */
  List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism);

  /** What a lent value is checked by: its length and its last byte. */
  static long fingerprint(byte[] value) {
    return fingerprint(value.length, value.length == 0 ? 0 : value[value.length - 1]);
  }

  /** The same for a length and a last byte. */
  static long fingerprint(long length, byte last) {
    return length << Byte.SIZE | (last & 0xff);
  }

  void put(byte[] key, byte[] value);

  /** Puts what a function makes of the value, and returns what it was given. */
  default byte @Nullable [] compute(byte[] key, byte[] value) {
    byte[] before = get(key);
    put(key, value);
    return before;
  }

  void delete(byte[] key);

  /** Writes several entries as one atomic batch; a {@code null} value deletes. */
  void write(List<byte[]> keys, List<byte @Nullable []> values);

  /** Puts many entries in the fastest way. */
  default void load(Iterator<Entry<byte[], byte[]>> entries, boolean sorted) {
    throw new UnsupportedException("access other than single has no bulk load");
  }

  /** Whether entries can be put one by one; otherwise they only come through {@link #load}. */
  default boolean takesPuts() {
    return true;
  }

  Cursor<byte[], byte[]> scan(Range<byte[]> range);

  /**
   * Passes copies of the key and value of the entries from a key on.
   *
   * @return how many there were
   */
  default int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
    try (Cursor<byte[], byte[]> cursor = scan(Range.<byte[]>all().from(from, true).limit(limit))) {
      int count = 0;
      while (cursor.next()) {
        each.accept(cursor.key(), cursor.value());
        count++;
      }
      return count;
    }
  }

  /**
   * What the engine does in the background now, or {@code null} if it does not report it. Cheap.
   */
  default @Nullable BackgroundWork background() {
    return null;
  }

  /** How many background jobs run or wait in the engine now, or -1 if it does not report it. */
  default int backgroundJobs() {
    BackgroundWork now = background();
    return now == null ? -1 : now.jobs();
  }

  /** What the engine has held writers up for, or {@code null} if it does not report it. */
  default @Nullable WriteStalls stalls() {
    return null;
  }

  /** The store itself, where nothing is around its operations; otherwise {@code null}. */
  default @Nullable Store store() {
    return null;
  }

  /** Runs the blocks of a phase; some targets put a transaction or a batch around them. */
  default void around(boolean writes, Runnable blocks) {
    blocks.run();
  }

  @Override
  void close();
}
