package io.kvstadium.bench.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.data.draw.Laws;
import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.store.BadArgumentException;
import java.io.ByteArrayOutputStream;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  @ParameterizedTest
  @CsvSource({
    "BYTES, 0",
    "BYTES, 5",
    "BYTES, 8",
    "BYTES, 10",
    "BYTES, 100",
    "BYTES, 1024",
    "BYTES, 200000",
    "TEXT, 0",
    "TEXT, 5",
    "TEXT, 11",
    "TEXT, 12",
    "TEXT, 1000",
    "TEXT, 200000"
  })
  void aValueMatchesItselfAndNothingElse(ValueSpec.Form form, int size) {
    // given
    var values = new Values(new ValueSpec(form, new SizeDistribution.Fixed(size), 0.5), 5);

    // when
    byte[] value = values.value(42, 3);

    // then
    assertThat(value).hasSize(size);
    assertThat(values.matches(42, 3, value)).isTrue();
    if (size >= 5) {
      assertThat(values.matches(42, 4, value)).isFalse();
      assertThat(values.matches(43, 3, value)).isFalse();
    }
    assertThat(values.matches(42, 3, new byte[size + 1])).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 8, 11, 100, 70_000})
  void anyFlippedByteIsFound(int size) {
    for (ValueSpec.Form form : ValueSpec.Form.values()) {
      // given
      var values = new Values(new ValueSpec(form, new SizeDistribution.Fixed(size), 0.5), 5);
      byte[] value = values.value(1, 0);
      int step = Math.max(1, size / 500);
      for (int p = 0; p < size; p = p < size - 1 ? Math.min(size - 1, p + step) : size) {
        // when
        value[p] ^= 1;

        // then
        assertThat(values.matches(1, 0, value)).isFalse();
        value[p] ^= 1;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ValueSpec.Form.class)
  void valuesDiffer(ValueSpec.Form form) {
    var values = new Values(new ValueSpec(form, new SizeDistribution.Fixed(12), 0.5), 5);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      for (int generation = 0; generation < 20; generation++) {
        seen.add(KeysTest.hex(values.value(i, generation)));
      }
    }
    assertThat(seen).hasSize(20_000);
  }

  @Test
  void textIsPrintable() {
    byte[] value =
        new Values(new ValueSpec(ValueSpec.Form.TEXT, new SizeDistribution.Fixed(1000), 0), 3)
            .value(9, 0);
    for (byte b : value) {
      assertThat((char) b).matches(c -> Character.isLetterOrDigit(c) || c == '-' || c == '_');
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 100",
    "0.5, 1000",
    "0.5, 10000",
    "0.25, 100",
    "0.25, 1000",
    "0.75, 100",
    "0.75, 1000",
    "0.9, 1000",
    "0.5, 32",
    "0, 100",
    "0, 1000",
    "0.25, 10000",
    "0.75, 10000",
    "0.95, 1000",
    "0.95, 10000"
  })
  void theDialIsWhatACompressorGets(double compressibility, int size) {
    // given
    var spec =
        new ValueSpec(ValueSpec.Form.BYTES, new SizeDistribution.Fixed(size), compressibility);

    // when
    double ratio = compressedShare(new Values(spec, 17), size);

    // then
    assertThat(1 - ratio).isCloseTo(compressibility, within(0.06));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 100",
    "0, 1000",
    "0.25, 1000",
    "0.5, 100",
    "0.5, 1000",
    "0.75, 1000",
    "0.95, 1000",
    "0.95, 10000"
  })
  void textGivesAwayTheDialAndAQuarterOfTheRestToACompressorThatCodesEntropy(
      double compressibility, int size) {
    // given
    var spec =
        new ValueSpec(ValueSpec.Form.TEXT, new SizeDistribution.Fixed(size), compressibility);

    // when
    double saved = 1 - compressedShare(new Values(spec, 17), size);

    // then: what is left is characters of 6 bits
    assertThat(saved).isCloseTo(compressibility + (1 - compressibility) / 4, within(0.07));
  }

  @ParameterizedTest
  @ValueSource(strings = {"50..150", "pareto:200,0.2615", "30..2000"})
  void theDialHoldsOverSizesThatDiffer(String sizes) {
    for (double compressibility : new double[] {0, 0.25, 0.5, 0.75}) {
      var spec =
          new ValueSpec(ValueSpec.Form.BYTES, SizeDistribution.parse(sizes), compressibility);
      double saved = 1 - compressedShare(new Values(spec, 17), 10);
      assertThat(saved).isCloseTo(compressibility, within(0.07));
    }
  }

  @Test
  void textHasNoRepeatsUnlessAskedFor() {
    // given
    var random = new ValueSpec(ValueSpec.Form.TEXT, new SizeDistribution.Fixed(1000), 0);
    var half = new ValueSpec(ValueSpec.Form.TEXT, new SizeDistribution.Fixed(1000), 0.5);

    // when, then: six bits per character, which only entropy coding can see
    assertThat(compressedShare(new Values(random, 17), 1000)).isBetween(0.74, 0.80);
    assertThat(compressedShare(new Values(half, 17), 1000)).isBetween(0.35, 0.5);
  }

  @Test
  void sizesFollowTheirLaw() {
    // given
    var uniform = new Values(ValueSpec.bytes(SizeDistribution.parse("0..2000")), 1);
    long[] counts = new long[2001];

    // when
    for (int i = 0; i < 200_000; i++) {
      counts[uniform.length(i, 0)]++;
      assertThat(uniform.value(i % 100, 1)).hasSize(uniform.length(i % 100, 1));
    }

    // then
    assertThat(Laws.pValue(counts, k -> 200_000 / 2001.0)).isGreaterThan(Laws.UNLIKELY);
  }

  @Test
  void lawsReadWhatTheyWrite() {
    for (String text : new String[] {"100", "0..2000"}) {
      assertThat(SizeDistribution.parse(text)).hasToString(text);
    }
    for (String text : new String[] {"", "x", "9..3", "99999999999", "50±5", "-1"}) {
      assertThatThrownBy(() -> SizeDistribution.parse(text))
          .isInstanceOf(BadArgumentException.class);
    }
  }

  @Test
  void indexesAndGenerationsBeyondTheHeaderAreRefused() {
    var values = new Values(ValueSpec.bytes(new SizeDistribution.Fixed(100)), 1);
    long lastIndex = (1L << Values.INDEX_BITS) - 1;
    long lastGeneration = (1L << Values.GENERATION_BITS) - 1;
    byte[] last = values.value(lastIndex, lastGeneration);
    assertThat(values.matches(lastIndex, lastGeneration, last)).isTrue();
    assertThatThrownBy(() -> values.value(lastIndex + 1, 0))
        .isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> values.value(0, lastGeneration + 1))
        .isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> values.value(-1, 0)).isInstanceOf(BadArgumentException.class);
  }

  /** Deflates values in blocks of 16 KiB, as engines do with theirs. */
  private static double compressedShare(Values values, int size) {
    long raw = 0;
    long compressed = 0;
    int i = 0;
    for (int block = 0; block < 50; block++) {
      var bytes = new ByteArrayOutputStream();
      while (bytes.size() < 16 << 10) {
        bytes.writeBytes(values.value(i++, 0));
      }
      try (var deflater = new Deflater()) {
        deflater.setInput(bytes.toByteArray());
        deflater.finish();
        compressed += deflater.deflate(new byte[bytes.size() * 2]);
      }
      raw += bytes.size();
    }
    assertThat(raw).isGreaterThan(size);
    return (double) compressed / raw;
  }
}
