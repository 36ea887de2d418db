package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitTest {
  @Test
  void isReachedByOperationsOrByTime() {
    Limit limit = new Limit(1_000, 50);
    Counters counters = new Counters();
    assertThat(limit.reached(counters)).isFalse();

    counters.operations = 1_000;
    assertThat(limit.reached(counters)).isTrue();

    counters.operations = 3;
    counters.nanos = 50;
    assertThat(limit.reached(counters)).isTrue();
  }

  @Test
  void theLastBlockIsAsSmallAsWhatIsLeft() {
    Limit limit = new Limit(1_000, Long.MAX_VALUE);
    Counters counters = new Counters();
    assertThat(limit.nextBlock(counters, 512)).isEqualTo(512);

    counters.operations = 990;
    assertThat(limit.nextBlock(counters, 512)).isEqualTo(10);
  }

  @Test
  void withoutALimitOfTimeTheDeadlineNeverComes() {
    long deadline = new Limit(1, Long.MAX_VALUE).deadline(new Counters());

    // as a difference, because the clock may have any origin
    assertThat(System.nanoTime() - deadline).isNegative();
  }

  @Test
  void timeThatIsOverIsADeadlineInThePast() {
    Counters counters = new Counters();
    counters.nanos = 80;

    long deadline = new Limit(1, 50).deadline(counters);

    assertThat(System.nanoTime() - deadline).isPositive();
  }
}
