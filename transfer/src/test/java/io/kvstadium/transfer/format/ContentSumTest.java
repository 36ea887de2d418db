package io.kvstadium.transfer.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class ContentSumTest {
  /** From the reference implementation, with its seed of 0. */
  @Example
  void theHashIsMurmurs() {
    Murmur3 hash = new Murmur3();

    hash.begin(0, 0);
    hash.add("hello".getBytes(UTF_8));

    assertThat(hash.first()).isEqualTo(0xcbd8a7b341bd9b02L);
    assertThat(hash.second()).isEqualTo(0x5b1e906a48ae1d19L);
    hash.begin(0, 0);
    hash.add("The quick brown fox jumps over the lazy dog".getBytes(UTF_8));
    assertThat(hash.first()).isEqualTo(0xe34bbc7bbc071b6cL);
    assertThat(hash.second()).isEqualTo(0x7a433ca9c49a9347L);
  }

  @Property(tries = 100)
  void theOrderDoesNotMatterNorInHowManyParts(
      @ForAll @Size(max = 30) List<byte[]> values, @ForAll Random random) {
    List<byte[]> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, random);
    int cut = values.size() / 2;

    ContentSum whole = sum("t", values);

    assertThat(sum("t", shuffled)).isEqualTo(whole);
    assertThat(
            sum("t", shuffled.subList(0, cut)).plus(sum("t", shuffled.subList(cut, values.size()))))
        .isEqualTo(whole);
  }

  @Example
  void noByteMovesBetweenTableKeyAndValueUnseen() {
    List<ContentSum> sums =
        List.of(
            of("ab", "c", "d"),
            of("a", "bc", "d"),
            of("a", "b", "cd"),
            of("a", "b", "c"),
            of("a", "", "bcd"),
            of("a", "bcd", ""));

    assertThat(sums).doesNotHaveDuplicates();
    assertThat(sums.getFirst().hex()).matches("[0-9a-f]{32}");
    assertThat(sums.getFirst().bytes()).isEqualTo(2);
  }

  private static ContentSum of(String table, String key, String value) {
    ContentSum.Adder adder = new ContentSum.Adder(table);
    adder.add(key.getBytes(UTF_8), value.getBytes(UTF_8));
    return adder.sum();
  }

  private static ContentSum sum(String table, List<byte[]> values) {
    ContentSum.Adder adder = new ContentSum.Adder(table);
    values.forEach(value -> adder.add(value, value));
    return adder.sum();
  }
}
