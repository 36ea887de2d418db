package io.kvstadium.bench.measure.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitTest {
  @Test
  void isReachedByOperationsOrByTime() {
    Limit limit = new Limit(1_000, 50);

    assertThat(limit.reached(0, 0)).isFalse();
    assertThat(limit.reached(1_000, 0)).isTrue();
    assertThat(limit.reached(3, 50)).isTrue();
  }

  @Test
  void theLastBlockIsAsSmallAsWhatIsLeft() {
    Limit limit = new Limit(1_000, Long.MAX_VALUE);

    assertThat(limit.nextBlock(0, 512)).isEqualTo(512);
    assertThat(limit.nextBlock(990, 512)).isEqualTo(10);
  }

  @Test
  void withoutALimitOfTimeTheDeadlineNeverComes() {
    long deadline = new Limit(1, Long.MAX_VALUE).deadline(0);

    // as a difference, because the clock may have any origin
    assertThat(System.nanoTime() - deadline).isNegative();
  }

  @Test
  void timeThatIsOverIsADeadlineInThePast() {
    long deadline = new Limit(1, 50).deadline(80);

    assertThat(System.nanoTime() - deadline).isPositive();
  }
}
