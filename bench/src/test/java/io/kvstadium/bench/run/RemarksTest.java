package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.TrialResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemarksTest {
  private static CostCard settled(long nanos, boolean settled, List<String> unsettled) {
    CostCard none = CostCard.UNKNOWN;
    return new CostCard(
        none.sizes(),
        new CostCard.Settling(nanos, settled, unsettled),
        none.memory(),
        none.traffic());
  }

  private static List<Finding> of(CostCard card) {
    return Remarks.of("mine", new TrialResult(3, 1, null, List.of(), card));
  }

  @Test
  void aSettledTrialNeedsNone() {
    assertThat(of(settled(5, true, List.of()))).isEmpty();
  }

  @Test
  void readsThatDidNotWaitAreNamed() {
    List<String> reads = List.of("read", "scan");

    assertThat(of(settled(-1, false, reads)))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.level()).isEqualTo(Level.NOTE);
          assertThat(each.subject()).isEqualTo("mine");
          assertThat(each.message()).contains("does not report it").contains("read, scan");
        });
    assertThat(of(settled(60_000_000_000L, false, reads)))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.level()).isEqualTo(Level.WARNING);
          assertThat(each.message()).contains("had not ended its compactions");
        });
  }
}
