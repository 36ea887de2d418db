package io.kvstadium.store.internal.move;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far the entries of a store were gone through. Tables come in the order of their names; those
 * that are made later are in the log. How far a copy is, is written to the other store with the
 * entries.
 *
 * @param table the table that was begun last; empty before the first
 * @param key the last key of it that was looked at, or {@code null} after its end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Position(String table, byte @Nullable [] key) {
  /** Above the numbers of a log, which is in the same table. */
  private static final byte[] KEY = "copied".getBytes(StandardCharsets.US_ASCII);

  static final Position START = new Position("", null);

  /** Behind all names that tables can have. */
  static final Position END = new Position("~", null);

  /** How far a copy to a store is, or {@code null} if none has begun. */
  static @Nullable Position of(Side side) {
    byte[] value = side.get(Side.LOG, KEY);
    if (value == null) {
      return null;
    }
    int end = 2 + value[1];
    String table = new String(value, 2, value[1], StandardCharsets.US_ASCII);
    return new Position(table, value[0] == 0 ? null : Arrays.copyOfRange(value, end, value.length));
  }

  Write<EngineTable> note(Side side) {
    byte[] last = key == null ? new byte[0] : key;
    byte[] value = new byte[2 + table.length() + last.length];
    value[0] = (byte) (key == null ? 0 : 1);
    value[1] = (byte) table.length();
    System.arraycopy(table.getBytes(StandardCharsets.US_ASCII), 0, value, 2, table.length());
    System.arraycopy(last, 0, value, 2 + table.length(), last.length);
    return new Write<>(side.log(), KEY, value);
  }

  boolean isEnd() {
    return table.equals(END.table);
  }

  /** The table to go on with; {@code null} after the last one. */
  @Nullable String tableOf(Set<String> names) {
    return names.stream()
        .filter(name -> name.compareTo(table) > (key == null ? 0 : -1))
        .findFirst()
        .orElse(null);
  }

  Range<byte[]> rangeIn(String name) {
    return key != null && name.equals(table) ? Range.greaterThan(key) : Range.all();
  }
}
