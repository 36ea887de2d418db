package io.kvstadium.server.round;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CostTest {
  private final Cost cost = new Cost();

  private void took(int times, long together, int pieces) {
    for (int i = 0; i < times; i++) {
      cost.took(together, pieces);
    }
  }

  @Test
  void manyAreSmallAsLongAsTheyAreQuickTogether() {
    took(1_000, 16 * 600, 16);
    assertThat(cost.small(16)).isTrue();
    assertThat(cost.small(64)).isFalse();

    took(1_000, 16 * 2_000, 16);
    assertThat(cost.small(16)).isFalse();
    assertThat(cost.small(5)).isTrue();

    took(1_000, 16 * 600, 16);
    assertThat(cost.small(16)).isTrue();
  }

  @Test
  void aFewThatWereInterruptedDoNotCount() {
    for (int i = 0; i < 1_000; i++) {
      took(9, 16 * 600, 16);
      took(1, 10_000_000, 16);
    }

    assertThat(cost.small(16)).isTrue();
  }
}
