package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Merges several runs into one, so that every table and chart shows them side by side. */
public final class MergedRuns {
  private MergedRuns() {}

  /**
   * The runs as one: each configuration has its run's name appended, as in {@code rocksdb
   * (before)}, and is listed next to the same one of the other runs. Machine, seed and start are
   * the first run's; where others differ, a warning says so. The cost of the harness is the highest
   * of all runs, and unknown if it is unknown in any of them.
   *
   * @param runs one or more
   * @throws io.kvstadium.store.BadArgumentException if they are of different suites or data, or two
   *     have the same name
   */
  public static Results of(List<NamedRun> runs) {
    Results first = runs.getFirst().results();
    if (runs.size() == 1) {
      return first;
    }
    NamedRun.check(runs);
    Set<String> names = new LinkedHashSet<>();
    runs.forEach(run -> run.results().experiments().forEach(each -> names.add(each.name())));
    return new Results(
        Results.SCHEMA,
        first.stadium(),
        first.suite(),
        runs.stream()
            .map(run -> run.name() + ": " + run.results().command())
            .collect(Collectors.joining("; ")),
        first.started(),
        runs.stream().mapToDouble(run -> run.results().seconds()).sum(),
        first.seed(),
        runs.stream().allMatch(run -> run.results().complete()),
        first.machine(),
        findings(runs),
        0,
        0,
        audit(runs),
        names.stream().map(name -> experiment(runs, name)).toList());
  }

  private static ExperimentResult experiment(List<NamedRun> runs, String name) {
    Map<String, List<ConfigurationResult>> configurations = new LinkedHashMap<>();
    Map<String, PhaseSpec> phases = new LinkedHashMap<>();
    List<ExperimentResult> own = new ArrayList<>();
    for (NamedRun run : runs) {
      ExperimentResult experiment = run.experiment(name);
      if (experiment != null) {
        own.add(experiment);
        experiment.plan().phases().forEach(each -> phases.putIfAbsent(each.name(), each));
        for (ConfigurationResult each : experiment.configurations()) {
          configurations
              .computeIfAbsent(each.name(), _ -> new ArrayList<>())
              .add(each.withPlan(each.plan().named(each.name() + " (" + run.name() + ")")));
        }
      }
    }
    Experiment first = own.getFirst().plan();
    boolean limited = own.stream().allMatch(each -> each.plan().memory() == first.memory());
    return new ExperimentResult(
        first.withPhases(List.copyOf(phases.values())).withMemory(limited ? first.memory() : 0),
        own.stream()
            .map(ExperimentResult::data)
            .filter(data -> !data.isEmpty())
            .findFirst()
            .orElse(Map.of()),
        configurations.values().stream().flatMap(List::stream).toList());
  }

  /** First what differs, then each run's own findings. */
  private static List<Finding> findings(List<NamedRun> runs) {
    List<Finding> findings = new ArrayList<>();
    NamedRun first = runs.getFirst();
    for (NamedRun run : runs.subList(1, runs.size())) {
      for (String difference : first.differences(run)) {
        findings.add(
            new Finding(
                Finding.Level.WARNING,
                run.name() + " against " + first.name(),
                difference + "; this may be the cause of what differs between the two"));
      }
    }
    for (NamedRun run : runs) {
      for (Finding each : run.results().findings()) {
        findings.add(
            new Finding(each.level(), each.subject() + " (" + run.name() + ")", each.message()));
      }
    }
    return findings;
  }

  private static @Nullable Audit audit(List<NamedRun> runs) {
    List<Audit> audits = new ArrayList<>();
    for (NamedRun run : runs) {
      if (run.results().audit() == null) {
        return null;
      }
      audits.add(Objects.requireNonNull(run.results().audit()));
    }
    return new Audit(
        audits.stream().mapToDouble(Audit::timedNanos).max().orElseThrow(),
        audits.stream().mapToDouble(Audit::batchedNanos).max().orElseThrow(),
        audits.stream().mapToDouble(Audit::timerNanos).max().orElseThrow(),
        highest(audits, Audit::p999Nanos),
        highest(audits, Audit::slipNanos),
        highest(audits, Audit::slipP99Nanos),
        languages(audits));
  }

  /** For each language, the last one. */
  private static Map<String, Audit> languages(List<Audit> audits) {
    Map<String, Audit> languages = new LinkedHashMap<>();
    audits.forEach(each -> languages.putAll(each.languages()));
    return languages;
  }

  /** The highest figure; -1, unknown, if it is unknown in any of them. */
  private static long highest(List<Audit> audits, ToLongFunction<Audit> figure) {
    boolean known = audits.stream().mapToLong(figure).allMatch(each -> each >= 0);
    return known ? audits.stream().mapToLong(figure).max().orElseThrow() : -1;
  }
}
