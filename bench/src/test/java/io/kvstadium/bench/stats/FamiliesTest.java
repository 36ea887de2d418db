package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.stats.Verdict.Equal;
import io.kvstadium.bench.stats.Verdict.Faster;
import io.kvstadium.bench.stats.Verdict.Slower;
import io.kvstadium.bench.stats.Verdict.Undecided;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class FamiliesTest {
  private static Map<Integer, Double> trials(double... speeds) {
    Map<Integer, Double> trials = new TreeMap<>();
    for (double speed : speeds) {
      trials.put(trials.size() + 1, speed);
    }
    return trials;
  }

  private static Family family(Map<String, Map<Integer, Double>> speeds) {
    return Families.of(Map.of("read", speeds), Set.of()).of("read");
  }

  private static Map<String, Map<Integer, Double>> four() {
    Map<String, Map<Integer, Double>> speeds = new LinkedHashMap<>();
    speeds.put("slow", trials(100, 101, 99, 100));
    speeds.put("fast", trials(1000, 1010, 990, 1000));
    speeds.put("equal", trials(1003, 1007, 995, 1001));
    speeds.put("middle", trials(500, 505, 495, 500));
    return speeds;
  }

  @Test
  void theFasterTheSlowerAndTheEqualAreToldApart() {
    Family family = family(four());

    assertThat(family.verdict("fast", "middle")).isInstanceOf(Faster.class);
    assertThat(family.verdict("equal", "middle")).isInstanceOf(Faster.class);
    assertThat(family.verdict("fast", "equal")).isInstanceOf(Equal.class);
    assertThat(family.verdict("middle", "slow")).isInstanceOf(Faster.class);
    assertThat(family.verdict("slow", "middle"))
        .isEqualTo(family.verdict("middle", "slow").inverse());
  }

  /** Welch's original case: with few cells there is nothing to learn from others. */
  @Test
  void fewCellsGoByThemselves() {
    Family family =
        family(Map.of("a", trials(Math.E, 1, Math.E * Math.E), "b", trials(1, 1, Math.E)));

    // logarithms 1, 0, 2 and 0, 0, 1: means 1 and 1/3, variances 1 and 1/3, 3.2 degrees of freedom
    Undecided verdict = (Undecided) family.verdict("a", "b");
    assertThat(Math.log(verdict.max())).isCloseTo(2.0 / 3 + 3.073 * 2 / 3, within(0.01));
  }

  @Test
  void oneTrialShowsNothing() {
    Family family = family(Map.of("a", trials(1), "b", trials(5, 5)));

    assertThat(family.verdict("a", "b")).isEqualTo(Verdict.Undecided.UNKNOWN);
    assertThat(family.intervals()).containsOnlyKeys("b");
  }

  /** The last round under a budget may have trials of some only. */
  @Test
  void onlyTrialsThatBothHaveAreCompared() {
    Family family =
        family(
            Map.of(
                "left", trials(100, 101, 99),
                "stayed", trials(200, 202, 198, 190, 192, 188)));

    assertThat(((Slower) family.verdict("left", "stayed")).ratio()).isCloseTo(2, within(1e-9));
  }

  @Property(tries = 100)
  void theUnitDoesNotMatter(@ForAll("speeds") Map<String, Map<Integer, Double>> speeds) {
    Map<String, Map<Integer, Double>> perHour = new LinkedHashMap<>();
    speeds.forEach((name, own) -> {
      Map<Integer, Double> scaled = new TreeMap<>(own);
      scaled.replaceAll((_, speed) -> speed * 3600);
      perHour.put(name, scaled);
    });
    Family family = family(speeds);
    Family scaled = family(perHour);

    for (String name : speeds.keySet()) {
      speeds
          .keySet()
          .forEach(other ->
              assertThat(scaled.verdict(name, other)).hasSameClassAs(family.verdict(name, other)));
      Interval interval = Objects.requireNonNull(family.intervals().get(name));
      assertThat(Objects.requireNonNull(scaled.intervals().get(name)).high())
          .isCloseTo(interval.high() * 3600, within(interval.high() * 3600 * 1e-9));
    }
  }

  @Property(tries = 100)
  void exchangingTwoInvertsTheVerdict(@ForAll("speeds") Map<String, Map<Integer, Double>> speeds) {
    Family family = family(speeds);

    for (String own : speeds.keySet()) {
      for (String other : speeds.keySet()) {
        if (!own.equals(other)) {
          Verdict verdict = family.verdict(own, other);
          assertThat(family.verdict(other, own)).isEqualTo(verdict.inverse());
          if (verdict instanceof Faster faster) {
            assertThat(faster.interval().low()).isGreaterThan(1);
            assertThat(faster.ratio()).isBetween(faster.interval().low(), faster.interval().high());
          }
        }
      }
    }
  }

  @Provide
  Arbitrary<Map<String, Map<Integer, Double>>> speeds() {
    return Arbitraries.doubles()
        .between(100, 1000)
        .list()
        .ofSize(12)
        .map(all -> {
          Map<String, Map<Integer, Double>> speeds = new LinkedHashMap<>();
          for (int i = 0; i < all.size(); i++) {
            speeds.computeIfAbsent("e" + i % 3, _ -> new TreeMap<>()).put(i / 3, all.get(i));
          }
          return speeds;
        });
  }
}
