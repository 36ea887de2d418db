package io.kvstadium.engine.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.Write;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scans over stored entries and a transaction's own writes, compared with maps; keys of one byte.
 */
class TouchedTest {
  private static final int KEYS = 24;

  private record Walk(NavigableMap<Integer, Integer> map, Range range) {
    Iterator<Map.Entry<Integer, Integer>> entries() {
      return (range.reversed() ? map.descendingMap() : map)
          .entrySet().stream().filter(each -> range.contains(bytes(each.getKey()))).iterator();
    }

    EngineCursor cursor() {
      Iterator<Map.Entry<Integer, Integer>> entries = entries();
      return new EngineCursor() {
        private Map.@Nullable Entry<Integer, Integer> at;

        @Override
        public boolean next() {
          at = entries.hasNext() ? entries.next() : null;
          return at != null;
        }

        @Override
        public byte[] key() {
          return bytes(at == null ? -1 : at.getKey());
        }

        @Override
        public byte[] value() {
          return bytes(at == null ? -1 : at.getValue());
        }

        @Override
        public void close() {}
      };
    }
  }

  private static byte[] bytes(int number) {
    return new byte[] {(byte) number};
  }

  private static IgniteTable table() {
    return new IgniteTable(
        "t",
        1,
        "t",
        () -> {
          throw new AssertionError("nothing is asked of the nodes");
        });
  }

  private static Range range(SplittableRandom random) {
    Range range = Range.all();
    if (random.nextInt(4) > 0) {
      range = range.from(bytes(random.nextInt(KEYS)), random.nextBoolean());
    }
    if (random.nextInt(4) > 0) {
      range = range.to(bytes(random.nextInt(KEYS)), random.nextBoolean());
    }
    range = random.nextBoolean() ? range.reverse() : range;
    return random.nextInt(4) == 0 ? range.keysOnly() : range;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void scansGiveOwnWritesAndRememberHowFarTheyCame(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 300; round++) {
      IgniteTable table = table();
      Touched touched = new Touched(table);
      NavigableMap<Integer, Integer> below = new TreeMap<>();
      for (int i = random.nextInt(KEYS); i > 0; i--) {
        below.put(random.nextInt(KEYS), random.nextInt(100));
      }
      NavigableMap<Integer, Integer> both = new TreeMap<>(below);
      List<Range> told = new ArrayList<>();
      for (int scan = random.nextInt(6); scan >= 0; scan--) {
        for (int i = random.nextInt(6); i > 0; i--) {
          int key = random.nextInt(KEYS);
          boolean put = random.nextBoolean();
          touched.add(new Write<>(table, bytes(key), put ? bytes(key + 100) : null));
          if (put) {
            both.put(key, key + 100);
          } else {
            both.remove(key);
          }
        }
        Range range = range(random);
        if (range.isEmpty()) {
          continue;
        }
        EngineCursor cursor = touched.cursor(new Walk(below, range).cursor(), range);
        Iterator<Map.Entry<Integer, Integer>> expected = new Walk(both, range).entries();
        byte @Nullable [] last = null;
        boolean ended = false;
        for (int steps = random.nextInt(KEYS + 2); steps > 0 && !ended; steps--) {
          ended = !cursor.next();
          assertThat(ended).isEqualTo(!expected.hasNext());
          if (!ended) {
            Map.Entry<Integer, Integer> entry = expected.next();
            last = bytes(entry.getKey());
            assertThat(cursor.key()).isEqualTo(last);
            assertThat(cursor.value()).isEqualTo(bytes(entry.getValue()));
          }
        }
        if (ended) {
          told.add(range);
        } else if (last != null) {
          told.add(range.reversed() ? range.from(last, true) : range.to(last, true));
        }
      }

      List<Range> extents = touched.extents();
      for (boolean values : List.of(true, false)) {
        for (int key = 0; key <= KEYS; key++) {
          assertThat(has(extents, values, key))
              .as("seed %d, round %d, key %d", seed, round, key)
              .isEqualTo(has(told, values, key));
        }
      }
      assertThat(extents).allMatch(each -> !each.reversed() && each.limit() == Long.MAX_VALUE);
    }
  }

  private static boolean has(List<Range> ranges, boolean values, int key) {
    return ranges.stream()
        .anyMatch(each -> !(values && each.withoutValues()) && each.contains(bytes(key)));
  }
}
