package io.kvstadium.bench.run;

import io.kvstadium.bench.plan.MinDuration;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan.Profiling;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs a plan, trial by trial, and saves the results after each. */
public final class Runner {
  /** Name of the file in the run's directory. */
  public static final String RESULTS = "results.json";

  final Languages languages;
  final Settings settings;
  final Executor executor;
  final Watcher watcher;
  final String version;
  final LevelEvidence evidence;
  final LongSupplier nanos;
  private volatile boolean stopped;

  /**
   * @param version of Stadium, for the record
   * @param evidence why levels of durability are believed to hold
   * @param nanos the time in nanoseconds, from any origin
   */
  public Runner(
      Languages languages,
      Settings settings,
      Executor executor,
      Watcher watcher,
      String version,
      LevelEvidence evidence,
      LongSupplier nanos) {
    this.languages = languages;
    this.settings = settings;
    this.executor = executor;
    this.watcher = watcher;
    this.version = version;
    this.evidence = evidence;
    this.nanos = nanos;
  }

  /** Those of its trials. */
  public Languages languages() {
    return languages;
  }

  /** Returns whether there is a run in a directory, complete or not. */
  public static boolean hasRun(Path directory) {
    return Files.exists(directory.resolve(RESULTS));
  }

  /** Makes {@link #run} return after the trial that is running, with what is finished. */
  public void stop() {
    stopped = true;
  }

  /** Whether it was stopped. */
  public boolean isStopped() {
    return stopped;
  }

  /**
   * Runs everything.
   *
   * @throws BadArgumentException if the environment check warns and the settings are strict
   */
  public Results run(Plan plan) {
    return run(plan, null);
  }

  /**
   * Runs what an interrupted run lacks, in its directory. The runner's settings must be that run's.
   *
   * @param plan of that run
   * @return all of its results
   * @throws BadArgumentException as {@link #run} does
   */
  public Results resume(ResumableRun interrupted, Plan plan) {
    return run(plan, interrupted);
  }

  private Results run(Plan plan, @Nullable ResumableRun interrupted) {
    Results before = interrupted == null ? null : interrupted.results();
    int rounds = plan.hasBudget() ? Rounds.MIN : plan.rounds();
    int jobs =
        rounds * plan.entrants().size() - (interrupted == null ? 0 : interrupted.finished(plan));
    Clock clock = new Clock(nanos, plan.suite().budget(), MinDuration.of(plan), jobs);
    try (Campaign campaign = new Campaign(this, plan, clock, before)) {
      return campaign.run(RESULTS, plan, settings, new Rounds(plan, 0, plan::isInUse));
    }
  }

  /**
   * Runs one more trial of a configuration and records some of its phases with JFR. It enters no
   * results.
   *
   * @param trial of the plan
   * @param profiling the phases, and where their recordings go
   * @throws BadArgumentException if the trial fails
   */
  public void profile(Plan plan, PlannedTrial trial, Profiling profiling) {
    try (RunDirectory directory = RunDirectory.open(settings.out())) {
      Message.Done done =
          new TrialRun(executor, directory.trial(), profiling)
              .run(
                  plan,
                  trial,
                  settings.source(),
                  Map.of(),
                  null,
                  phase -> watcher.preparing("profiling", phase, 1, 0));
      String failure = done.result().failure();
      if (failure != null) {
        throw new BadArgumentException(
            "the trial that was to be profiled failed: " + failure + "; the results are complete");
      }
    }
  }

  /**
   * Begins a campaign of several plans, or takes up one that was interrupted.
   *
   * @param largest what the machine must be able to bear
   * @param first name of the file of its first results, which is there if it was interrupted
   * @param spent seconds of the budget that are over
   * @throws BadArgumentException as {@link #run} does
   */
  public Campaign open(Plan largest, String first, double spent) {
    Path file = settings.out().resolve(first);
    Results before = Files.exists(file) ? ResultsFile.read(file) : null;
    Clock clock = new Clock(nanos, settings.budget(), 0, 1);
    clock.continueFrom(spent);
    return new Campaign(this, largest, clock, before);
  }
}
