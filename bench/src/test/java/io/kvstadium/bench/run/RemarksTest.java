package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.store.WriteStalls;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemarksTest {
  private static CostCard stable(long nanos, boolean stable, List<String> unstable) {
    CostCard none = CostCard.UNKNOWN;
    return new CostCard(
        none.sizes(),
        new CostCard.Settling(nanos, stable, unstable),
        none.memory(),
        none.traffic());
  }

  private static List<Finding> of(CostCard card) {
    return Remarks.of("mine", new TrialResult(3, 1, null, List.of(), card));
  }

  @Test
  void aStableTrialNeedsNone() {
    assertThat(of(stable(5, true, List.of()))).isEmpty();
  }

  @Test
  void theWorstStallOfAPhaseIsSaidWithWhatToSet() {
    List<Finding> findings =
        Remarks.stalls(
            "mine",
            List.of(
                stalled("load", 300, "delays by a limit"),
                stalled("load", 6_000, "stops by a limit"),
                stalled("update", 1, "delays by a limit"),
                stalled("age", -1, "checkpoints")));

    assertThat(findings)
        .extracting(Finding::message)
        .satisfiesExactly(
            load ->
                assertThat(load)
                    .contains("load", "6.0 of 10.0 s", "7 stops by a limit", "set it higher"),
            age -> assertThat(age).contains("age", "7 checkpoints").doesNotContain(" s,"));
    assertThat(findings).extracting(Finding::level).containsExactly(Level.WARNING, Level.NOTE);
  }

  private static TrialResult stalled(String phase, long millis, String what) {
    CostCard none = CostCard.UNKNOWN;
    return new TrialResult(
        1,
        1,
        null,
        List.of(),
        new CostCard(
            none.sizes(),
            none.settling(),
            none.memory(),
            none.traffic(),
            List.of(
                new CostCard.Stalled(
                    phase,
                    10_000_000_000L,
                    millis < 0 ? -1 : millis * 1_000_000,
                    List.of(new WriteStalls.Cause(what, 7, "set it higher"))))));
  }

  @Test
  void readsThatDidNotWaitAreNamed() {
    List<String> reads = List.of("read", "scan");

    assertThat(of(stable(-1, false, reads)))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.level()).isEqualTo(Level.NOTE);
          assertThat(each.subject()).isEqualTo("mine");
          assertThat(each.message()).contains("does not report it").contains("read, scan");
        });
    assertThat(of(stable(60_000_000_000L, false, reads)))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.level()).isEqualTo(Level.WARNING);
          assertThat(each.message()).contains("had not ended its compactions");
        });
  }
}
