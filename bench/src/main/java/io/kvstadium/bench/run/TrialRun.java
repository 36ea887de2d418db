package io.kvstadium.bench.run;

import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.bench.trial.TrialPlan.Profiling;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs single trials of plans.
 *
 * @param directory that a trial may fill
 * @param profiling what is recorded of it, or {@code null}
 */
record TrialRun(Executor executor, Path directory, @Nullable Profiling profiling) {
  private static final String START = "start";

  TrialRun(Executor executor, Path directory) {
    this(executor, directory, null);
  }

  /** The parts of the trials of an experiment, in which they have their turns. */
  static List<String> parts(Experiment experiment) {
    return Stream.of(
            Stream.of(START, "warm-up", "create"),
            experiment.phases().stream().map(PhaseSpec::name),
            Stream.of("close"))
        .flatMap(each -> each)
        .toList();
  }

  /** What the trials of an experiment may use. */
  static Resources resources(Plan plan, Experiment experiment) {
    return Resources.of(plan.suite().heap(), experiment.memory());
  }

  /**
   * @param source the user's own data, or {@code null}
   * @param chunks how many operations share one reading of the clock, by phase; where a phase is
   *     missing, its warm-up decides
   * @param member of those that share the time, or {@code null} if all of it is the trial's
   * @param listener receives the name of the phase that begins
   */
  Message.Done run(
      Plan plan,
      PlannedTrial planned,
      @Nullable Source source,
      Map<String, Integer> chunks,
      Rotation.@Nullable Member member,
      Consumer<String> listener) {
    Experiment experiment = plan.suite().experiments().get(planned.experiment());
    TrialPlan trial =
        new TrialPlan(
            planned.configuration(),
            planned.number(),
            planned.seed(),
            directory.toAbsolutePath().toString(),
            experiment.data(),
            source,
            planned.phases(),
            plan.warmUpSeconds(),
            chunks,
            member != null,
            profiling);
    if (member != null) {
      member.await(START);
    }
    return executor.run(
        trial,
        resources(plan, experiment),
        message -> {
          if (message instanceof Message.Progress progress) {
            listener.accept(progress.phase());
          } else if (message instanceof Message.Turn turn && member != null) {
            member.await(turn.part());
          } else {
            throw new IllegalStateException(
                "how a trial ends is the executor's affair: " + message);
          }
        });
  }
}
