package io.kvstadium.store.internal.move;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.internal.Hex;

/** Whether a store can hold the entries of another one, if its limits are lower. */
record EntryCheck(Side from, Side to) {
  private static final int ENTRIES = 10_000;

  /** Looks at the next entries; what follows the check is the copy. */
  CopyPosition portion(CopyPosition at) {
    boolean keys =
        to.limits.maxKeyBytes() < from.limits.maxKeyBytes()
            || (from.capabilities.contains(Capability.EMPTY_KEY)
                && !to.capabilities.contains(Capability.EMPTY_KEY));
    boolean values =
        to.limits.maxValueBytes() < from.limits.maxValueBytes()
            || to.limits.minValueBytes() > from.limits.minValueBytes();
    String table = keys || values ? at.tableOf(from.names()) : null;
    if (table == null) {
      return at.toCopy();
    }
    return from.reading(() -> {
      EngineTable opened = from.open(table, false);
      return opened == null
          ? at.after(table, null)
          : from.call(() -> check(at, table, opened, values));
    });
  }

  private CopyPosition check(CopyPosition at, String table, EngineTable opened, boolean values)
      throws Exception {
    var range = values ? at.rangeIn(table) : at.rangeIn(table).keysOnly();
    try (EngineCursor cursor = from.store.cursor(opened, range)) {
      for (int i = 0; cursor.next(); i++) {
        byte[] key = cursor.key();
        int value =
            values
                ? cursor.value(segment -> Math.toIntExact(segment.byteSize()))
                : to.limits.minValueBytes();
        check(table, key, value);
        if (i == ENTRIES) {
          return at.after(table, key);
        }
      }
    }
    return at.after(table, null);
  }

  private void check(String table, byte[] key, int value) {
    Limits limits = to.limits;
    if (key.length > limits.maxKeyBytes()
        || (key.length == 0 && !to.capabilities.contains(Capability.EMPTY_KEY))
        || value > limits.maxValueBytes()
        || value < limits.minValueBytes()) {
      throw new BadArgumentException(
          "engine %s cannot hold an entry of table %s, key %s: a key of %d bytes and a value of %d; it takes keys of up to %d and values of %d to %d bytes: remove the entry, or cancel the move; nothing was copied yet"
              .formatted(
                  to.info.name(),
                  table,
                  Hex.of(key),
                  key.length,
                  value,
                  limits.maxKeyBytes(),
                  limits.minValueBytes(),
                  limits.maxValueBytes()));
    }
  }
}
