package io.kvstadium.server.execute;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** What the store holds. */
public final class StoreWalk implements Walk {
  private final Cursor<byte[], byte[]> cursor;
  private final Range<byte[]> range;
  private final @Nullable WriteSet learner;
  private final byte @Nullable [] start;
  private final int version;
  private boolean started;

  /**
   * A walk over a cursor.
   *
   * @param start where it begins, or {@code null} for the cursor's beginning
   * @param range that was asked for
   * @param learner is told of the range's first key, if it is not {@code null}
   */
  StoreWalk(
      Cursor<byte[], byte[]> cursor,
      byte @Nullable [] start,
      Range<byte[]> range,
      @Nullable WriteSet learner) {
    this.cursor = cursor;
    this.start = start;
    this.range = range;
    this.learner = learner;
    this.version = learner == null ? 0 : learner.version();
  }

  @Override
  public boolean next() {
    if (started) {
      return cursor.next();
    }
    started = true;
    boolean found = start == null ? cursor.next() : cursor.seek(start);
    if (learner != null && learner.version() == version) {
      learner.learn(range, found ? cursor.key() : null);
    }
    return found;
  }

  @Override
  public byte[] key() {
    return cursor.key();
  }

  @Override
  public byte[] value() {
    return cursor.value();
  }

  @Override
  public ReadView.Head head(int max) {
    return head(cursor, max);
  }

  static ReadView.Head head(Cursor<byte[], byte[]> cursor, int max) {
    return cursor.value(value ->
        new ReadView.Head(
            value.asSlice(0, Math.min(max, value.byteSize())).toArray(ValueLayout.JAVA_BYTE),
            (int) value.byteSize()));
  }

  @Override
  public void close() {
    cursor.close();
  }
}
