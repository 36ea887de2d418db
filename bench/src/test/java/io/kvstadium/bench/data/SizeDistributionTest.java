package io.kvstadium.bench.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.data.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeDistributionTest {
  private static final int DRAWS = 1_000_000;

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({
    "25.45, 0.2615, 0, 1048576",
    "14.236, 2.517, 0, 10000",
    "39, 0.1033, 10, 1048576",
    "200, 0, 0, 100000",
    "50, 1, 5, 3000",
    "3, 0.5, 0.7, 40",
    "1000, 5, 100, 2000000000"
  })
  void paretoFollowsItsLawSizeBySize(double sigma, double k, double theta, int max) {
    // given
    var law = new SizeDistribution.Pareto(sigma, k, theta, max);
    DoubleUnaryOperator exceeded =
        x -> {
          double z = Math.max(0, (x - theta) / sigma);
          return k == 0 ? Math.exp(-z) : Math.pow(1 + k * z, -1 / k);
        };

    // when: sizes one by one where they are frequent, all above 2,000 but the largest together
    int single = Math.min(max, 2001);
    long[] counts = new long[single + 2];
    Sizes sizes = new Sizes(law);
    for (int i = 0; i < DRAWS; i++) {
      int size = sizes.pick(Mixing.mix(i));
      assertThat(size).isBetween((int) theta, max);
      counts[size == max ? single + 1 : Math.min(size, single)]++;
    }

    // then
    double below = exceeded.applyAsDouble(single - 0.5);
    double largest = exceeded.applyAsDouble(max - 0.5);
    assertThat(
            Laws.pValue(
                counts,
                size ->
                    DRAWS
                        * (size == single + 1
                            ? largest
                            : size == single
                                ? below - largest
                                : exceeded.applyAsDouble(size - 0.5)
                                    - exceeded.applyAsDouble(size + 0.5))))
        .isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void farQuantilesOfParetoAreWhereTheyBelong() {
    // given
    var law = new SizeDistribution.Pareto(25.45, 0.2615, 0, 1 << 20);
    Sizes sizes = new Sizes(law);

    // when
    int[] drawn =
        IntStream.range(0, 4_000_000).map(i -> sizes.pick(Mixing.mix(i))).sorted().toArray();

    // then
    for (double tail : new double[] {0.5, 0.1, 0.01, 0.001, 0.0001}) {
      double quantile = drawn[(int) (drawn.length * (1 - tail))];
      assertThat(quantile / law.exceededWith(tail)).isCloseTo(1, within(0.05));
    }
    assertThat(Arrays.stream(drawn).average().orElseThrow() / law.mean())
        .isCloseTo(1, within(0.005));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pareto:25.45,0.2615",
        "pareto:14.236,2.517,0,10000",
        "pareto:50,1,5,3000",
        "pareto:200,0",
        "histogram:100=0.2,400=0.5,1000..3000=0.3",
        "0..2000",
        "50±5",
        "7"
      })
  void theMeanIsTheOneThatTheLawStates(String text) {
    SizeDistribution law = SizeDistribution.parse(text);
    Sizes sizes = new Sizes(law);
    double mean =
        IntStream.range(0, DRAWS).map(i -> sizes.pick(Mixing.mix(i))).average().orElseThrow();
    assertThat(mean / law.mean()).isCloseTo(1, within(0.02));
  }

  @Test
  void histogramsFollowTheirWeights() {
    // given
    SizeDistribution law = SizeDistribution.parse("histogram:10=20, 40=50, 0..4=25, 99=0, 7=5");
    double[] expected = new double[100];
    Arrays.fill(expected, 0, 5, 0.05);
    expected[10] = 0.2;
    expected[40] = 0.5;
    expected[7] = 0.05;

    // when
    Sizes sizes = new Sizes(law);
    long[] counts = new long[100];
    for (int i = 0; i < DRAWS; i++) {
      counts[sizes.pick(Mixing.mix(i))]++;
    }

    // then
    assertThat(Laws.pValue(counts, k -> DRAWS * expected[k])).isGreaterThan(Laws.UNLIKELY);
    for (int size = 0; size < 100; size++) {
      assertThat(counts[size] > 0).isEqualTo(expected[size] > 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 30, 1000, 4096})
  void classesAreDrawnByTheirWeights(int n) {
    // given: weights of all magnitudes
    double[] weights =
        IntStream.range(0, n)
            .mapToDouble(k -> Math.pow(10, (int) Mixing.reduce(Mixing.mix(k), 6)))
            .toArray();
    double sum = Arrays.stream(weights).sum();

    // when
    AliasTable table = new AliasTable(weights);
    long[] counts = new long[n];
    Draws random = new Draws(4);
    for (int i = 0; i < DRAWS; i++) {
      counts[table.pick(random.bits())]++;
    }

    // then
    if (n > 1) {
      assertThat(Laws.pValue(counts, k -> DRAWS * weights[k] / sum)).isGreaterThan(Laws.UNLIKELY);
    }
  }

  @Test
  void valuesOfAFileGiveTheirLengths() throws IOException {
    // given: 3 of 6 records are 9 bytes long, the header does not count
    Path csv = dir.resolve("sizes, of_mine.csv");
    Files.writeString(csv, "id,text of the entry\n1,aaaaaaa\n2,bbbbbbb\n3,c\n4,d\n5,eeeeeee\n6,\n");
    Path lines = dir.resolve("x.jsonl");
    Files.writeString(lines, "{\"a\":1}\n\n{\"b\":\"" + "x".repeat(40_000) + "\"}\n{\"c\":2}\n");
    Path files = Files.createDirectory(dir.resolve("files"));
    Files.writeString(files.resolve("one"), "");
    Files.writeString(files.resolve("two"), "four");

    // when, then
    assertThat(lengths(csv)).hasToString("histogram:2=1,3=2,9=3");
    assertThat(SizeDistribution.parse("from:" + csv)).hasToString("from:" + csv);
    assertThat(SizeDistribution.parse("from:" + csv).mean()).isCloseTo(35 / 6.0, within(1e-9));
    assertThat(lengths(lines)).hasToString("histogram:7=2,40008=1");
    assertThat(lengths(files)).hasToString("histogram:0=1,4=1");
    assertThat(SizeDistribution.parse(lengths(csv).toString())).isEqualTo(lengths(csv));
    assertThat(SizeDistribution.parse("from:" + csv).writtenOut()).isEqualTo(lengths(csv));
    assertThat(SizeDistribution.parse("50±5").writtenOut()).hasToString("50±5");
  }

  @Test
  void manyDifferentLengthsAreALawOfFewClasses() throws IOException {
    // given: 20,000 lengths once each, and one of them 5,000 times more
    Path file = dir.resolve("x.jsonl");
    var text = new StringBuilder();
    for (int length = 1; length <= 20_000; length++) {
      text.repeat('x', length).append('\n');
    }
    text.append(("x".repeat(4096) + "\n").repeat(5000));
    Files.writeString(file, text);

    // when
    SizeDistribution.Histogram law = lengths(file);

    // then
    assertThat(law.bins()).hasSizeLessThan(4200);
    assertThat(law.bins().getFirst().min()).isEqualTo(1);
    assertThat(law.bins().getLast().max()).isEqualTo(20_000);
    assertThat(law.bins()).contains(new SizeDistribution.Histogram.Bin(4096, 4096, 5001));
    assertThat(law.mean()).isCloseTo((20_000 * 20_001.0 / 2 + 5000 * 4096) / 25_000, within(0.5));
    Sizes sizes = new Sizes(law);
    long[] counts = new long[20];
    for (int i = 0; i < DRAWS; i++) {
      int size = sizes.pick(Mixing.mix(i));
      counts[(size - 1) / 1000]++;
    }
    assertThat(Laws.pValue(counts, k -> DRAWS * (k == 4 ? 0.24 : 0.04)))
        .isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void dataThatCannotBeReadIsRefusedWithItsName() throws IOException {
    Path empty = Files.writeString(dir.resolve("x.csv"), "id,v\n");
    Path strange = Files.writeString(dir.resolve("x.bin"), "1");
    for (String[] pair :
        new String[][] {
          {"from:" + dir.resolve("none.csv"), "There is no data at"},
          {"from:" + empty, "no entries"},
          {"from:" + strange, "Cannot tell"},
          {"from:", "give a directory"}
        }) {
      assertThatThrownBy(() -> SizeDistribution.parse(pair[0]))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining(pair[1])
          .hasMessageContaining("Value size '" + pair[0]);
    }
  }

  @Test
  void countsAreAtLeastOneAndEachLaneHasItsOwn() {
    // given
    SizeDistribution law = SizeDistribution.parse("pareto:14.236,2.517,0,10000", "Scan length");

    // when
    int[] one = first(law.counts(3, Lane.ONLY));
    int[] again = first(law.counts(3, Lane.ONLY));
    int[] other = first(law.counts(3, new Lane(1, 2)));

    // then
    assertThat(one).isEqualTo(again).isNotEqualTo(other);
    assertThat(Arrays.stream(one)).allMatch(n -> n >= 1 && n <= 10_000);
    assertThat(Arrays.stream(one).filter(n -> n == 1).count()).isPositive();
    assertThat(first(new SizeDistribution.Fixed(0).counts(3, Lane.ONLY))).containsOnly(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pareto:25.45,0.2615",
        "pareto:25.45,0.2615,10",
        "pareto:14.236,2.517,0,10000",
        "pareto:1,0",
        "histogram:100=0.2,400=0.5,4000..5000=0.3"
      })
  void lawsReadWhatTheyWrite(String text) {
    assertThat(SizeDistribution.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pareto:1 | write pareto:SIGMA,K",
        "pareto:1,2,3,4,5 | write pareto:SIGMA,K",
        "pareto:x,1 | a number in it is invalid",
        "pareto:0,1 | give a scale above 0",
        "pareto:1,-1 | shape of 0 to 10",
        "pareto:1,1,9,8 | the smallest first",
        "pareto:NaN,1 | give a scale above 0",
        "histogram: | SIZE=WEIGHT",
        "histogram:100 | is neither",
        "histogram:100=a | a number in it is invalid",
        "histogram:100=0 | give some above 0",
        "histogram:100=-1 | give 0 or more",
        "histogram:100=NaN | give 0 or more",
        "histogram:9..3=1 | the smaller first",
        "paretto:1,2 | is not understood: write 100"
      })
  void whatIsWrongIsSaid(String text, String message) {
    assertThatThrownBy(() -> SizeDistribution.parse(text, "Scan length"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(message);
  }

  private static SizeDistribution.Histogram lengths(Path path) {
    return ((SizeDistribution.Observed) SizeDistribution.parse("from:" + path)).lengths();
  }

  private static int[] first(IntSupplier counts) {
    return IntStream.generate(counts).limit(1000).toArray();
  }
}
