package io.kvstadium.advise;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.run.Executor;
import io.kvstadium.bench.run.Resources;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Runs trials one by one, outside of a run. */
final class TrialRunner {
  /** Less than that of a run: these trials only say which ones to go on with. */
  private static final double WARM_UP_SECONDS = 0.6;

  private final Executor executor;
  private final Path out;
  private final Path directory;
  private final Needs needs;

  TrialRunner(Executor executor, Path out, Needs needs) {
    this.executor = executor;
    this.out = out;
    this.directory = out.resolve("parts").resolve("trial");
    this.needs = needs;
  }

  Figures run(PlannedTrial trial, Plan plan, Work work) {
    Experiment experiment = plan.suite().experiments().get(trial.experiment());
    try {
      FileTrees.remove(directory);
      Files.createDirectories(directory);
      Files.createDirectories(out.resolve("stores")); // for the archive of classes
      TrialPlan asked =
          new TrialPlan(
              trial.configuration(),
              trial.number(),
              trial.seed(),
              directory.toAbsolutePath().toString(),
              experiment.data(),
              work.settings().source(),
              trial.phases(),
              WARM_UP_SECONDS,
              Map.of());
      Resources resources = Resources.of(work.suite().heap(), experiment.memory());
      Figures figures = Figures.of(executor.run(asked, resources, _ -> {}).result(), needs);
      FileTrees.remove(directory);
      return figures;
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot use the directory " + directory + " (" + e + "): use --out with another one", e);
    }
  }
}
