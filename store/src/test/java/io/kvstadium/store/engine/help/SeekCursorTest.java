package io.kvstadium.store.engine.help;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeekCursorTest {
  private final TreeSet<Integer> keys = new TreeSet<>();
  private final ReentrantLock lock = new ReentrantLock();
  private int changes;

  /** Keeps its position as an index, which each change of the keys shifts. */
  private final class Indexed extends SeekCursor<RuntimeException> {
    private int index;
    private int seen;

    Indexed(Range<byte[]> range) {
      super(range, true, lock);
    }

    private boolean moveTo(int target) {
      assertThat(lock.isHeldByCurrentThread()).isTrue();
      index = target;
      return index >= 0 && index < keys.size();
    }

    @Override
    protected boolean first() {
      return moveTo(0);
    }

    @Override
    protected boolean last() {
      return moveTo(keys.size() - 1);
    }

    @Override
    protected boolean ceiling(byte[] key) {
      // a longer key is above those of one byte that begin it
      return moveTo(keys.headSet((int) key[0], key.length > 1).size());
    }

    @Override
    protected boolean following() {
      return moveTo(index + 1);
    }

    @Override
    protected boolean previous() {
      return moveTo(index - 1);
    }

    @Override
    protected byte[] readKey() {
      return new byte[] {new ArrayList<>(keys).get(index).byteValue()};
    }

    @Override
    protected boolean isLost() {
      return seen != changes;
    }

    @Override
    protected void arrive() {
      assertThat(lock.isHeldByCurrentThread()).isTrue();
      seen = changes;
    }

    @Override
    public byte[] value() {
      return readKey();
    }

    @Override
    public void close() {}
  }

  private void change(int removed, int added) {
    keys.remove(removed);
    keys.add(added);
    changes++;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void walkThatLostItsPlaceGoesOnFromItsKey(boolean reverse) {
    // given
    for (int key = 0; key < 100; key += 10) {
      keys.add(key);
    }
    Range<byte[]> range =
        Range.<byte[]>all().from(new byte[] {10}, false).to(new byte[] {90}, false);
    List<Integer> seen = new ArrayList<>();
    // when entries come and go before, at and after each one that is passed
    try (Indexed cursor = new Indexed(reverse ? range.reverse() : range)) {
      while (cursor.next()) {
        int key = cursor.key()[0];
        seen.add(key);
        change(key % 20 == 0 ? key : key - 1, key + (reverse ? 1 : -1));
        change(-1, key % 10 == 0 ? key + (reverse ? -5 : 5) : key);
        assertThat(cursor.key()).containsExactly(key);
        assertThat(lock.isLocked()).isFalse();
      }
    }
    // then each is passed once, in order, including those that were added on the way
    assertThat(seen)
        .containsExactlyElementsOf(
            reverse
                ? List.of(80, 75, 70, 65, 60, 55, 50, 45, 40, 35, 30, 25, 20, 15)
                : List.of(20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85));
  }

  @Test
  void seekFindsItsPlaceWhateverChanged() {
    keys.addAll(List.of(1, 3, 5));
    try (Indexed cursor = new Indexed(Range.all())) {
      assertThat(cursor.next()).isTrue();
      change(1, 2);
      assertThat(cursor.seek(new byte[] {2})).isTrue();
      assertThat(cursor.key()).containsExactly(2);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.key()).containsExactly(3);
    }
  }
}
