package io.kvstadium.store.internal.move;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.internal.Hex;
import org.jspecify.annotations.Nullable;

/** Whether a store can hold the entries of another one, if its limits are lower. */
record EntryCheck(Side from, Side to) {
  private static final int ENTRIES = 10_000;

  /** Looks at the next entries; returns how far it came. */
  Position portion(Position at) {
    boolean values =
        to.limits.maxValueBytes() < from.limits.maxValueBytes()
            || to.limits.minValueBytes() > from.limits.minValueBytes();
    boolean keys =
        to.limits.maxKeyBytes() < from.limits.maxKeyBytes()
            || (hasEmptyKeys(from) && !hasEmptyKeys(to));
    String table = keys || values ? at.tableOf(from.names()) : null;
    return table == null
        ? Position.END
        : from.reading(() -> new Position(table, check(table, at.rangeIn(table), values)));
  }

  private static boolean hasEmptyKeys(Side side) {
    return side.capabilities.contains(Capability.EMPTY_KEY);
  }

  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  private byte @Nullable [] check(String table, Range<byte[]> range, boolean values) {
    EngineTable opened = from.open(table, false);
    return from.call(() -> {
      if (opened != null) {
        try (EngineCursor cursor = from.store.cursor(opened, values ? range : range.keysOnly())) {
          for (int i = 0; cursor.next(); i++) {
            byte[] key = cursor.key();
            check(table, key, values ? cursor.value(value -> value.byteSize()) : -1);
            if (i == ENTRIES) {
              return key;
            }
          }
        }
      }
      return null;
    });
  }

  private void check(String table, byte[] key, long value) {
    Limits limits = to.limits;
    if (key.length > limits.maxKeyBytes()
        || (key.length == 0 && !hasEmptyKeys(to))
        || value > limits.maxValueBytes()
        || (value >= 0 && value < limits.minValueBytes())) {
      throw new BadArgumentException(
          "%s cannot hold an entry of table %s, key %s: a key of %d bytes%s; it takes keys of up to %d and values of %d to %d bytes: remove the entry, or cancel the move; nothing was copied yet"
              .formatted(
                  to.url,
                  table,
                  Hex.of(key),
                  key.length,
                  value < 0 ? "" : " and a value of " + value,
                  limits.maxKeyBytes(),
                  limits.minValueBytes(),
                  limits.maxValueBytes()));
    }
  }
}
