package io.kvstadium.engine.mvstore;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.RootReference;
import org.jspecify.annotations.Nullable;

/** Walks over the tree under one root, which later writes do not change. */
final class MvstoreCursor implements EngineCursor {
  private final Runnable atClose;
  private final Cursor<byte[], byte[]> cursor;

  /** Where the cursor would start or end although the range excludes it; both rarely exist. */
  private final byte @Nullable [] excludedFrom;

  private final byte @Nullable [] excludedTo;

  MvstoreCursor(RootReference<byte[], byte[]> root, Range<byte[]> range, Runnable atClose) {
    this.atClose = atClose;
    this.excludedFrom = range.fromInclusive() ? null : range.from();
    this.excludedTo = range.toInclusive() ? null : range.to();
    this.cursor =
        range.reversed()
            ? new Cursor<>(root, range.to(), range.from(), true)
            : new Cursor<>(root, range.from(), range.to(), false);
  }

  @Override
  public boolean next() {
    while (cursor.hasNext()) {
      cursor.next();
      if (excludedFrom == null && excludedTo == null) {
        return true; // without reading the key, see immutableKey
      }
      byte[] key = cursor.getKey();
      if (!isOf(key, excludedFrom) && !isOf(key, excludedTo)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOf(byte[] key, byte @Nullable [] bound) {
    return bound != null && Arrays.equals(key, bound);
  }

  @Override
  public byte[] key() {
    return cursor.getKey().clone();
  }

  @Override
  public byte[] value() {
    return cursor.getValue().clone();
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(MemorySegment.ofArray(cursor.getValue()).asReadOnly());
  }

  @Override
  public boolean isImmutable() {
    return true;
  }

  @Override
  public Object immutableKey() {
    return cursor.getKey();
  }

  @Override
  public Object immutableValue() {
    return cursor.getValue();
  }

  @Override
  public void close() {
    atClose.run();
  }
}
