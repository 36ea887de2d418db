package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.stats.Verdict.Equal;
import io.kvstadium.bench.stats.Verdict.Slower;
import io.kvstadium.bench.stats.Verdict.Undecided;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HolmTest {
  /** As good as normal: t is then 1.96 at 5 %, 2.24 at a half of it, 2.39 at a third. */
  private static Contrast atErrors(double errors) {
    return new Contrast(0.5 * errors, 0.5, 1e6);
  }

  @Test
  void eachIsJudgedAtTheLevelThatTheStrongerOnesLeave() {
    Map<String, Contrast> contrasts = new LinkedHashMap<>();
    contrasts.put("last", atErrors(1.9));
    contrasts.put("second", atErrors(-2.3));
    contrasts.put("first", atErrors(3));

    Map<String, Verdict> verdicts = Holm.verdicts(contrasts, 0.05, 1, 1.1);

    assertThat(verdicts.get("first")).isInstanceOf(Verdict.Faster.class);
    assertThat(verdicts.get("second")).isInstanceOf(Slower.class);
    Interval second = ((Slower) verdicts.get("second")).interval();
    assertThat(Math.log(second.low())).isCloseTo(0.5 * (2.3 - 2.2414), within(1e-3));
    assertThat(verdicts.get("last")).isInstanceOf(Undecided.class);
  }

  @Test
  void whatIsWeakerThanOneThatIsNotShownIsNotShownEither() {
    Map<String, Contrast> contrasts = new LinkedHashMap<>();
    contrasts.put("a", atErrors(2.1)); // would be shown on its own
    contrasts.put("b", atErrors(2));

    assertThat(Holm.verdicts(contrasts, 0.05, 1, 1.1).values())
        .allSatisfy(each -> assertThat(each).isInstanceOf(Undecided.class));
    assertThat(Holm.verdicts(Map.of("a", atErrors(2.1)), 0.05, 1, 1.1).get("a"))
        .isInstanceOf(Verdict.Faster.class);
  }

  @Test
  void whatLiesWithinTheMarginIsATieEvenIfItDiffers() {
    Contrast small = new Contrast(0.05, 0.01, 1e6);

    assertThat(Holm.verdicts(Map.of("a", small), 0.05, 1, 1.1).get("a")).isInstanceOf(Equal.class);
    assertThat(Holm.verdicts(Map.of("a", small), 0.05, 1, 1.03).get("a"))
        .isInstanceOf(Verdict.Faster.class);
  }
}
