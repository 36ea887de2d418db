package io.kvstadium.store;

import io.kvstadium.store.spi.EngineCursor;
import org.jspecify.annotations.Nullable;

/**
 * Entries that a cursor passed before they were asked for, as the engine's own arrays, which nobody
 * changes: reading ahead copies nothing, and they may be read without the engine.
 */
final class EntriesAhead {
  /** The most of one reading. Their lengths are not looked at: that would be a cache miss each. */
  static final int MOST = 64;

  private final byte[] @Nullable [] keys;
  private final byte[] @Nullable [] values;
  private final int count;
  private final boolean atEnd;
  private final @Nullable RuntimeException failure;

  /**
   * Reads from a cursor whose entries are {@link EngineCursor#isImmutable immutable}. What fails
   * behind the first entry is kept until its turn.
   */
  EntriesAhead(EngineCursor cursor, int most, boolean withoutValues) {
    this.keys = new byte[most] @Nullable [];
    this.values = new byte[withoutValues ? 0 : most] @Nullable [];
    int read = 0;
    boolean more = true;
    RuntimeException failed = null;
    while (read < most) {
      try {
        more = cursor.next();
        if (!more) {
          break;
        }
        keys[read] = cursor.immutableKey();
        if (!withoutValues) {
          values[read] = cursor.immutableValue();
        }
        read++;
      } catch (RuntimeException e) {
        if (read == 0) {
          throw e;
        }
        failed = e;
        break;
      }
    }
    this.count = read;
    this.atEnd = !more;
    this.failure = failed;
  }

  int count() {
    return count;
  }

  /** Whether nothing comes behind these. */
  boolean isLast() {
    if (failure != null) {
      throw failure;
    }
    return atEnd;
  }

  /** The array itself, as all of them. */
  byte[] key(int index) {
    return of(keys, index);
  }

  byte[] value(int index) {
    return of(values, index);
  }

  private static byte[] of(byte[] @Nullable [] arrays, int index) {
    byte[] array = index < arrays.length ? arrays[index] : null;
    if (array == null) { // somebody else has stepped on at the same moment
      throw new BadArgumentException(
          "the cursor is in use: it belongs to one thread at a time, and not to a reader it called");
    }
    return array;
  }
}
