package io.kvstadium.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.stats.Verdict.Faster;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class VerdictLawsTest {
  /** A trial of two configurations. */
  record Pair(double a, double b) {}

  @Property
  void exchangingTheTwoInvertsThePairedVerdict(@ForAll("trials") List<Pair> trials) {
    assertThat(Verdict.paired(b(trials), a(trials)))
        .isEqualTo(Verdict.paired(a(trials), b(trials)).inverse());
  }

  @Property
  void exchangingTheTwoInvertsTheUnpairedVerdict(@ForAll("trials") List<Pair> trials) {
    assertThat(Verdict.unpaired(b(trials), a(trials)))
        .isEqualTo(Verdict.unpaired(a(trials), b(trials)).inverse());
  }

  @Property
  void invertingTwiceChangesNothing(@ForAll("trials") List<Pair> trials) {
    Verdict verdict = Verdict.paired(a(trials), b(trials));

    assertThat(verdict.inverse().inverse()).isEqualTo(verdict);
  }

  @Property
  void whatIsFasterHasItsWholeIntervalAboveOne(@ForAll("trials") List<Pair> trials) {
    if (Verdict.paired(a(trials), b(trials)) instanceof Faster faster) {
      assertThat(faster.interval().low()).isGreaterThan(1);
      assertThat(faster.interval().contains(faster.ratio())).isTrue();
    }
  }

  @Property
  void theUnitDoesNotMatter(@ForAll("trials") List<Pair> trials) {
    Verdict perSecond = Verdict.paired(a(trials), b(trials));
    Verdict perHour =
        Verdict.paired(
            trials.stream().mapToDouble(pair -> pair.a() * 3600).toArray(),
            trials.stream().mapToDouble(pair -> pair.b() * 3600).toArray());

    if (perSecond instanceof Faster slow && perHour instanceof Faster fast) {
      assertThat(fast.ratio()).isCloseTo(slow.ratio(), within(slow.ratio() * 1e-9));
    }
  }

  @Provide
  Arbitrary<List<Pair>> trials() {
    Arbitrary<Double> speed = Arbitraries.doubles().between(1e-2, 1e8);
    Arbitrary<Double> ratio = Arbitraries.doubles().between(0.8, 1.5);
    return Combinators.combine(speed, ratio)
        .as((a, r) -> new Pair(a, a * r))
        .list()
        .ofMinSize(1)
        .ofMaxSize(16);
  }

  private static double[] a(List<Pair> trials) {
    return trials.stream().mapToDouble(Pair::a).toArray();
  }

  private static double[] b(List<Pair> trials) {
    return trials.stream().mapToDouble(Pair::b).toArray();
  }
}
