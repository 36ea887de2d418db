package io.kvstadium.torture;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * What may be read from keys that get ascending numbers, each key from its own writer. A write that
 * nobody answered may be there, now or later, or never; the next acknowledged write overwrites
 * everything before it. Safe for all threads.
 */
final class Registers {
  private final AtomicLongArray attempted;
  private final AtomicLongArray acknowledged;

  Registers(int keys) {
    attempted = new AtomicLongArray(keys);
    acknowledged = new AtomicLongArray(keys);
  }

  int keys() {
    return attempted.length();
  }

  /** The number to write next. Only for the key's writer. */
  long attempt(int key) {
    return attempted.incrementAndGet(key);
  }

  /** The write of a number has returned. */
  void acknowledged(int key, long number) {
    acknowledged.set(key, number);
  }

  /** The least number that a read that begins now may see. */
  long least(int key) {
    return acknowledged.get(key);
  }

  /**
   * What is wrong with a read that has ended, or {@code null}.
   *
   * @param least the least number when the read began
   * @param read 0 for an entry that is not there
   */
  @Nullable String judge(int key, long least, long read) {
    if (read < least) {
      return "key %d: read %d after %d was acknowledged".formatted(key, read, least);
    }
    long most = attempted.get(key);
    return read > most
        ? "key %d: read %d, and only %d were written".formatted(key, read, most)
        : null;
  }
}
