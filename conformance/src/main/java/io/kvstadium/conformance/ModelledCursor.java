package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An open cursor with what it must find. If it sees one state, that is what was there when it was
 * opened; otherwise what was left alone since then comes once and in order, and what was changed
 * may come or not.
 */
final class ModelledCursor implements AutoCloseable {
  final int table;
  private final Cursor<byte[], byte[]> cursor;
  private final boolean reversed;
  private final boolean ofSnapshot;
  private final NavigableMap<byte[], byte[]> begun;

  private final Set<byte[]> touched = new TreeSet<>(Arrays::compareUnsigned);
  private boolean oneState;
  private byte @Nullable [] at;
  private boolean inclusive;
  private boolean ended;

  /**
   * @param map what the table holds
   * @param oneState whether it sees one state, at least until it seeks
   */
  ModelledCursor(
      Cursor<byte[], byte[]> cursor,
      int table,
      Range<byte[]> range,
      NavigableMap<byte[], byte[]> map,
      boolean oneState,
      boolean ofSnapshot) {
    this.cursor = cursor;
    this.table = table;
    this.reversed = range.reversed();
    this.oneState = oneState;
    this.ofSnapshot = ofSnapshot;
    NavigableMap<byte[], byte[]> inside = new TreeMap<>(map);
    inside.keySet().removeIf(key -> !range.contains(key));
    this.begun = reversed ? inside.descendingMap() : inside;
  }

  /** Notes what a write has changed; what was written over with the same counts too. */
  @SuppressWarnings("ReferenceEquality") // each write has an array of its own
  void note(NavigableMap<byte[], byte[]> before, NavigableMap<byte[], byte[]> after) {
    if (ofSnapshot) {
      return;
    }
    before.forEach((key, value) -> {
      if (after.get(key) != value) {
        touched.add(key);
      }
    });
    after.keySet().stream().filter(key -> !before.containsKey(key)).forEach(touched::add);
  }

  void step(int steps) {
    for (int i = 0; i < steps && !ended; i++) {
      arrive(cursor.next());
    }
  }

  void seek(byte[] key) {
    // on an engine that cannot seek, it starts again on what is there by now
    oneState &= ofSnapshot || touched.isEmpty();
    at = key;
    inclusive = true;
    arrive(cursor.seek(key));
  }

  private void arrive(boolean found) {
    NavigableMap<byte[], byte[]> left = at == null ? begun : begun.tailMap(at, inclusive);
    byte[] next = null;
    for (byte[] key : left.keySet()) {
      if (oneState || !touched.contains(key)) {
        next = key;
        break;
      }
    }
    ended = !found;
    if (!found) {
      assertThat(Bytes.text(next)).as("what a cursor did not find").isEqualTo(Bytes.ABSENT);
      return;
    }
    byte[] key = cursor.key();
    if (oneState || !touched.contains(key)) {
      assertThat(Bytes.text(key)).as("a cursor's next key").isEqualTo(Bytes.text(next));
      assertThat(Bytes.text(cursor.value()))
          .as("a cursor's value at %s", Bytes.text(key))
          .isEqualTo(Bytes.text(begun.get(key)));
    } else {
      assertThat(at == null || order(at, key) < 0 || (inclusive && order(at, key) == 0))
          .as("%s comes after where the cursor was", Bytes.text(key))
          .isTrue();
      assertThat(next == null || order(key, next) < 0)
          .as("%s comes before %s, which nobody changed", Bytes.text(key), Bytes.text(next))
          .isTrue();
    }
    at = key.clone();
    inclusive = false;
  }

  private int order(byte[] one, byte[] two) {
    int order = Arrays.compareUnsigned(one, two);
    return reversed ? -order : order;
  }

  @Override
  public void close() {
    cursor.close();
  }
}
