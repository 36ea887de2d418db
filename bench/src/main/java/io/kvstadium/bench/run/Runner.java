package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.Environment;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs a plan, trial by trial, and saves the results after each. */
public final class Runner {
  /** Name of the file in the run's directory. */
  public static final String RESULTS = "results.json";

  private static final String HARNESS = "measuring the harness itself";

  private final Engines engines;
  private final Settings settings;
  private final Executor executor;
  private final Watcher watcher;
  private final String version;
  private final Fitness fitness;
  private volatile boolean stopped;

  /**
   * @param version of Stadium, for the record
   */
  public Runner(
      Engines engines, Settings settings, Executor executor, Watcher watcher, String version) {
    this.engines = engines;
    this.settings = settings;
    this.executor = executor;
    this.watcher = watcher;
    this.version = version;
    this.fitness = Fitness.in(settings.out(), engines);
  }

  /** Whether there is a run in a directory, complete or not. */
  public static boolean hasRun(Path directory) {
    return Files.exists(directory.resolve(RESULTS))
        || Files.exists(directory.resolve(RunRecord.FILE));
  }

  /** Makes {@link #run} return after the trial that is running, with what is finished. */
  public void stop() {
    stopped = true;
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
   * Runs what an interrupted run lacks, into its directory. The runner's settings must be that
   * run's, and {@link Interrupted#check} passed.
   *
   * @return all of its results
   * @throws BadArgumentException as {@link #run} does
   */
  public Results resume(Interrupted interrupted) {
    return run(interrupted.plan(), interrupted);
  }

  private Results run(Plan plan, @Nullable Interrupted interrupted) {
    Session session = new Session(plan, interrupted);
    try (RunDirectory directory = RunDirectory.open(settings.out())) {
      session.run(directory);
    }
    Results results = session.results(!stopped);
    ResultsFile.write(results, settings.out().resolve(RESULTS));
    return results;
  }

  /** From a start to an end or an interruption. */
  private final class Session {
    private final long begin = System.nanoTime();
    private final Plan plan;
    private final @Nullable Results before;
    private final List<Job> jobs;
    private final List<Gathering> gatherings;
    private final String started;
    private final Machine machine;
    private final Set<Finding> findings = new LinkedHashSet<>();
    private final Clock clock;
    private final List<Pilot> pilots;
    private final RunRecord written;
    private @Nullable List<PilotRate> rates;
    private @Nullable Audit audit;

    Session(Plan plan, @Nullable Interrupted interrupted) {
      this.plan = plan;
      this.before = interrupted == null ? null : interrupted.results();
      this.rates = interrupted == null ? null : interrupted.rates();
      List<Job> all = Job.of(plan, settings.seed());
      this.jobs = interrupted == null ? all : interrupted.missingJobs();
      this.gatherings = plan.suite().experiments().stream().map(each -> gathering(each)).toList();
      this.started =
          before == null
              ? OffsetDateTime.now(ZoneId.systemDefault())
                  .truncatedTo(ChronoUnit.SECONDS)
                  .toString()
              : before.started();
      this.audit = before == null ? null : before.audit();
      this.machine = look(interrupted);
      this.pilots =
          rates != null
              ? List.of()
              : plan.suite().experiments().stream().map(each -> new Pilot(each, fitness)).toList();
      int before = pilots.stream().mapToInt(each -> each.configurations().size()).sum();
      double share = (double) (jobs.size() + before) / Math.max(1, all.size() + before);
      this.clock = new Clock(jobs.size() + before, plan.seconds() * share);
      this.written =
          RunRecord.of(plan, settings, machine, version, engines, executor.engineFolders());
    }

    private Resources resources(Experiment experiment) {
      return Resources.of(plan.suite().heap(), experiment.memory());
    }

    private Gathering gathering(Experiment experiment) {
      Gathering gathering = new Gathering(experiment, engines);
      if (before != null) {
        before.experiments().stream()
            .filter(each -> each.name().equals(experiment.name()))
            .forEach(gathering::restore);
      }
      return gathering;
    }

    /** Looks at the machine, and refuses to run where that is asked for. */
    private Machine look(@Nullable Interrupted interrupted) {
      if (before != null) {
        before.findings().stream()
            .filter(each -> each.level() != Level.FAILURE) // those are made from the trials
            .forEach(findings::add);
      }
      List<Resources> limits =
          plan.suite().experiments().stream()
              .filter(each -> !each.configurations().isEmpty())
              .map(this::resources)
              .distinct()
              .toList();
      List<Finding> seen = new ArrayList<>();
      limits.forEach(each -> seen.addAll(executor.check(each)));
      RunDirectory.create(settings.out());
      Environment environment = new Environment(settings.out());
      Machine present = environment.machine();
      long least = limits.stream().mapToLong(Resources::besideHeap).min().orElse(0);
      seen.addAll(environment.check(largestData(), mostThreads(), least));
      limits.forEach(each -> seen.addAll(each.findings(plan.suite().heap())));
      seen.addAll(plan.findings());
      if (interrupted != null) {
        seen.addAll(interrupted.changes(present));
      }
      try {
        refuseIfStrict(seen);
      } catch (BadArgumentException e) {
        RunDirectory.removeIfEmpty(settings.out());
        throw e;
      }
      findings.addAll(seen);
      return before == null ? present : before.machine();
    }

    void run(RunDirectory directory) {
      if (before == null) {
        written.write(settings.out());
      }
      measureHarness(directory);
      findRates(directory);
      for (Job job : jobs) {
        if (stopped) {
          return;
        }
        runOne(job, directory);
        if (!stopped) {
          clock.jobEnded();
          Results soFar = results(false);
          ResultsFile.write(soFar, settings.out().resolve(RESULTS));
          watcher.trialEnded(soFar);
        }
      }
    }

    private void measureHarness(RunDirectory directory) {
      if (audit != null || jobs.isEmpty()) {
        return;
      }
      audit =
          new HarnessAudit(executor, directory.stores())
              .run(
                  engines,
                  settings.seed(),
                  detail -> watcher.preparing(HARNESS, detail, clock.done(), clock.secondsLeft()));
      if (audit == null && !stopped) {
        findings.add(
            new Finding(
                Level.WARNING,
                "environment",
                "what the harness itself costs was not measured: the engine 'null' is not"
                    + " installed or failed"));
      }
    }

    /** The round before the trials, if any rate is a share of a maximum. */
    private void findRates(RunDirectory directory) {
      if (rates != null || jobs.isEmpty()) {
        return;
      }
      List<PilotRate> found = new ArrayList<>();
      for (int e = 0; e < pilots.size(); e++) {
        Pilot pilot = pilots.get(e);
        Experiment experiment = plan.suite().experiments().get(e);
        for (Configuration configuration : pilot.configurations()) {
          if (stopped) {
            return;
          }
          String what = "looking for the maximum of " + configuration.name();
          Message.Done done =
              execute(
                  new Job(e, configuration, 0),
                  directory,
                  Pilot.phases(fitness.phases(configuration, experiment)),
                  Math.min(Pilot.WARM_UP_SECONDS, plan.warmUpSeconds()),
                  Map.of(),
                  message -> {
                    if (message instanceof Message.Progress at) {
                      watcher.preparing(what, at.phase(), clock.done(), clock.secondsLeft());
                    }
                  });
          directory.removeTrial();
          pilot.ended(configuration, done.result());
          clock.jobEnded();
        }
        if (stopped) {
          return; // the last one was cut off
        }
        found.addAll(pilot.rates());
        findings.addAll(pilot.failures());
      }
      found.forEach(rate -> findings.add(rate.finding()));
      rates = found;
      written.withRates(found).write(settings.out());
    }

    private void runOne(Job job, RunDirectory directory) {
      Experiment experiment = plan.suite().experiments().get(job.experiment());
      Gathering gathering = gatherings.get(job.experiment());
      Configuration configuration = job.configuration();
      List<PhaseResult> baseline = new ArrayList<>();
      Message.Done done =
          execute(
              job,
              directory,
              Pilot.resolved(
                  fitness.phases(configuration, experiment),
                  experiment.name(),
                  configuration.group(),
                  rates == null ? List.of() : rates),
              plan.warmUpSeconds(),
              gathering.chunks(configuration.name()),
              message -> {
                switch (message) {
                  case Message.Progress progress ->
                      watcher.progress(
                          configuration.name(),
                          job.number(),
                          progress.phase(),
                          clock.done(),
                          clock.secondsLeft());
                  case Message.Working _ -> {
                    // nothing new to be shown
                  }
                  case Message.Baseline phases -> baseline.addAll(phases.phases());
                  case Message.Done _, Message.Ready _, Message.Reopened _ ->
                      throw new IllegalStateException(
                          "how a trial ends is the executor's affair: " + message);
                }
              });
      if (stopped) {
        return; // cut off: not a figure, and not the engine's failure
      }
      gathering.add(configuration.name(), done.result(), done.data());
      if (experiment.paired()) {
        experiment.configurations().stream()
            .filter(
                each -> each.access() == Access.RAW && each.group().equals(configuration.group()))
            .forEach(raw ->
                gathering.add(raw.name(), Gathering.baseline(done.result(), baseline), Map.of()));
      }
      directory.removeTrial(); // before the results are saved, which may need the room
    }

    private Message.Done execute(
        Job job,
        RunDirectory directory,
        List<PhaseSpec> phases,
        double warmUpSeconds,
        Map<String, Integer> chunks,
        Consumer<Message> listener) {
      Experiment experiment = plan.suite().experiments().get(job.experiment());
      TrialPlan trial =
          new TrialPlan(
                  job.configuration(),
                  job.number(),
                  job.seed(experiment, settings.seed()),
                  directory.trial().toAbsolutePath().toString(),
                  experiment.data(),
                  settings.source(),
                  phases,
                  warmUpSeconds,
                  chunks,
                  experiment.paired())
              .withKill(job.number() > 0 && fitness.kills(job.configuration(), experiment));
      return executor.run(trial, resources(experiment), listener);
    }

    Results results(boolean complete) {
      List<Experiment> experiments = plan.suite().experiments();
      List<ExperimentResult> results =
          IntStream.range(0, experiments.size())
              .mapToObj(i ->
                  gatherings
                      .get(i)
                      .result(plan.left().getOrDefault(experiments.get(i).name(), Map.of())))
              .toList();
      Set<Finding> all = new LinkedHashSet<>(findings);
      results.forEach(each -> {
        all.addAll(failures(each));
        all.addAll(remarks(each));
      });
      return new Results(
          Results.SCHEMA,
          version,
          plan.suite().name(),
          settings.command(),
          started,
          (before == null ? 0 : before.seconds()) + (System.nanoTime() - begin) / 1e9,
          settings.seed(),
          complete,
          machine,
          List.copyOf(all),
          audit,
          results);
    }

    private void refuseIfStrict(List<Finding> seen) {
      List<String> warnings =
          seen.stream()
              .filter(finding -> finding.level() == Level.WARNING)
              .map(each ->
                  each.subject().equals("environment")
                      ? each.message()
                      : each.subject() + " " + each.message())
              .toList();
      if (settings.strict() && !warnings.isEmpty()) {
        throw new BadArgumentException(
            "the environment would spoil the figures, and --strict refuses to run: "
                + String.join("; ", warnings));
      }
    }

    private long largestData() {
      return plan.suite().experiments().stream()
          .filter(each -> !each.configurations().isEmpty())
          .mapToLong(each -> each.data().approximateBytes())
          .max()
          .orElse(0);
    }

    private int mostThreads() {
      return plan.suite().experiments().stream()
          .flatMap(each -> each.phases().stream())
          .mapToInt(Runner::threads)
          .max()
          .orElse(1);
    }
  }

  /** What is to be said of trials that have figures all the same. */
  private static List<Finding> remarks(ExperimentResult experiment) {
    return experiment.configurations().stream()
        .flatMap(each ->
            each.trials().stream().flatMap(trial -> Remarks.of(each.name(), trial).stream()))
        .toList();
  }

  /** A line for each configuration that has failed trials. */
  private static List<Finding> failures(ExperimentResult experiment) {
    List<Finding> findings = new ArrayList<>();
    for (ConfigurationResult configuration : experiment.configurations()) {
      List<TrialResult> failed =
          configuration.trials().stream().filter(each -> each.failure() != null).toList();
      if (!failed.isEmpty()) {
        int all = configuration.trials().size();
        findings.add(
            new Finding(
                Level.FAILURE,
                configuration.name(),
                failed.size()
                    + " of "
                    + all
                    + (all == 1 ? " trial of " : " trials of ")
                    + experiment.name()
                    + " failed and "
                    + (failed.size() == 1 ? "has" : "have")
                    + " no figures; the first: "
                    + failed.getFirst().failure()));
      }
    }
    return findings;
  }

  private static int threads(PhaseSpec phase) {
    PhaseSpec beside = phase.beside();
    return phase.threads() + (beside == null ? 0 : beside.threads());
  }
}
