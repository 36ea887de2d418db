package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.EngineCursor;
import org.jspecify.annotations.Nullable;

/**
 * Entries that a cursor passed before they were asked for, which may be read without the engine: as
 * the engine's own arrays, which nobody changes, or as copies, which are handed out as they are.
 */
final class EntriesAhead {
  /** The most entries of one reading. */
  static final int MAX_ENTRIES = 64;

  /** No more are copied once there are this many bytes. The lengths of others are not looked at. */
  private static final int MAX_BYTES = 1 << 16;

  private final Object[] keys; // see EngineCursor.immutableKey
  private final Object[] values;
  private final boolean copied;
  private final int count;
  private final boolean atEnd;
  private final @Nullable Exception failure;

  /**
   * Reads from a cursor. A failure after the first entry is kept until its turn.
   *
   * @param immutable whether its entries are {@link EngineCursor#isImmutable immutable}; otherwise
   *     they are copied
   */
  EntriesAhead(EngineCursor cursor, int max, boolean withoutValues, boolean immutable)
      throws Exception {
    this.keys = new Object[max];
    this.values = withoutValues ? keys : new Object[max];
    this.copied = !immutable;
    int read = 0;
    int bytes = 0;
    boolean more = true;
    Exception failed = null;
    while (read < max && bytes < MAX_BYTES) {
      try {
        more = cursor.next();
        if (!more) {
          break;
        }
        if (immutable) {
          keys[read] = cursor.immutableKey();
          if (!withoutValues) {
            values[read] = cursor.immutableValue();
          }
        } else {
          byte[] key = cursor.key();
          keys[read] = key;
          bytes += key.length;
          if (!withoutValues) {
            byte[] value = cursor.value();
            values[read] = value;
            bytes += value.length;
          }
        }
        read++;
      } catch (Exception e) {
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

  /** Whether nothing comes after these. */
  boolean isLast() throws Exception {
    if (failure != null) {
      throw failure;
    }
    return atEnd;
  }

  /** Whether an entry's arrays are the same each time that they are asked for. */
  boolean isCopied() {
    return copied;
  }

  /** A key to be handed out. */
  byte[] key(int index) {
    return copied ? at(keys, index) : at(keys, index).clone();
  }

  /** A value to be handed out; if they were read with values. */
  byte[] value(int index) {
    return copied ? at(values, index) : at(values, index).clone();
  }

  /** A key for a zero-copy read. */
  byte[] presentKey(int index) {
    return at(keys, index);
  }

  /** A value for a zero-copy read; if they were read with values. */
  byte[] presentValue(int index) {
    return at(values, index);
  }

  private static byte[] at(Object[] arrays, int index) {
    if (index < arrays.length && arrays[index] instanceof byte[] array) {
      return array;
    }
    throw new BadArgumentException( // another thread has moved it at the same moment
        "the cursor is in use: it belongs to one thread at a time, and not to a reader it called");
  }
}
