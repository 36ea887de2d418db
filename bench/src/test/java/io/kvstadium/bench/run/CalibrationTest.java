package io.kvstadium.bench.run;

import static io.kvstadium.bench.run.Suites.configuration;
import static io.kvstadium.bench.run.Suites.experiment;
import static io.kvstadium.bench.run.Suites.phase;
import static io.kvstadium.bench.run.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.data.Arrivals;
import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.spi.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two phases of a load test: the maximum first, then the same absolute rate for all. */
class CalibrationTest {
  private static final Rate SHARE =
      Rate.parse("70 % of get", Arrivals.Law.POISSON, Rate.Limit.parse("p99 < 2ms"));

  private static final List<PhaseSpec> PHASES =
      List.of(
          phase(Operation.INSERT),
          phase(Operation.UPDATE, 10, 0).withRate(Rate.parse("9", Arrivals.Law.CONSTANT, null)),
          phase(Operation.GET, 100, 0),
          PhaseSpec.of("paced", Operation.GET).sized(0, 1).withRate(SHARE),
          phase(Operation.DELETE));

  @TempDir Path out;
  private final List<String> prepared = new ArrayList<>();

  /** Gives each configuration its own maximum. */
  private static class Maxima extends FakeExecutor {
    private final Map<String, Double> maxima;

    Maxima(Map<String, Double> maxima) {
      this.maxima = maxima;
    }

    @Override
    @Nullable String failure(TrialPlan plan) {
      boolean calibration = plan.number() == 0;
      return calibration && !maxima.containsKey(plan.configuration().name()) ? "it broke" : null;
    }

    @Override
    PhaseResult phase(PhaseSpec spec, TrialPlan plan) {
      double perSecond = maxima.getOrDefault(plan.configuration().name(), 1e9);
      // whatever is not asked for is slower still
      double rate = spec.name().equals("get") && plan.number() == 0 ? perSecond : 1;
      return PhaseResult.of(
          spec.name(), spec.operation().word(), 1_000_000, Math.round(1e15 / rate));
    }

    List<TrialPlan> calibrations() {
      return plans.stream().filter(each -> each.number() == 0).toList();
    }

    List<TrialPlan> trials() {
      return plans.stream().filter(each -> each.number() > 0).toList();
    }
  }

  private static Configuration in(String group, String name) {
    return configuration(name).inGroup(group);
  }

  private Results run(FakeExecutor executor, Suite suite, Engines engines) {
    Watcher watcher =
        new Watcher() {
          @Override
          public void progress(
              String configuration, int number, String phase, double done, double secondsLeft) {}

          @Override
          public void preparing(String what, String detail, double done, double secondsLeft) {
            assertThat(done).isBetween(0.0, 1.0);
            prepared.add(what + ": " + detail);
          }

          @Override
          public void trialEnded(Results results) {}
        };
    Plan plan = Suites.plan(suite, 1.2, engines);
    return new Runner(engines, Suites.settings(out), executor, watcher, "9.9").run(plan);
  }

  private static Engines engines(String... names) {
    return Engines.of(Stream.of(names).<Engine>map(FakeEngine::able).toList());
  }

  private static Rate paced(TrialPlan plan) {
    return plan.phases().stream()
        .filter(each -> each.name().equals("paced"))
        .map(PhaseSpec::rate)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theSmallestMaximumOfAGroupMakesOneRateForAllOfIt() {
    Maxima executor = new Maxima(Map.of("a", 10_000.0, "b", 7_000.0, "c", 500.0));
    Suite suite =
        suite(2, 0, experiment("one", "common", PHASES, in("x", "a"), in("x", "b"), in("y", "c")));

    Results results = run(executor, suite, engines("a", "b", "c"));

    assertThat(executor.calibrations())
        .hasSize(3)
        .allSatisfy(each -> {
          assertThat(each.warmUpSeconds()).isEqualTo(0.6);
          assertThat(each.phases()).extracting(PhaseSpec::name).containsExactly("insert", "get");
          assertThat(each.seed()).isNotEqualTo(executor.trials().getFirst().seed());
        });
    assertThat(executor.plans.subList(0, 3)).isEqualTo(executor.calibrations());
    assertThat(executor.trials())
        .hasSize(6)
        .allSatisfy(each -> {
          double expected = each.configuration().name().equals("c") ? 350 : 4_900;
          assertThat(paced(each)).isEqualTo(SHARE.absolute(expected));
          assertThat(each.phases()).hasSameSizeAs(PHASES);
        });
    assertThat(results.findings())
        .filteredOn(each -> each.message().contains("smallest maximum"))
        .containsExactly(
            new Finding(
                Level.NOTE,
                "one, x",
                "phase paced ran at 4,900/s: 70 % of 7,000/s, the smallest maximum of get (b) in a"
                    + " preliminary round"),
            new Finding(
                Level.NOTE,
                "one, y",
                "phase paced ran at 350/s: 70 % of 500/s, the smallest maximum of get (c) in a"
                    + " preliminary round"));
  }

  @Test
  void theFiguresOfTheRoundBeforeAreNotInTheResults() {
    Maxima executor = new Maxima(Map.of("a", 10_000.0));

    Results results =
        run(executor, suite(2, 0, experiment("one", "common", PHASES, in("x", "a"))), engines("a"));

    assertThat(results.experiments().getFirst().configurations().getFirst().trials())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.number()).isPositive());
  }

  @Test
  void whoFailsInTheRoundBeforeIsLeftOutOfTheMinimumAndStillHasItsTrials() {
    Maxima executor = new Maxima(Map.of("a", 10_000.0));
    Suite suite = suite(2, 0, experiment("one", "common", PHASES, in("x", "a"), in("x", "broken")));

    Results results = run(executor, suite, engines("a", "broken"));

    assertThat(executor.trials())
        .hasSize(4)
        .allSatisfy(each -> assertThat(paced(each).value()).isEqualTo(7_000));
    assertThat(results.findings())
        .anySatisfy(each -> {
          assertThat(each.subject()).isEqualTo("broken");
          assertThat(each.message())
              .contains("failed in the preliminary round before the trials of one")
              .endsWith("it broke");
        });
  }

  @Test
  void withoutAnyMaximumThePhaseIsLeftOutAndTheResultsSaySo() {
    Maxima executor = new Maxima(Map.of());

    Results results =
        run(executor, suite(1, 0, experiment("one", "common", PHASES, in("x", "a"))), engines("a"));

    assertThat(executor.trials())
        .singleElement()
        .satisfies(each ->
            assertThat(each.phases())
                .extracting(PhaseSpec::name)
                .containsExactly("insert", "update", "get", "delete"));
    assertThat(results.findings())
        .contains(
            new Finding(
                Level.WARNING,
                "one",
                "phase paced is left out: no configuration reached a maximum of get in a"
                    + " preliminary round"));
  }

  @Test
  void onlyWhatNeedsARoundBeforeHasOne() {
    List<PhaseSpec> without = List.of(phase(Operation.INSERT), phase(Operation.GET, 10, 0));
    List<PhaseSpec> scans =
        List.of(
            phase(Operation.INSERT),
            phase(Operation.SCAN, 10, 0),
            PhaseSpec.of("paced", Operation.SCAN)
                .withRate(Rate.parse("50 % of scan", Arrivals.Law.CONSTANT, null)));
    Maxima executor = new Maxima(Map.of("a", 100.0, "unordered", 1.0));
    Suite suite =
        suite(
            1,
            0,
            experiment("plain", "common", without, in("x", "a")),
            experiment("scans", "common", scans, in("x", "a"), in("x", "unordered")));
    Engines engines =
        Engines.of(
            List.of(
                FakeEngine.able("a"),
                FakeEngine.able("unordered").without(Capability.ORDERED_SCAN)));

    run(executor, suite, engines);

    assertThat(executor.calibrations())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.configuration().name()).isEqualTo("a");
          assertThat(each.phases()).extracting(PhaseSpec::name).containsExactly("insert", "scan");
        });
  }

  @Test
  void theWatcherIsToldOfTheRoundBefore() {
    Maxima executor =
        new Maxima(Map.of("a", 1.0)) {
          @Override
          public Message.Done run(TrialPlan plan, Resources resources, Consumer<Message> listener) {
            listener.accept(new Message.Progress("get", 0.5));
            return super.run(plan, resources, listener);
          }
        };

    run(executor, suite(1, 0, experiment("one", "common", PHASES, in("x", "a"))), engines("a"));

    assertThat(prepared).containsExactly("looking for the maximum of a: get");
  }
}
