package io.kvstadium.server.figures;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 7, 8, 9, 15, 16, 17, 1_023, 1_024, 123_456_789, (1L << 40) - 1})
  void aQuantileIsAtMostAnEighthTooHigh(long nanos) {
    Latencies latencies = new Latencies();

    latencies.record(nanos);

    assertThat(latencies.quantile(0.5)).isBetween(nanos, nanos + nanos / 8);
  }

  @Test
  void countsByPowersOfTwo() {
    Latencies latencies = new Latencies();
    for (int i = 0; i < 4_096; i++) {
      latencies.record(i);
    }
    latencies.record(Long.MAX_VALUE);
    latencies.record(-1);

    assertThat(latencies.count()).isEqualTo(4_098);
    assertThat(latencies.below()).startsWith(1_025, 2_049, 4_097, 4_097).endsWith(4_098);
    assertThat(latencies.quantile(0.25)).isBetween(1_023L, 1_151L);
    latencies.reset();
    assertThat(latencies.count()).isZero();
    assertThat(latencies.quantile(0.5)).isZero();
  }
}
