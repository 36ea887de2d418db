package io.kvstadium.bench.run;

import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs single trials of plans.
 *
 * @param directory that a trial may fill
 */
record TrialRun(Executor executor, Path directory) {
  /** What the trials of an experiment may use. */
  static Resources resources(Plan plan, Experiment experiment) {
    return Resources.of(plan.suite().heap(), experiment.memory());
  }

  /**
   * @param source the user's own data, or {@code null}
   * @param chunks how many operations share one reading of the clock, by phase; where a phase is
   *     missing, its warm-up decides
   * @param listener receives the name of the phase that begins
   */
  Message.Done run(
      Plan plan,
      PlannedTrial planned,
      @Nullable Source source,
      Map<String, Integer> chunks,
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
            chunks);
    return executor.run(
        trial,
        resources(plan, experiment),
        message -> {
          if (message instanceof Message.Progress progress) {
            listener.accept(progress.phase());
          } else {
            throw new IllegalStateException(
                "how a trial ends is the executor's affair: " + message);
          }
        });
  }
}
