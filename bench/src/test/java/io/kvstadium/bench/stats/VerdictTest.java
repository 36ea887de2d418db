package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.Verdict.Faster;
import io.kvstadium.bench.stats.Verdict.Slower;
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
}
