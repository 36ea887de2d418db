package io.kvstadium.store.engine.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Entry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortionsTest {
  /** Entries of 1,000 bytes and their overhead, numbered by their key's only byte. */
  private static Iterator<Entry<byte[], byte[]>> entries(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Entry<>(new byte[] {(byte) i}, new byte[999]))
        .iterator();
  }

  private static List<List<Integer>> cut(Iterator<Entry<byte[], byte[]>> entries, long bytes) {
    List<List<Integer>> portions = new ArrayList<>();
    Portions.forEach(
        entries,
        bytes,
        portion -> portions.add(portion.stream().map(e -> (int) e.key()[0]).toList()));
    return portions;
  }

  @Test
  void portionEndsAsSoonAsItIsLargeEnough() {
    assertThat(cut(entries(5), 2_000)).containsExactly(List.of(0, 1), List.of(2, 3), List.of(4));
  }

  @Test
  void entryLargerThanAPortionIsOne() {
    assertThat(cut(entries(2), 10)).containsExactly(List.of(0), List.of(1));
  }

  @Test
  void nothingHasNoPortions() {
    assertThat(cut(entries(0), 10)).isEmpty();
  }

  @Test
  void nothingOfAPortionIsGivenWhoseSourceBreaks() {
    List<Integer> given = new ArrayList<>();
    Iterator<Entry<byte[], byte[]>> breaking =
        IntStream.range(0, 5)
            .mapToObj(i -> {
              if (i == 3) {
                throw new IllegalStateException("broke");
              }
              return new Entry<>(new byte[] {(byte) i}, new byte[999]);
            })
            .iterator();

    assertThatThrownBy(() ->
            Portions.forEach(
                breaking, 2_000, portion -> portion.forEach(e -> given.add((int) e.key()[0]))))
        .hasMessage("broke");

    assertThat(given).containsExactly(0, 1);
  }
}
