package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * A native iterator that begins with a seek and ends at a native bound. Without a bound it needs no
 * separate options, which take longer to make than a short scan. RocksDB has an inclusive lower and
 * an exclusive upper bound; the other two kinds are the same bounds for the key's immediate
 * successor, which is the key followed by a zero byte.
 */
final class RocksDbCursor implements EngineCursor {
  private final @Nullable Slice lower;
  private final @Nullable Slice upper;
  private final @Nullable ReadOptions own;
  private final RocksIterator iterator;
  private final Range<byte[]> range;
  private boolean started;

  /**
   * Makes the iterator.
   *
   * @param snapshot what it reads; the latest state if it is null
   * @param unbounded options for that snapshot that outlive this, for a scan that needs no bounds;
   *     {@code null} if it must have bounds on both sides
   * @param iterators makes it with the given options
   */
  RocksDbCursor(
      Range<byte[]> range,
      @Nullable Snapshot snapshot,
      @Nullable ReadOptions unbounded,
      Function<ReadOptions, RocksIterator> iterators) {
    this.range = range;
    byte[] from = range.from();
    byte[] to = range.to();
    // a forward scan seeks to the lower bound anyway
    lower =
        from == null || (unbounded != null && !range.reversed())
            ? null
            : new Slice(range.fromInclusive() ? from : successor(from));
    upper = to == null ? null : new Slice(range.toInclusive() ? successor(to) : to);
    if (unbounded != null && lower == null && upper == null) {
      own = null;
      iterator = iterators.apply(unbounded);
      return;
    }
    own = new ReadOptions();
    if (lower != null) {
      own.setIterateLowerBound(lower);
    }
    if (upper != null) {
      own.setIterateUpperBound(upper);
    }
    if (snapshot != null) {
      own.setSnapshot(snapshot);
    }
    iterator = iterators.apply(own);
  }

  static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  @Override
  public boolean next() throws RocksDBException {
    if (started) {
      if (range.reversed()) {
        iterator.prev();
      } else {
        iterator.next();
      }
    } else {
      started = true;
      byte[] from = range.from();
      if (range.reversed()) {
        iterator.seekToLast();
      } else if (from == null) {
        iterator.seekToFirst();
      } else {
        iterator.seek(range.fromInclusive() ? from : successor(from));
      }
    }
    return arrived();
  }

  @Override
  public boolean canSeek() {
    return true;
  }

  @Override
  public boolean seek(byte[] key) throws RocksDBException {
    started = true;
    if (range.reversed()) {
      iterator.seekForPrev(key);
    } else {
      iterator.seek(key);
    }
    return arrived();
  }

  private boolean arrived() throws RocksDBException {
    if (iterator.isValid()) {
      return true;
    }
    iterator.status(); // an error ends the iteration like the last entry does
    return false;
  }

  @Override
  public byte[] key() {
    return iterator.key();
  }

  @Override
  public byte[] value() {
    return iterator.value();
  }

  @Override
  public void close() {
    iterator.close();
    if (own != null) {
      own.close();
    }
    if (lower != null) {
      lower.close();
    }
    if (upper != null) {
      upper.close();
    }
  }
}
