package io.kvstadium.bench.run;

import static io.kvstadium.bench.plan.Suites.configuration;
import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.plan.Suites;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs under a budget: each trial takes ten seconds of a clock that the test turns. */
class RoundsTest {
  private static final long TRIAL = 10_000_000_000L;
  private static final double NOISE = 0.2;
  private static final String VERSION = "9.9";

  /** Nanoseconds per operation: two that nobody can tell apart, and one that is far behind. */
  private static final Map<String, Double> CLOSE = Map.of("a", 1e3, "b", 1e3, "slow", 40e3);

  private static final Map<String, Double> EQUAL = Map.of("a", 1e3, "b", 1e3, "slow", 1e3);

  @TempDir Path out;

  private final Engines engines =
      Engines.of(Stream.of("a", "b", "slow", "broken").<Engine>map(FakeEngine::able).toList());
  private final AtomicLong now = new AtomicLong();
  private final List<String> told = new ArrayList<>();

  /** Engines of given speeds, with noise; the one called broken fails in the second round. */
  private class Track extends FakeExecutor {
    private final Map<String, Double> nanos;
    private final int stopAfter;
    private @Nullable Runner runner;

    Track(Map<String, Double> nanos, int stopAfter) {
      this.nanos = nanos;
      this.stopAfter = stopAfter;
    }

    @Override
    public Message.Done run(TrialPlan plan, Resources given, Consumer<Message> listener) {
      now.addAndGet(TRIAL);
      return super.run(plan, given, listener);
    }

    @Override
    @Nullable String failure(TrialPlan plan) {
      if (plans.size() > stopAfter) {
        Objects.requireNonNull(runner).stop();
      }
      String name = plan.configuration().name();
      return name.equals("broken") && plan.number() == 2 ? "it broke" : null;
    }

    @Override
    PhaseResult phase(PhaseSpec spec, TrialPlan plan) {
      String name = plan.configuration().name();
      Random random = new Random(Objects.hash(name, spec.name(), plan.number()) * 77L);
      double factor = Math.exp(NOISE * random.nextGaussian());
      double each = nanos.getOrDefault(name, 1e3) * factor;
      return PhaseResult.of(spec.name(), spec.operation().word(), 1_000, (long) (1_000 * each));
    }
  }

  private final class Telling implements Watcher {
    @Override
    public void progress(
        String configuration, int number, String phase, double done, double secondsLeft) {}

    @Override
    public void trialEnded(Results results) {}

    @Override
    public void roundEnded(Schedule.Round round, double secondsLeft) {
      told.add(round.number() + " " + round.left() + " " + round.present());
    }
  }

  private static Suite within(double budget, String... names) {
    Configuration[] all = Stream.of(names).map(Suites::configuration).toArray(Configuration[]::new);
    List<PhaseSpec> phases =
        List.of(phase(Operation.INSERT), phase(Operation.GET), phase(Operation.UPDATE));
    return suite(0, budget, experiment("one", phases, all));
  }

  private Runner runner(Track track) {
    Runner runner =
        new Runner(
            Languages.java(engines),
            Suites.settings(out),
            track,
            new Telling(),
            VERSION,
            LevelEvidence.DECLARED,
            now::get);
    track.runner = runner;
    return runner;
  }

  private Results resume(Track track, ResumableRun before) {
    return runner(track).resume(before, before.plan(Languages.java(engines)));
  }

  private Results run(Suite suite, Map<String, Double> nanos) {
    return runner(new Track(nanos, Integer.MAX_VALUE)).run(Suites.plan(suite, 0, engines));
  }

  private static Map<String, Integer> trials(Results results) {
    Map<String, Integer> trials = new LinkedHashMap<>();
    for (ConfigurationResult each : results.experiments().getFirst().configurations()) {
      trials.put(each.name(), each.trials().size());
    }
    return trials;
  }

  @Test
  void whoIsFarBehindStaysWithOneFigureAndTheOthersUseTheTime() {
    Results results = run(within(300, "a", "b", "slow"), CLOSE);

    // the first round takes 30 s, and each of the others 20 s
    assertThat(trials(results)).containsExactly(entry("a", 14), entry("b", 14), entry("slow", 1));
    assertThat(results.complete()).isTrue();
    assertThat(results.seconds()).isEqualTo(290);
    assertThat(told.getFirst()).isEqualTo("1 [slow (far behind)] 2");
  }

  /** A reader who uses it wants to know by how much, which one trial does not show. */
  @Test
  void whatIsInUseHasAllRoundsHoweverFarBehind() {
    Suite suite = within(150, "a", "b", "slow");
    Experiment now =
        suite.experiments().getFirst().withAim(Aim.NONE.withCurrent(new Aim.Current("slow", null)));

    Results results = run(suite.withExperiments(List.of(now)), CLOSE);

    assertThat(trials(results).values()).containsOnly(5);
  }

  @Test
  void whoIsCloseInOnePhaseHasAllRounds() {
    Track track =
        new Track(CLOSE, Integer.MAX_VALUE) {
          @Override
          PhaseResult phase(PhaseSpec spec, TrialPlan plan) {
            PhaseResult usual = super.phase(spec, plan);
            return spec.operation() == Operation.GET
                ? PhaseResult.of(usual.name(), usual.operation(), 1_000, 1_000_000)
                : usual;
          }
        };

    Results results = runner(track).run(Suites.plan(within(150, "a", "b", "slow"), 0, engines));

    assertThat(trials(results).values()).containsOnly(5);
  }

  @Test
  void aFixedNumberOfTrialsIsForAll() {
    Suite fixed =
        suite(
            2,
            0,
            experiment(
                "one",
                List.of(phase(Operation.INSERT)),
                configuration("a"),
                configuration("slow")));

    assertThat(trials(run(fixed, CLOSE)).values()).containsOnly(2);
  }

  @Test
  void whatIsLeftOfABudgetGoesToAsManyAsFit() {
    // a round takes 30 s: 85 s hold two of them, and of a third two trials
    Results results = run(within(85, "a", "b", "slow"), EQUAL);

    assertThat(trials(results).values()).containsExactlyInAnyOrder(3, 3, 2);
    assertThat(results.seconds()).isEqualTo(80);
  }

  @Test
  void aRoundOfOneComparesNothingAndIsLeftOut() {
    assertThat(trials(run(within(75, "a", "b", "slow"), EQUAL)).values()).containsOnly(2);
  }

  @Test
  void aLastRoundThatWasInterruptedIsEndedWithinTheBudget() {
    Suite suite = within(85, "a", "b", "slow");
    runner(new Track(EQUAL, 7)).run(Suites.plan(suite, 0, engines)); // the eighth is cut off

    Results resumed = resume(new Track(EQUAL, Integer.MAX_VALUE), ResumableRun.read(out, VERSION));

    // the trial that was cut off has wasted its time, so that one trial has no counterpart
    assertThat(resumed.complete()).isTrue();
    assertThat(resumed.seconds()).isEqualTo(80);
    assertThat(trials(resumed).values()).containsExactlyInAnyOrder(3, 2, 2);
  }

  @Test
  void oneThatFailsHasNoMoreTrialsAndItsReasonIsShown() {
    Results results = run(within(200, "a", "broken", "b"), CLOSE);

    assertThat(trials(results)).containsEntry("broken", 2);
    assertThat(told.get(1)).isEqualTo("2 [broken (failed)] 2");
  }

  @Test
  void thereAreTwoRoundsEvenWhereTheBudgetWasTooOptimistic() {
    assertThat(trials(run(within(35, "a", "b", "slow"), EQUAL)).values()).containsOnly(2);
  }

  @Test
  void oneConfigurationAloneRunsToTheEndOfTheBudget() {
    assertThat(trials(run(within(100, "a"), CLOSE))).containsExactly(entry("a", 10));
  }

  @Tag("full")
  @Test
  void aResumedRunDecidesAsOneThatWasNotInterrupted() {
    // given a run that is interrupted after each possible trial
    Suite suite = within(300, "a", "b", "slow");
    Results whole = run(suite, CLOSE);
    Map<String, Integer> expected = trials(whole);
    int all = expected.values().stream().mapToInt(Integer::intValue).sum();

    for (int last : IntStream.range(1, all).filter(each -> each % 5 == 0).toArray()) {
      now.set(0);
      out = out.resolveSibling("after " + last);
      Track first = new Track(CLOSE, last);
      runner(first).run(Suites.plan(suite, 0, engines));

      // when it is resumed
      Track second = new Track(CLOSE, Integer.MAX_VALUE);
      Results resumed = resume(second, ResumableRun.read(out, VERSION));

      // then it has the same trials, except for the one that was cut off and wasted its time
      assertThat(resumed.complete()).isTrue();
      assertThat(trials(resumed)).containsEntry("slow", 1);
      assertThat(figures(resumed)).isSubsetOf(figures(whole));
      assertThat(trials(resumed).get("a")).isBetween(expected.get("a") - 1, expected.get("a"));
    }
  }

  private static List<PhaseResult> figures(Results results) {
    return results.experiments().getFirst().configurations().stream()
        .flatMap(each -> each.trials().stream())
        .map(TrialResult::phases)
        .flatMap(List::stream)
        .toList();
  }
}
