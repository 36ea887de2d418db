package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.Verdict.Faster;
import io.kvstadium.bench.stats.Verdict.NotToldApart;
import io.kvstadium.bench.stats.Verdict.Slower;
import io.kvstadium.bench.stats.Verdict.Tie;
import org.junit.jupiter.api.Test;

class VerdictTest {
  @Test
  void saysFasterAndSlowerWithRatioAndInterval() {
    Interval interval = new Interval(1.6, 2.0);

    assertThat(new Faster(1.8, interval).words()).isEqualTo("faster ×1.8 [1.6, 2.0]");
    assertThat(new Slower(1.8, interval).words()).isEqualTo("slower ×1.8 [1.6, 2.0]");
  }

  @Test
  void anIntervalThatExcludesOneNeverReadsAsIfItHeldOne() {
    assertThat(new Faster(1.06, new Interval(1.04, 1.08)).words())
        .isEqualTo("faster ×1.06 [1.04, 1.08]");
    assertThat(new Faster(1.06, new Interval(1.004, 1.12)).words())
        .isEqualTo("faster ×1.060 [1.004, 1.120]");
    assertThat(new Slower(41.2, new Interval(38.7, 43.9)).words()).isEqualTo("slower ×41 [39, 44]");
  }

  @Test
  void saysWhatIsKnownWhereNoDifferenceIs() {
    assertThat(new Tie(1.1).words()).isEqualTo("tie: within 10 %");
    assertThat(new NotToldApart(1.18).words())
        .isEqualTo("not told apart: at most ×1.18 either way");
    assertThat(new NotToldApart(19.75).words()).contains(" ×20 ");
    assertThat(new NotToldApart(1e9).words()).isEqualTo("not told apart");
    assertThat(Verdict.NotToldApart.UNKNOWN.words())
        .isEqualTo("not told apart: needs two trials of each");
  }
}
