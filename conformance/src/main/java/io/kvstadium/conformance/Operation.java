package io.kvstadium.conformance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of a random sequence. Tables are 0 and 1, keys in hexadecimal, to be readable. */
sealed interface Operation {
  /** What a transaction may do as well as a store. */
  sealed interface OnTable extends Operation {
    int table();
  }

  /** What a batch may do too. */
  sealed interface Change extends OnTable {}

  /** Several operations that are one. */
  sealed interface Group extends Operation {
    List<? extends OnTable> parts();

    /** The same with fewer of its parts. */
    Group with(List<? extends OnTable> fewer);
  }

  /** The bounds of a range; {@code null} for none. */
  record Bounds(
      @Nullable String from, boolean fromInclusive, @Nullable String to, boolean toInclusive) {}

  record Put(int table, String key, int length) implements Change {}

  record Delete(int table, String key) implements Change {}

  record DeleteRange(int table, Bounds bounds) implements Change {}

  record Get(int table, String key, String other) implements OnTable {}

  record Scan(int table, Bounds bounds, boolean reversed, long limit, boolean inChunks)
      implements OnTable {}

  record Ends(int table, Bounds bounds) implements OnTable {}

  record Count(int table) implements OnTable {}

  /** A cursor that seeks each of these keys and then steps once. */
  record Walk(int table, Bounds bounds, boolean reversed, List<String> keys) implements OnTable {}

  record Batch(List<Change> parts) implements Group {
    @Override
    public Group with(List<? extends OnTable> fewer) {
      return new Batch(fewer.stream().map(Change.class::cast).toList());
    }
  }

  /**
   * A transaction.
   *
   * @param mode which of the modes that the store has, modulo their number
   */
  record Transact(List<OnTable> parts, boolean commit, int mode) implements Group {
    @Override
    public Group with(List<? extends OnTable> fewer) {
      return new Transact(List.copyOf(fewer), commit, mode);
    }
  }

  /** Single writes while another thread reads: what they leave alone, that one must find. */
  record BesideReader(List<Change> parts) implements Group {
    @Override
    public Group with(List<? extends OnTable> fewer) {
      return new BesideReader(fewer.stream().map(Change.class::cast).toList());
    }
  }

  /** A load of {@code count} keys, each {@code stride} after the one before. */
  record Load(int table, int first, int count, int stride, boolean sorted) implements Operation {}

  /** Opens the cursor of the sequence, and closes the one before. */
  record OpenCursor(int table, Bounds bounds, boolean reversed, boolean ofSnapshot)
      implements Operation {}

  record Step(int steps) implements Operation {}

  record Seek(String key) implements Operation {}

  record TakeSnapshot() implements Operation {}

  record CheckSnapshot() implements Operation {}

  record Clear(int table) implements Operation {}

  record Drop() implements Operation {}

  record Compact() implements Operation {}

  record Reopen(boolean readOnly) implements Operation {}

  record Backup() implements Operation {}
}
