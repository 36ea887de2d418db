package io.kvstadium.store.internal.move;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a copy is: written to the other store with the entries that were copied. Tables come in
 * the order of their names; those that are made later are in the log.
 *
 * @param table the table that is being copied; empty before the first
 * @param key the last key of it that was copied, or {@code null}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CopyPosition(Phase phase, String table, byte @Nullable [] key) {
  enum Phase {
    CHECKING,
    COPYING,
    DONE
  }

  /** Above the numbers of a log, which is in the same table. */
  private static final byte[] KEY = "copied".getBytes(StandardCharsets.US_ASCII);

  static final CopyPosition DONE = new CopyPosition(Phase.DONE, "", null);

  /** What a store says of itself. */
  static CopyPosition of(Side side) {
    byte[] value = side.get(Side.LOG, KEY);
    if (value == null) {
      return new CopyPosition(Phase.CHECKING, "", null);
    }
    int end = 2 + value[1];
    return new CopyPosition(
        value[0] == 1 ? Phase.DONE : Phase.COPYING,
        new String(value, 2, value[1], StandardCharsets.US_ASCII),
        value[end] == 0 ? null : Arrays.copyOfRange(value, end + 1, value.length));
  }

  Write<EngineTable> note(Side side) {
    byte[] name = table.getBytes(StandardCharsets.US_ASCII);
    int keyLength = key == null ? 0 : key.length;
    byte[] value = new byte[2 + name.length + 1 + keyLength];
    value[0] = (byte) (isDone() ? 1 : 0);
    value[1] = (byte) name.length;
    System.arraycopy(name, 0, value, 2, name.length);
    if (key != null) {
      value[2 + name.length] = 1;
      System.arraycopy(key, 0, value, 3 + name.length, keyLength);
    }
    return new Write<>(side.log(), KEY, value);
  }

  boolean isChecking() {
    return phase == Phase.CHECKING;
  }

  boolean isDone() {
    return phase == Phase.DONE;
  }

  /** The table to go on with; {@code null} after the last one. */
  @Nullable String tableOf(Set<String> names) {
    return names.stream()
        .filter(name -> key == null ? name.compareTo(table) > 0 : name.compareTo(table) >= 0)
        .findFirst()
        .orElse(null);
  }

  Range<byte[]> rangeIn(String name) {
    return key != null && name.equals(table) ? Range.<byte[]>all().from(key, false) : Range.all();
  }

  /** Where to go on after a portion of a table, whose last key may be its end. */
  CopyPosition after(String name, byte @Nullable [] last) {
    return new CopyPosition(phase, name, last);
  }

  CopyPosition toCopy() {
    return new CopyPosition(Phase.COPYING, "", null);
  }
}
