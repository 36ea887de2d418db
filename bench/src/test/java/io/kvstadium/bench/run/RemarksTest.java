package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.TrialResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemarksTest {
  private static List<Finding> of(CostCard card) {
    return Remarks.of("mine", new TrialResult(3, 1, null, List.of(), card));
  }

  @Test
  void aSettledTrialNeedsNone() {
    assertThat(of(CostCard.UNKNOWN.withSettling(1, 1, 5, true, List.of()))).isEmpty();
  }

  @Test
  void readsThatDidNotWaitAreNamed() {
    List<String> reads = List.of("read", "scan");

    assertThat(of(CostCard.UNKNOWN.withSettling(-1, -1, -1, false, reads)))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.level()).isEqualTo(Level.NOTE);
          assertThat(each.subject()).isEqualTo("mine");
          assertThat(each.message()).contains("does not tell").contains("read, scan");
        });
    assertThat(of(CostCard.UNKNOWN.withSettling(1, 1, 60_000_000_000L, false, reads)))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.level()).isEqualTo(Level.WARNING);
          assertThat(each.message()).contains("had not ended its compactions");
        });
  }

  @Test
  void aStoreThatAKillDestroyedIsAFailure() {
    assertThat(of(CostCard.UNKNOWN.afterKill(-1, "after a kill, the store could not be opened")))
        .containsExactly(
            new Finding(
                Level.FAILURE, "mine", "trial 3: after a kill, the store could not be opened"));
  }
}
