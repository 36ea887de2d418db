package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.Environment;
import io.kvstadium.bench.plan.MinDuration;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Request;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A run from its start to its end or an interruption. */
final class Session {
  private static final String HARNESS = "measuring the harness itself";

  private final Runner runner;
  private final Plan plan;
  private final @Nullable Results before;
  private final @Nullable ResumableRun interrupted;
  private final Rounds rounds;
  private final List<ResultCollector> collectors;
  private final String started;
  private final Machine machine;
  private final Set<Finding> findings = new LinkedHashSet<>();
  private final Clock clock;
  private final Request request;
  private @Nullable Audit audit;

  /**
   * @param interrupted the run that this one resumes, or {@code null}
   * @throws BadArgumentException if the environment check warns and the settings are strict
   */
  Session(Runner runner, Plan plan, @Nullable ResumableRun interrupted) {
    this.runner = runner;
    this.plan = plan;
    this.before = interrupted == null ? null : interrupted.results();
    this.interrupted = interrupted;
    this.rounds = new Rounds(plan, before);
    this.collectors = plan.suite().experiments().stream().map(each -> collector(each)).toList();
    this.started =
        before == null
            ? OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString()
            : before.started();
    this.audit = before == null ? null : before.audit();
    this.machine = examine(interrupted);
    int planned = plan.hasBudget() ? Rounds.MIN : plan.rounds();
    int jobs =
        planned * plan.entrants().size() - (interrupted == null ? 0 : interrupted.finished(plan));
    this.clock =
        new Clock(
            runner.nanos,
            before == null ? 0 : before.seconds(),
            plan.suite().budget(),
            MinDuration.of(plan),
            jobs);
    this.request =
        before == null
            ? new Request(plan.asked(), runner.settings, runner.executor.engineFolders())
            : before.request();
  }

  private Resources resources(Experiment experiment) {
    return Resources.of(plan.suite().heap(), experiment.memory());
  }

  private ResultCollector collector(Experiment experiment) {
    ResultCollector collector = new ResultCollector(experiment, runner.languages, runner.evidence);
    if (before != null) {
      before.experiments().stream()
          .filter(each -> each.name().equals(experiment.name()))
          .forEach(collector::restore);
    }
    return collector;
  }

  /** Examines the machine, and refuses to run if the settings ask for that. */
  private Machine examine(@Nullable ResumableRun interrupted) {
    if (before != null) {
      findings.addAll(before.findings());
    }
    List<Resources> limits =
        plan.suite().experiments().stream()
            .filter(each -> !each.configurations().isEmpty())
            .map(this::resources)
            .distinct()
            .toList();
    List<Finding> seen = new ArrayList<>();
    limits.forEach(each -> seen.addAll(runner.executor.check(each)));
    RunDirectory.create(runner.settings.out());
    Environment environment = new Environment(runner.settings.out());
    Machine present = environment.machine();
    long outsideHeap = limits.stream().mapToLong(Resources::outsideHeap).min().orElse(0);
    seen.addAll(environment.check(largestData(), maxThreads(), outsideHeap));
    limits.forEach(each -> seen.addAll(each.findings(plan.suite().heap())));
    seen.addAll(plan.findings());
    if (interrupted != null) {
      seen.addAll(interrupted.changes(present));
    }
    try {
      refuseIfStrict(seen);
    } catch (BadArgumentException e) {
      RunDirectory.removeIfEmpty(runner.settings.out());
      throw e;
    }
    seen.stream()
        .filter(each -> each.level() == Level.WARNING && !plan.findings().contains(each))
        .distinct()
        .forEach(runner.watcher::warned);
    findings.addAll(seen);
    return before == null ? present : before.machine();
  }

  void run(RunDirectory directory) {
    if (interrupted == null) {
      ResultsFile.write(results(false), runner.settings.out().resolve(Runner.RESULTS));
    }
    measureHarness(directory);
    int round = 1;
    for (List<PlannedTrial> trials = rounds.next(round, clock.elapsed(), results(false));
        trials != null;
        trials = rounds.next(round, clock.elapsed(), results(false))) {
      for (PlannedTrial trial : trials) {
        if (runner.isStopped()) {
          return;
        }
        double begin = clock.elapsed();
        runOne(trial, directory);
        if (!runner.isStopped()) {
          rounds.took(trial, clock.elapsed() - begin);
          clock.jobEnded();
          Results soFar = results(false);
          ResultsFile.write(soFar, runner.settings.out().resolve(Runner.RESULTS));
          runner.watcher.trialEnded(soFar);
        }
      }
      if (runner.isStopped()) {
        return;
      }
      if (!trials.isEmpty()) {
        List<String> left = rounds.ended(results(false));
        runner.watcher.roundEnded(round, left, rounds.present(), clock.secondsLeft());
      }
      round++;
    }
  }

  private void measureHarness(RunDirectory directory) {
    if (audit != null) {
      return;
    }
    audit =
        new HarnessAudit(runner.executor, directory.stores())
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

  private void runOne(PlannedTrial planned, RunDirectory directory) {
    ResultCollector collector = collectors.get(planned.experiment());
    Configuration configuration = planned.configuration();
    Message.Done done =
        execute(
            planned,
            directory,
            collector.chunks(configuration.name()),
            message -> {
              switch (message) {
                case Message.Progress progress ->
                    runner.watcher.progress(
                        configuration.name(),
                        planned.number(),
                        progress.phase(),
                        clock.done(),
                        clock.secondsLeft());
                case Message.Done _, Message.Hello _, Message.Played _ ->
                    throw new IllegalStateException(
                        "how a trial ends is the executor's affair: " + message);
              }
            });
    if (runner.isStopped()) {
      return; // cut off: not a figure, and not the engine's failure
    }
    collector.add(configuration.name(), done.result(), done.data());
    directory.removeTrial(); // before the results are saved, which may need the space
  }

  private Message.Done execute(
      PlannedTrial planned,
      RunDirectory directory,
      Map<String, Integer> chunks,
      Consumer<Message> listener) {
    Experiment experiment = plan.suite().experiments().get(planned.experiment());
    TrialPlan trial =
        new TrialPlan(
            planned.configuration(),
            planned.number(),
            planned.seed(),
            directory.trial().toAbsolutePath().toString(),
            experiment.data(),
            runner.settings.source(),
            planned.phases(),
            plan.warmUpSeconds(),
            chunks);
    return runner.executor.run(trial, resources(experiment), listener);
  }

  Results results(boolean complete) {
    List<ExperimentResult> results =
        collectors.stream().map(each -> each.result(plan.leftOut())).toList();
    Set<Finding> all = new LinkedHashSet<>(findings);
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

  private long largestData() {
    return plan.suite().experiments().stream()
        .filter(each -> !each.configurations().isEmpty())
        .mapToLong(each -> each.data().approximateBytes())
        .max()
        .orElse(0);
  }

  private int maxThreads() {
    return plan.suite().experiments().stream()
        .flatMap(each -> each.phases().stream())
        .mapToInt(Session::threads)
        .max()
        .orElse(1);
  }

  private static int threads(PhaseSpec phase) {
    PhaseSpec background = phase.background();
    return phase.threads() + (background == null ? 0 : background.threads());
  }
}
