package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.FarBehind;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Families;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of results: everything that a report says, computed once.
 *
 * @param results what it was computed from
 * @param sections one for each experiment
 */
public record Report(Results results, List<ExperimentReport> sections) {
  /**
   * Computes the report.
   *
   * @throws io.kvstadium.store.BadArgumentException if a latency histogram cannot be decoded
   */
  public static Report of(Results results) {
    List<ExperimentReport> sections = new ArrayList<>();
    for (ExperimentResult each : results.experiments()) {
      sections.add(
          new ExperimentReport(
              each,
              results.stadium(),
              groups(each, results.audit()),
              Absence.of(each),
              each.configurations().stream().map(Costs::new).filter(Costs::known).toList()));
    }
    return new Report(results, List.copyOf(sections));
  }

  /**
   * The points of each sweep together, at the place of the first, and every other section on its
   * own.
   */
  public List<List<ExperimentReport>> chapters() {
    return Sweep.together(sections, section -> section.experiment().plan().point());
  }

  private static Map<String, List<ConfigurationResult>> members(ExperimentResult own) {
    Map<String, List<ConfigurationResult>> members = new LinkedHashMap<>();
    for (ConfigurationResult each : own.configurations()) {
      members.computeIfAbsent(each.plan().group(), _ -> new ArrayList<>()).add(each);
    }
    return members;
  }

  private static List<ComparisonGroup> groups(ExperimentResult own, @Nullable Audit audit) {
    List<ComparisonGroup> groups = new ArrayList<>();
    members(own).forEach((group, members) -> groups.add(group(own, group, members, audit)));
    return List.copyOf(groups);
  }

  private static ComparisonGroup group(
      ExperimentResult own,
      String group,
      List<ConfigurationResult> members,
      @Nullable Audit audit) {
    List<ConfigurationResult> outside = new ArrayList<>(ComparisonGroup.outside(members));
    Set<String> behind = FarBehind.stayed(own).keySet(); // of one trial nothing follows
    members.stream().filter(each -> behind.contains(each.name())).forEach(outside::add);
    Map<String, List<Trials>> figures = figures(own, members);
    Map<String, List<Trials>> compared = new LinkedHashMap<>();
    figures.forEach((phase, trials) ->
        compared.put(
            phase, trials.stream().filter(o -> !outside.contains(o.configuration())).toList()));
    compared.values().removeIf(List::isEmpty);
    OverallRanking.Members overall =
        OverallRanking.members(counted(own, compared), own.plan().aim().weights());
    Families families = families(compared, overall);
    List<PhaseRanking> rankings = new ArrayList<>();
    figures.forEach((name, trials) -> {
      boolean cold =
          own.plan().phases().stream().anyMatch(each -> each.cold() && each.name().equals(name));
      rankings.add(PhaseRanking.of(name, trials, members, outside, families.of(name), audit, cold));
    });
    OverallRanking total =
        own.plan().point() == null && overall != null
            ? OverallRanking.of(overall, families.of(OverallRanking.PHASE))
            : null;
    return new ComparisonGroup(group, members, List.copyOf(rankings), total, families);
  }

  /** Phases at a durability of their own are beside the workload, unless they have a weight. */
  private static Map<String, List<Trials>> counted(
      ExperimentResult own, Map<String, List<Trials>> figures) {
    Map<String, List<Trials>> counted = new LinkedHashMap<>(figures);
    if (own.plan().aim().weights().isEmpty()) {
      counted.keySet().removeAll(own.levels().keySet());
    }
    return counted;
  }

  private static Families families(
      Map<String, List<Trials>> figures, OverallRanking.@Nullable Members overall) {
    Map<String, Map<String, Map<Integer, Double>>> speeds = new LinkedHashMap<>();
    Set<String> judgedAlone = new LinkedHashSet<>();
    figures.forEach((phase, trials) -> {
      Map<String, Map<Integer, Double>> own = new LinkedHashMap<>();
      trials.forEach(each -> own.put(each.configuration().name(), each.speeds()));
      speeds.put(phase, own);
      if (!Trials.workload(phase) || trials.stream().anyMatch(Trials::atFixedRate)) {
        judgedAlone.add(phase);
      }
    });
    if (overall != null) {
      speeds.put(OverallRanking.PHASE, overall.speeds());
    }
    return Families.of(speeds, judgedAlone);
  }

  /** Phase → trials of each configuration by the phase's measure, if there are any. */
  private static Map<String, List<Trials>> figures(
      ExperimentResult experiment, List<ConfigurationResult> members) {
    Map<String, List<Trials>> figures = new LinkedHashMap<>();
    for (String phase : phases(experiment)) {
      List<Trials> trials = members.stream().map(each -> Trials.of(each, phase)).toList();
      Measure measure = Measure.of(trials.stream().flatMap(own -> own.phases().stream()).toList());
      List<Trials> known =
          trials.stream().map(own -> own.by(measure)).filter(own -> !own.isEmpty()).toList();
      if (!known.isEmpty()) {
        figures.put(phase, known);
      }
    }
    return figures;
  }

  /** The experiment's phases, followed by any that only trials have. */
  private static Set<String> phases(ExperimentResult experiment) {
    Set<String> phases = new LinkedHashSet<>(experiment.phases());
    for (ConfigurationResult configuration : experiment.configurations()) {
      for (TrialResult trial : configuration.trials()) {
        trial.phases().forEach(phase -> phases.add(phase.name()));
      }
    }
    return phases;
  }
}
