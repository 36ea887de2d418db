package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {
  /** 300 without a sign, 1,000 without progress. */
  private final Patience patience = new Patience(300, 1_000, 10);

  @Test
  void endsWithoutASignOfLife() {
    assertThat(patience.left(10)).isEqualTo(300);
    assertThat(patience.left(310)).isZero();

    patience.progress(200);

    assertThat(patience.left(310)).isEqualTo(190);
  }

  @Test
  void isLongerForWhoWorks() {
    for (int now = 100; now <= 900; now += 100) {
      patience.sign(now);
      assertThat(patience.left(now)).isPositive();
    }
  }

  @Test
  void butNotWithoutEnd() {
    for (int now = 100; now <= 1_100; now += 100) {
      patience.sign(now);
    }
    assertThat(patience.left(1_010)).isZero();

    patience.progress(1_005);

    assertThat(patience.left(1_010)).isEqualTo(295);
  }
}
