package io.kvstadium.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the tree with a sorted map, at sizes that give it several heights. */
final class SortedEntriesTest {
  private final Random random = new Random(7);

  @ParameterizedTest
  @ValueSource(ints = {20, 1_000, 50_000})
  void entriesAreThoseOfASortedMapWhileTheyGrowAndShrink(int keys) {
    NavigableMap<byte[], byte[]> expected = map();
    SortedEntries entries = SortedEntries.EMPTY;
    for (int round = 0; round < 40; round++) {
      boolean grows = round % 20 < 10;
      Edit edit = entries.edit();
      for (int i = 0; i < keys / 8; i++) {
        byte[] key = key(random.nextInt(keys));
        if (random.nextInt(10) < (grows ? 9 : 1)) {
          byte[] value = {(byte) i};
          edit.put(key, value);
          expected.put(key, value);
        } else {
          edit.remove(key);
          expected.remove(key);
        }
      }
      entries = edit.done();
      assertThat(entries.size()).isEqualTo(expected.size());
    }

    for (int i = 0; i < keys; i++) {
      assertThat(entries.get(key(i))).isSameAs(expected.get(key(i)));
    }
    for (int i = 0; i < 100; i++) {
      byte[] from = key(random.nextInt(keys));
      byte[] to = key(random.nextInt(keys));
      boolean inclusive = random.nextBoolean();
      if (Arrays.compareUnsigned(from, to) <= 0) {
        NavigableMap<byte[], byte[]> part = expected.subMap(from, inclusive, to, !inclusive);
        Range<byte[]> range = Range.<byte[]>all().from(from, inclusive).to(to, !inclusive);
        assertSame(entries.scan(range), part);
        assertSame(entries.scan(range.reverse()), part.descendingMap());
      }
    }
    assertSame(entries.scan(Range.all()), expected);
    assertSame(entries.scan(Range.<byte[]>all().reverse()), expected.descendingMap());
  }

  @Test
  void keysAreFoundWhereverTheyBeginToDiffer() {
    NavigableMap<byte[], byte[]> expected = map();
    Edit edit = SortedEntries.EMPTY.edit();
    for (int i = 0; i < 20_000; i++) {
      byte[] key = new byte[random.nextInt(40)];
      for (int at = 0; at < key.length; at++) { // long runs of the same, below and above zero
        key[at] = (byte) (random.nextInt(12) > 0 ? at / 20 * 0xff : random.nextInt(256));
      }
      byte[] value = {(byte) i};
      edit.put(key, value);
      expected.put(key, value);
    }
    SortedEntries entries = edit.done();

    assertSame(entries.scan(Range.all()), expected);
    expected.forEach((key, value) -> {
      assertThat(entries.get(key)).isSameAs(value);
      byte[] shorter = Arrays.copyOf(key, Math.max(0, key.length - 1));
      byte[] longer = Arrays.copyOf(key, key.length + 9);
      for (byte[] other : List.of(shorter, longer)) {
        assertThat(entries.get(other)).isSameAs(expected.get(other));
        Iterator<Map.Entry<byte[], byte[]>> rest =
            entries.scan(Range.<byte[]>all().from(other, true));
        byte[] next = expected.ceilingKey(other);
        assertThat(rest.hasNext()).isEqualTo(next != null);
        if (next != null) {
          assertThat(rest.next().getKey()).isEqualTo(next);
        }
      }
    });
  }

  @Test
  void allCanBeRemovedInAnyOrder() {
    List<Integer> numbers = new ArrayList<>();
    Edit edit = SortedEntries.EMPTY.edit();
    for (int i = 0; i < 20_000; i++) {
      edit.put(key(i), new byte[0]);
      numbers.add(i);
    }
    SortedEntries full = edit.done();
    for (int way = 0; way < 3; way++) {
      Edit removal = full.edit();
      for (int number : numbers) {
        removal.remove(key(number));
      }
      SortedEntries left = removal.done();
      assertThat(left.size()).isZero();
      assertThat(left.scan(Range.all()).hasNext()).isFalse();
      assertThat(left.root()).isInstanceOf(Leaf.class);
      if (way == 0) {
        numbers.sort(Comparator.reverseOrder());
      } else {
        Collections.shuffle(numbers, random);
      }
    }
    assertThat(full.size()).isEqualTo(20_000);
  }

  @Test
  void editsChangeNothingThatWasThereBefore() {
    SortedEntries entries = SortedEntries.EMPTY;
    List<SortedEntries> history = new ArrayList<>();
    List<NavigableMap<byte[], byte[]>> expected = new ArrayList<>();
    NavigableMap<byte[], byte[]> now = map();
    for (int i = 0; i < 60; i++) {
      Edit edit = entries.edit();
      for (int k = 0; k < 100; k++) {
        byte[] key = key(random.nextInt(3_000));
        if (random.nextInt(3) == 0) {
          edit.remove(key);
          now.remove(key);
        } else {
          byte[] value = {(byte) i, (byte) k};
          edit.put(key, value);
          now.put(key, value);
        }
      }
      entries = edit.done();
      history.add(entries);
      NavigableMap<byte[], byte[]> copy = map();
      copy.putAll(now);
      expected.add(copy);
    }

    for (int i = 0; i < history.size(); i++) {
      assertSame(history.get(i).scan(Range.all()), expected.get(i));
    }
  }

  private static void assertSame(
      Iterator<Map.Entry<byte[], byte[]>> entries, Map<byte[], byte[]> expected) {
    for (Map.Entry<byte[], byte[]> each : expected.entrySet()) {
      Map.Entry<byte[], byte[]> entry = entries.next();
      assertThat(entry.getKey()).isEqualTo(each.getKey());
      assertThat(entry.getValue()).isSameAs(each.getValue());
    }
    assertThat(entries.hasNext()).isFalse();
  }

  private static NavigableMap<byte[], byte[]> map() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** Makes keys of different lengths; those of numbers that differ by 31 in two bytes collide. */
  private static byte[] key(int number) {
    byte[] key = new byte[3 + number % 3];
    key[0] = (byte) (number >> 10);
    key[1] = (byte) (number >> 5 & 31);
    key[2] = (byte) (number & 31);
    return key;
  }
}
