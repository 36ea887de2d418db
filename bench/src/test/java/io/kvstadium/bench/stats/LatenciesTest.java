package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.store.BadArgumentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void mergesTrials() {
    // given 1…10,000 µs over two trials
    String low = encoded(1, 5_000);
    String high = encoded(5_001, 10_000);

    Latencies latencies = Objects.requireNonNull(Latencies.merge(List.of(low, high), 1));

    assertThat(latencies.samples()).isEqualTo(10_000);
    assertThat((double) Objects.requireNonNull(latencies.at(0.5))).isCloseTo(5e6, within(5e3));
    assertThat((double) Objects.requireNonNull(latencies.at(0.999))).isCloseTo(9.99e6, within(1e4));
  }

  @Test
  void statesPercentilesOnlyAsFarAsTheSamplesCarryThem() {
    Latencies latencies = Objects.requireNonNull(Latencies.merge(List.of(encoded(1, 9_999)), 1));

    assertThat(latencies.at(0.99)).isNotNull();
    assertThat(latencies.at(0.999)).isNull();
    assertThat(Latencies.carried(0.999, 10_000)).isTrue();
    assertThat(Latencies.carried(0.999, 9_999)).isFalse();
    assertThat(Latencies.carried(0.5, 20)).isTrue();
    assertThat(Latencies.carried(0.5, 19)).isFalse();
    assertThat(latencies.maxNanos()).isGreaterThanOrEqualTo(9_999_000);
  }

  @Test
  void givesMeanSmallestAndThePercentilesOfLongTables() {
    Latencies latencies = Objects.requireNonNull(Latencies.merge(List.of(encoded(1, 100_000)), 1));

    assertThat(latencies.meanNanos()).isCloseTo(50_000_500.0, within(5e4));
    assertThat(latencies.minNanos()).isEqualTo(1000);
    assertThat((double) latencies.at(0.95)).isCloseTo(9.5e7, within(1e5));
    assertThat((double) latencies.at(0.9999)).isCloseTo(9.999e7, within(1e5));
    assertThatThrownBy(() -> latencies.at(0.42)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothingRecordedIsNothing() {
    assertThat(Latencies.merge(List.of(), 1)).isNull();
  }

  @Test
  void refusesWhatIsNoHistogram() {
    assertThatThrownBy(() -> Latencies.merge(List.of("AAAA"), 1))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("histogram");
  }

  private static String encoded(int fromMicros, int toMicros) {
    Histogram histogram = new Histogram(3);
    histogram.setAutoResize(true);
    for (long micros = fromMicros; micros <= toMicros; micros++) {
      histogram.recordValue(micros * 1000);
    }
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }
}
