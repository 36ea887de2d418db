package io.kvstadium.bench.run;

import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.machine.Environment;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a plan, trial by trial, and saves the results after each. */
public final class Runner {
  /** Name of the file in the run's directory. */
  public static final String RESULTS = "results.json";

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
    long begin = System.nanoTime();
    String started =
        OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
    Resources resources = Resources.of(plan.suite().heap(), settings.memory());
    List<Finding> findings = new ArrayList<>(executor.check(resources));
    create(settings.out());
    Environment environment = new Environment(settings.out());
    findings.addAll(
        environment.check(largestData(plan), mostThreads(plan), resources.besideHeap()));
    findings.addAll(resources.findings(plan.suite().heap()));
    findings.addAll(plan.findings());
    try {
      refuseIfStrict(findings);
    } catch (BadArgumentException e) {
      removeIfEmpty(settings.out());
      throw e;
    }
    Machine machine = environment.machine();
    Path stores = settings.out().resolve("stores");
    Audit audit = new HarnessAudit(executor, stores).run(engines, settings.seed());
    if (audit == null) {
      findings.add(
          new Finding(
              Level.WARNING,
              "environment",
              "what the harness itself costs was not measured: the engine 'null' is not installed or failed"));
    }
    List<Gathering> gatherings =
        plan.suite().experiments().stream().map(each -> new Gathering(each, engines)).toList();
    Snapshot snapshot =
        complete ->
            new Results(
                Results.SCHEMA,
                version,
                plan.suite().name(),
                settings.command(),
                started,
                (System.nanoTime() - begin) / 1e9,
                settings.seed(),
                complete,
                machine,
                findings,
                audit,
                experimentResults(plan, gatherings));
    List<Job> jobs = jobs(plan);
    Clock clock = new Clock(jobs.size());
    for (Job job : jobs) {
      if (stopped) {
        break;
      }
      for (Finding remark :
          runOne(plan, job, resources, gatherings.get(job.experiment()), stores, clock)) {
        if (!findings.contains(remark)) {
          findings.add(remark);
        }
      }
      if (!stopped) {
        clock.jobEnded();
        Results soFar = snapshot.take(false);
        ResultsFile.write(soFar, settings.out().resolve(RESULTS));
        watcher.trialEnded(soFar);
      }
    }
    remove(stores);
    Results results = snapshot.take(!stopped);
    ResultsFile.write(results, settings.out().resolve(RESULTS));
    return results;
  }

  /** One trial of the whole run. */
  private record Job(int experiment, Configuration configuration, int number, boolean paired) {}

  /** Makes the results of what is there. */
  @FunctionalInterface
  private interface Snapshot {
    Results take(boolean complete);
  }

  private List<Job> jobs(Plan plan) {
    List<List<Job>> perExperiment = new ArrayList<>();
    List<Experiment> experiments = plan.suite().experiments();
    for (int e = 0; e < experiments.size(); e++) {
      Experiment experiment = experiments.get(e);
      List<Configuration> run = experiment.withOwnTrials();
      List<Job> jobs = new ArrayList<>();
      for (Schedule.Slot slot :
          Schedule.of(
              run.size(),
              plan.suite().trials(),
              Seeds.derive(settings.seed(), experiment.name()))) {
        jobs.add(new Job(e, run.get(slot.configuration()), slot.number(), experiment.paired()));
      }
      perExperiment.add(jobs);
    }
    // Rounds of all experiments before the next round of any: an interrupted run has something of
    // each.
    return perExperiment.stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparingInt(Job::number).thenComparingInt(Job::experiment))
        .toList();
  }

  /** What a reader must know of it. */
  private List<Finding> runOne(
      Plan plan, Job job, Resources resources, Gathering gathering, Path stores, Clock clock) {
    Experiment experiment = plan.suite().experiments().get(job.experiment());
    long seed =
        Seeds.derive(Seeds.derive(settings.seed(), experiment.name() + " trials"), job.number());
    Path directory = stores.resolve("trial");
    remove(directory);
    create(directory);
    TrialPlan trial =
        new TrialPlan(
                job.configuration(),
                job.number(),
                seed,
                directory.toAbsolutePath().toString(),
                experiment.data(),
                settings.source(),
                fitness.phases(job.configuration(), experiment),
                plan.warmUpSeconds(),
                gathering.chunks(job.configuration().name()),
                job.paired())
            .withKill(fitness.kills(job.configuration(), experiment));
    List<PhaseResult> baseline = new ArrayList<>();
    Message.Done done =
        executor.run(
            trial,
            resources,
            message -> {
              switch (message) {
                case Message.Progress progress ->
                    watcher.progress(
                        job.configuration().name(),
                        job.number(),
                        progress.phase(),
                        clock.done(plan.seconds()),
                        clock.secondsLeft(plan.seconds()));
                case Message.Baseline phases -> baseline.addAll(phases.phases());
                case Message.Done _, Message.Ready _, Message.Reopened _ ->
                    throw new IllegalStateException(
                        "how a trial ends is the executor's affair: " + message);
              }
            });
    if (stopped) {
      return List.of(); // cut off: not a figure, and not the engine's failure
    }
    gathering.add(job.configuration().name(), done.result(), done.data());
    if (job.paired()) {
      experiment.configurations().stream()
          .filter(each ->
              each.access() == Access.RAW && each.group().equals(job.configuration().group()))
          .forEach(raw ->
              gathering.add(raw.name(), Gathering.baseline(done.result(), baseline), Map.of()));
    }
    remove(directory);
    return Remarks.of(job.configuration().name(), done.result());
  }

  private List<ExperimentResult> experimentResults(Plan plan, List<Gathering> gatherings) {
    List<Experiment> experiments = plan.suite().experiments();
    return IntStream.range(0, experiments.size())
        .mapToObj(i ->
            gatherings.get(i).result(plan.left().getOrDefault(experiments.get(i).name(), Map.of())))
        .toList();
  }

  private void refuseIfStrict(List<Finding> findings) {
    List<String> warnings =
        findings.stream()
            .filter(finding -> finding.level() == Level.WARNING)
            .map(Finding::message)
            .toList();
    if (settings.strict() && !warnings.isEmpty()) {
      throw new BadArgumentException(
          "the environment would spoil the figures, and --strict refuses to run: "
              + String.join("; ", warnings));
    }
  }

  private static long largestData(Plan plan) {
    return plan.suite().experiments().stream()
        .mapToLong(each -> each.data().approximateBytes())
        .max()
        .orElse(0);
  }

  private static int mostThreads(Plan plan) {
    return plan.suite().experiments().stream()
        .flatMap(each -> each.phases().stream())
        .mapToInt(Runner::threads)
        .max()
        .orElse(1);
  }

  private static int threads(PhaseSpec phase) {
    PhaseSpec beside = phase.beside();
    return phase.threads() + (beside == null ? 0 : beside.threads());
  }

  private static void create(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot make the directory " + directory + " (" + e + "): use --out with another one", e);
    }
  }

  private static void removeIfEmpty(Path directory) {
    try {
      Files.delete(directory);
    } catch (IOException e) {
      // there is something of the user's in it, who had made it: it stays
    }
  }

  private static void remove(@Nullable Path directory) {
    if (directory == null || !Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + directory, e);
    }
  }

  /** How far the run is, and how long it still takes, judged by the trials that have ended. */
  private static final class Clock {
    /** A trial that takes longer than the others did is never shown as ended. */
    private static final double MOST_OF_A_JOB = 0.95;

    private final int jobs;
    private final long begin = System.nanoTime();
    private long lastEnd = begin;
    private int ended;

    Clock(int jobs) {
      this.jobs = jobs;
    }

    void jobEnded() {
      ended++;
      lastEnd = System.nanoTime();
    }

    /**
     * @param estimate in seconds for all, used as long as no trial has ended
     */
    double done(double estimate) {
      double running = (System.nanoTime() - lastEnd) / 1e9 / perJob(estimate);
      return (ended + Math.min(MOST_OF_A_JOB, running)) / jobs;
    }

    double secondsLeft(double estimate) {
      return (1 - done(estimate)) * jobs * perJob(estimate);
    }

    private double perJob(double estimate) {
      double seconds = ended == 0 ? estimate / jobs : (lastEnd - begin) / 1e9 / ended;
      return Math.max(1e-3, seconds);
    }
  }
}
