package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrialTimeoutTest {
  /** 300 without a sign, 1,000 without progress. */
  private final TrialTimeout timeout = new TrialTimeout(300, 1_000, 10);

  @Test
  void endsWithoutASignOfLife() {
    assertThat(timeout.left(10)).isEqualTo(300);
    assertThat(timeout.left(310)).isZero();

    timeout.progress(200);

    assertThat(timeout.left(310)).isEqualTo(190);
  }

  @Test
  void isLongerForWhoWorks() {
    for (int now = 100; now <= 900; now += 100) {
      timeout.sign(now);
      assertThat(timeout.left(now)).isPositive();
    }
  }

  @Test
  void butNotWithoutEnd() {
    for (int now = 100; now <= 1_100; now += 100) {
      timeout.sign(now);
    }
    assertThat(timeout.left(1_010)).isZero();

    timeout.progress(1_005);

    assertThat(timeout.left(1_010)).isEqualTo(295);
  }
}
