package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitTest {
  @Test
  void isReachedByOperationsOrByTime() {
    Limit limit = new Limit(1_000, 50);
    Tally tally = new Tally();
    assertThat(limit.reached(tally)).isFalse();

    tally.operations = 1_000;
    assertThat(limit.reached(tally)).isTrue();

    tally.operations = 3;
    tally.nanos = 50;
    assertThat(limit.reached(tally)).isTrue();
  }

  @Test
  void theLastBlockIsAsSmallAsWhatIsLeft() {
    Limit limit = new Limit(1_000, Long.MAX_VALUE);
    Tally tally = new Tally();
    assertThat(limit.nextBlock(tally, 512)).isEqualTo(512);

    tally.operations = 990;
    assertThat(limit.nextBlock(tally, 512)).isEqualTo(10);
  }

  @Test
  void withoutALimitOfTimeTheDeadlineNeverComes() {
    long deadline = new Limit(1, Long.MAX_VALUE).deadline(new Tally());

    // as a difference, because the clock may have any origin
    assertThat(System.nanoTime() - deadline).isNegative();
  }

  @Test
  void timeThatIsOverIsADeadlineInThePast() {
    Tally tally = new Tally();
    tally.nanos = 80;

    long deadline = new Limit(1, 50).deadline(tally);

    assertThat(System.nanoTime() - deadline).isPositive();
  }
}
