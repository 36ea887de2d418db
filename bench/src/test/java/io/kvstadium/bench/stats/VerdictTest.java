package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.Verdict.Faster;
import io.kvstadium.bench.stats.Verdict.LogRatio;
import io.kvstadium.bench.stats.Verdict.Slower;
import io.kvstadium.bench.stats.Verdict.Undecided;
import org.junit.jupiter.api.Test;

class VerdictTest {
  @Test
  void anIntervalThatExcludesOneNeverReadsAsIfItHeldOne() {
    assertThat(new Faster(1.06, new Interval(1.04, 1.08)).words())
        .isEqualTo("faster ×1.06 [1.04, 1.08]");
    assertThat(new Faster(1.06, new Interval(1.004, 1.12)).words())
        .isEqualTo("faster ×1.060 [1.004, 1.120]");
    assertThat(new Slower(41.2, new Interval(38.7, 43.9)).words()).isEqualTo("slower ×41 [39, 44]");
  }

  /** What is shown to be faster by little, or cannot be faster by more, is no reason to change. */
  @Test
  void onlyMoreThanATieIsAReasonToChange() {
    assertThat(new Faster(1.5, new Interval(1.2, 1.9)).mayBeFaster()).isTrue();
    assertThat(new Faster(1.06, new Interval(1.04, 1.08)).mayBeFaster()).isFalse();
    assertThat(new Slower(1.3, new Interval(1.1, 1.5)).mayBeFaster()).isFalse();
    assertThat(Undecided.UNKNOWN.mayBeFaster()).isTrue();
    assertThat(new Undecided(new LogRatio(0, -0.5, 0.5)).mayBeFaster()).isTrue();
    assertThat(new Undecided(new LogRatio(0.2, -0.05, 0.5)).mayBeFaster()).isFalse();
  }
}
