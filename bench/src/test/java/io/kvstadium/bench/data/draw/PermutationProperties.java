package io.kvstadium.bench.data.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class PermutationProperties {
  @Property(tries = 200)
  void everyIndexOnce(@ForAll @IntRange(min = 1, max = 20_000) int n, @ForAll long seed) {
    var order = new Permutation(n, seed);
    var seen = new BitSet(n);
    for (int position = 0; position < n; position++) {
      seen.set((int) order.at(position));
    }
    assertThat(seen.cardinality()).isEqualTo(n);
    assertThat(seen.length()).isEqualTo(n);
  }

  @Property(tries = 200)
  void staysInsideLargeRanges(
      @ForAll @LongRange(min = 1, max = 1L << 62) long n,
      @ForAll long seed,
      @ForAll @LongRange(min = 0, max = 1L << 62) long position) {
    assertThat(new Permutation(n, seed).at(position % n)).isBetween(0L, n - 1);
  }

  @Example
  void everyIndexIsEquallyLikelyAtAPosition() {
    for (int n : new int[] {3, 5, 16, 100, 256, 300}) {
      long[] counts = new long[n];
      for (int seed = 0; seed < 100_000; seed++) {
        counts[(int) new Permutation(n, Seeds.derive(9, seed)).at(2)]++;
      }
      int size = n;
      assertThat(Laws.pValue(counts, _ -> 100_000.0 / size)).isGreaterThan(Laws.UNLIKELY);
    }
  }

  @Example
  void neighboursAreScattered() {
    // given
    int n = 100_000;
    var order = new Permutation(n, 4);
    long[] steps = new long[20];

    // when: the steps between neighbours of a random order are uniform modulo n
    for (int position = 1; position < n; position++) {
      long step = Math.floorMod(order.at(position) - order.at(position - 1), (long) n);
      steps[(int) (step * 20 / n)]++;
    }

    // then
    assertThat(Laws.pValue(steps, _ -> (n - 1) / 20.0)).isGreaterThan(Laws.UNLIKELY);
  }
}
