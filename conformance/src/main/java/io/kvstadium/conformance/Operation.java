package io.kvstadium.conformance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of a random sequence. Tables are 0 and 1, keys in hexadecimal, to be readable. */
sealed interface Operation {
  /** A write of one entry. */
  sealed interface Change extends Operation {}

  record Put(int table, String key, int length) implements Change {}

  record Delete(int table, String key) implements Change {}

  record Get(int table, String key) implements Operation {}

  record Batch(List<Change> changes) implements Operation {}

  /**
   * A transaction over these changes.
   *
   * @param mode which of the modes that the store has, modulo their number
   */
  record Transact(List<Change> changes, boolean commit, int mode) implements Operation {}

  /**
   * A scan of keys.
   *
   * @param flags bit 0: from inclusive, bit 1: to inclusive, bit 2: reversed
   */
  record Scan(int table, @Nullable String from, @Nullable String to, int flags, long limit)
      implements Operation {}

  record TakeSnapshot() implements Operation {}

  record CheckSnapshot() implements Operation {}

  record Clear(int table) implements Operation {}

  record DropSecond() implements Operation {}

  record Reopen() implements Operation {}
}
