package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.Environment;
import io.kvstadium.bench.plan.DiskSpaceCheck;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.plan.Slices;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Request;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs trials in a directory, which is its own as long as it is open: those of one plan, or of
 * several one after the other. The machine is examined before the first of them, results are saved
 * after each, and what is saved is not measured again.
 */
public final class Campaign implements AutoCloseable {
  private static final String HARNESS = "measuring the harness itself";

  private final Runner runner;
  private final Clock clock;
  private final RunDirectory directory;
  private final String started;
  private final boolean resumes;
  private final Machine machine;
  private final Set<Finding> findings = new LinkedHashSet<>();
  private @Nullable Audit audit;

  /**
   * @param largest what the machine must be able to bear
   * @param before the first results of an interrupted campaign, or {@code null}
   * @throws BadArgumentException if the environment check warns and the settings are strict, or
   *     another run is at work in the directory
   */
  Campaign(Runner runner, Plan largest, Clock clock, @Nullable Results before) {
    this.runner = runner;
    this.clock = clock;
    this.resumes = before != null;
    this.started =
        before == null
            ? OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString()
            : before.started();
    if (before != null) {
      findings.addAll(before.findings());
      audit = before.audit();
      clock.continueFrom(before.seconds());
    }
    this.machine = examine(largest, before);
    this.directory = RunDirectory.open(runner.settings.out());
  }

  /**
   * Runs what a schedule says.
   *
   * @param file name of the results' file in the directory
   * @param settings that the plan was made with
   * @return what there is, which is not complete if the runner was stopped
   * @throws BadArgumentException if the file has trials that are not like those of the plan
   */
  public Results run(String file, Plan plan, Settings settings, Schedule schedule) {
    Path path = runner.settings.out().resolve(file);
    Results before = resumes && Files.exists(path) ? ResultsFile.read(path) : null;
    if (before != null) {
      new ResumableRun(runner.settings.out(), before).requireLike(plan, runner.languages);
      clock.continueFrom(before.seconds());
      if (before.complete()) {
        return before;
      }
    }
    boolean slices =
        schedule.sharesTime() && runner.executor.takesTurns() && slices(plan, settings);
    Part part = new Part(path, plan, settings, before);
    part.save(false);
    measureHarness();
    part.run(schedule, slices);
    return part.save(!runner.isStopped());
  }

  /** Whether trials share the time, as was asked for. */
  private boolean slices(Plan plan, Settings settings) {
    if (!Boolean.TRUE.equals(settings.slices())) {
      return false;
    }
    String whyNot = Slices.whyNot(plan, machine.memoryBytes(), DiskSpaceCheck.free(settings.out()));
    if (whyNot != null) {
      throw new BadArgumentException(
          "trials cannot share the time in --slices: " + whyNot + "; leave the option out");
    }
    findings.add(
        new Finding(
            Level.NOTE,
            "environment",
            "the trials of a round shared the time in turns of 50 ms (--slices)"));
    return true;
  }

  /** Seconds since it began, without those between an interruption and its resumption. */
  public double elapsed() {
    return clock.elapsed();
  }

  /** Removes all but the results. */
  @Override
  public void close() {
    directory.close();
    RunDirectory.removeIfEmpty(runner.settings.out()); // nothing ran
  }

  /** Examines the machine, and refuses to run if the settings ask for that. */
  private Machine examine(Plan plan, @Nullable Results before) {
    List<Resources> limits =
        plan.suite().experiments().stream()
            .filter(each -> !each.configurations().isEmpty())
            .map(each -> TrialRun.resources(plan, each))
            .distinct()
            .toList();
    List<Finding> seen = new ArrayList<>();
    limits.forEach(each -> seen.addAll(runner.executor.check(each)));
    plan.suite().experiments().stream()
        .flatMap(each -> each.configurations().stream())
        .map(Configuration::jvm)
        .distinct()
        .forEach(runner.executor::check);
    RunDirectory.create(runner.settings.out());
    Environment environment = new Environment(runner.settings.out());
    Machine present = environment.machine();
    long outsideHeap = limits.stream().mapToLong(Resources::outsideHeap).min().orElse(0);
    seen.addAll(environment.check(largestData(plan), maxThreads(plan), outsideHeap));
    limits.forEach(each -> seen.addAll(each.findings(plan.suite().heap())));
    if (before != null) {
      seen.addAll(ResumableRun.changes(before.machine(), present));
    }
    try {
      refuseIfStrict(Stream.concat(seen.stream(), plan.findings().stream()).toList());
    } catch (BadArgumentException e) {
      RunDirectory.removeIfEmpty(runner.settings.out());
      throw e;
    }
    seen.stream()
        .filter(each -> each.level() == Level.WARNING)
        .distinct()
        .forEach(runner.watcher::warned);
    findings.addAll(seen);
    return before == null ? present : before.machine();
  }

  private void measureHarness() {
    if (audit != null) {
      return;
    }
    audit =
        new HarnessAudit(new TrialRun(runner.executor, directory.trial()))
            .run(
                runner.languages,
                runner.settings.seed(),
                detail ->
                    runner.watcher.preparing(HARNESS, detail, clock.done(), clock.secondsLeft()));
    if (audit == null && !runner.isStopped()) {
      findings.add(
          new Finding(
              Level.WARNING,
              "environment",
              "what the harness itself costs was not measured: the engine 'null' is not"
                  + " installed or failed"));
    }
  }

  /** The trials of one plan, in a file of their own. */
  private final class Part {
    private final Path file;
    private final Plan plan;
    private final Settings settings;
    private final Request request;
    private final List<ResultCollector> collectors;

    Part(Path file, Plan plan, Settings settings, @Nullable Results before) {
      this.file = file;
      this.plan = plan;
      this.settings = settings;
      this.request =
          before == null
              ? new Request(plan.asked(), settings, runner.executor.engineFolders())
              : before.request();
      this.collectors =
          plan.suite().experiments().stream().map(each -> collector(each, before)).toList();
    }

    private ResultCollector collector(Experiment experiment, @Nullable Results before) {
      ResultCollector collector =
          new ResultCollector(experiment, runner.languages, runner.evidence);
      if (before != null) {
        before.experiments().stream()
            .filter(each -> each.name().equals(experiment.name()))
            .forEach(collector::restore);
      }
      return collector;
    }

    void run(Schedule schedule, boolean slices) {
      for (List<PlannedTrial> trials = next(schedule); !trials.isEmpty(); trials = next(schedule)) {
        for (List<PlannedTrial> together : slices ? byExperiment(trials) : each(trials)) {
          double begin = clock.elapsed();
          run(together);
          if (runner.isStopped()) {
            return;
          }
          double each = (clock.elapsed() - begin) / together.size();
          together.forEach(trial -> schedule.ended(trial, seconds(each)));
          together.forEach(_ -> clock.jobEnded());
          runner.watcher.trialEnded(save(false));
        }
        Schedule.Round round = schedule.ended(results(false));
        if (round != null) {
          runner.watcher.roundEnded(round, clock.secondsLeft());
        }
      }
    }

    private List<PlannedTrial> next(Schedule schedule) {
      return runner.isStopped()
          ? List.of()
          : schedule.next(results(false), seconds(clock.elapsed()));
    }

    private static List<List<PlannedTrial>> each(List<PlannedTrial> trials) {
      return trials.stream().map(List::of).toList();
    }

    private static List<List<PlannedTrial>> byExperiment(List<PlannedTrial> trials) {
      return List.copyOf(
          trials.stream()
              .collect(
                  Collectors.groupingBy(
                      PlannedTrial::experiment, LinkedHashMap::new, Collectors.toList()))
              .values());
    }

    /** Runs trials of one experiment at the same time, of which one works at any moment. */
    private void run(List<PlannedTrial> trials) {
      List<Message.Done> done =
          trials.size() == 1 ? List.of(run(trials.getFirst(), 0, null)) : shared(trials);
      if (runner.isStopped()) {
        return; // cut off: not a figure, and not the engine's failure
      }
      for (int i = 0; i < trials.size(); i++) {
        PlannedTrial planned = trials.get(i);
        collectors
            .get(planned.experiment())
            .add(planned.configuration().name(), done.get(i).result(), done.get(i).data());
      }
      directory.removeTrials(); // before the results are saved, which may need the space
    }

    private List<Message.Done> shared(List<PlannedTrial> trials) {
      PlannedTrial first = trials.getFirst();
      Experiment experiment = plan.suite().experiments().get(first.experiment());
      Rotation rotation = new Rotation(trials.size(), TrialRun.parts(experiment), first.seed());
      try (ExecutorService threads =
          Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
        List<Future<Message.Done>> running = new ArrayList<>();
        for (PlannedTrial each : trials) {
          int number = running.size();
          running.add(
              threads.submit(() -> {
                try (Rotation.Member member = rotation.new Member(number)) {
                  return run(each, number, member);
                }
              }));
        }
        List<Message.Done> done = new ArrayList<>();
        for (Future<Message.Done> each : running) {
          done.add(each.get());
        }
        return done;
      } catch (ExecutionException e) {
        throw new IllegalStateException("the harness broke: " + e.getCause(), e.getCause());
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts a run", e);
      }
    }

    /** Players of other languages read the clock for each call: then all do. */
    private static Map<String, Integer> onePerReading(PlannedTrial planned) {
      return planned.phases().stream().collect(Collectors.toMap(PhaseSpec::name, _ -> 1));
    }

    private Message.Done run(PlannedTrial planned, int number, Rotation.@Nullable Member member) {
      Configuration configuration = planned.configuration();
      return new TrialRun(runner.executor, directory.trial(number))
          .run(
              plan,
              planned,
              settings.source(),
              runner.languages.asked().equals(List.of(Configuration.JAVA))
                  ? collectors.get(planned.experiment()).chunks(configuration.name())
                  : onePerReading(planned),
              member,
              phase -> {
                synchronized (clock) {
                  runner.watcher.progress(
                      configuration.name(),
                      planned.number(),
                      phase,
                      clock.done(),
                      clock.secondsLeft());
                }
              });
    }

    Results save(boolean complete) {
      Results results = results(complete);
      ResultsFile.write(results, file);
      return results;
    }

    private Results results(boolean complete) {
      List<ExperimentResult> results =
          collectors.stream().map(each -> each.result(plan.leftOut())).toList();
      Set<Finding> all = new LinkedHashSet<>(findings);
      all.addAll(plan.findings());
      all.addAll(runner.executor.noticed());
      collectors.forEach(each -> all.addAll(each.broken()));
      results.forEach(each -> all.addAll(Remarks.of(each)));
      return new Results(
          Results.SCHEMA,
          runner.version,
          request,
          started,
          clock.elapsed(),
          complete,
          machine,
          List.copyOf(all),
          audit,
          results);
    }
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
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
    if (runner.settings.strict() && !warnings.isEmpty()) {
      throw new BadArgumentException(
          "the environment would spoil the figures, and --strict refuses to run: "
              + String.join("; ", warnings));
    }
  }

  private static long largestData(Plan plan) {
    return plan.suite().experiments().stream()
        .filter(each -> !each.configurations().isEmpty())
        .mapToLong(each -> each.data().approximateBytes())
        .max()
        .orElse(0);
  }

  private static int maxThreads(Plan plan) {
    return plan.suite().experiments().stream()
        .flatMap(each -> each.phases().stream())
        .mapToInt(Campaign::threads)
        .max()
        .orElse(1);
  }

  private static int threads(PhaseSpec phase) {
    PhaseSpec background = phase.background();
    return phase.threads() + (background == null ? 0 : background.threads());
  }
}
