package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.FarBehind;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Boards;
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
    // looking again at a run that was extended must not turn chance into a verdict
    double level = Math.scalb(Boards.LEVEL, -results.extensions());
    List<ExperimentReport> sections = new ArrayList<>();
    List<List<PublishedTable>> published = PublishedTable.of(results.experiments());
    for (ExperimentResult each : results.experiments()) {
      List<ComparisonGroup> groups = groups(each, level, results.audit());
      sections.add(
          new ExperimentReport(
              each,
              groups,
              MigrationAnswer.of(
                  each, groups, members -> group(each, "", members, level, results.audit())),
              Absence.of(each),
              each.configurations().stream().map(Costs::new).filter(Costs::known).toList(),
              published.get(sections.size())));
    }
    return new Report(results, List.copyOf(sections));
  }

  /**
   * The points of each sweep together, at the place of the first, and every other section on its
   * own.
   */
  List<List<ExperimentReport>> chapters() {
    return Sweep.together(sections, section -> section.experiment().point());
  }

  private static Map<String, List<ConfigurationResult>> members(ExperimentResult own) {
    Map<String, List<ConfigurationResult>> members = new LinkedHashMap<>();
    Set<String> behind = FarBehind.stayed(own).keySet(); // of one trial no rank follows
    for (ConfigurationResult each : own.configurations()) {
      if (!behind.contains(each.name())) {
        members.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each);
      }
    }
    return members;
  }

  private static List<ComparisonGroup> groups(
      ExperimentResult own, double level, @Nullable Audit audit) {
    List<ComparisonGroup> groups = new ArrayList<>();
    members(own).forEach((group, members) -> groups.add(group(own, group, members, level, audit)));
    return List.copyOf(groups);
  }

  private static ComparisonGroup group(
      ExperimentResult own,
      String group,
      List<ConfigurationResult> members,
      double level,
      @Nullable Audit audit) {
    Map<String, List<Trials>> figures = figures(own, members);
    OverallRanking.Members overall = OverallRanking.members(figures, own.aim().weights());
    Boards boards = boards(figures, overall, level);
    List<PhaseRanking> rankings = new ArrayList<>();
    figures.forEach((name, trials) ->
        rankings.add(PhaseRanking.of(name, trials, members, boards.of(name), audit)));
    OverallRanking total =
        own.point() == null && overall != null
            ? OverallRanking.of(overall, boards.of(OverallRanking.PHASE))
            : null;
    return new ComparisonGroup(group, members, List.copyOf(rankings), total, boards);
  }

  private static Boards boards(
      Map<String, List<Trials>> figures, OverallRanking.@Nullable Members overall, double level) {
    Map<String, Map<String, Map<Integer, Double>>> speeds = new LinkedHashMap<>();
    Set<String> apart = new LinkedHashSet<>();
    figures.forEach((phase, trials) -> {
      Map<String, Map<Integer, Double>> own = new LinkedHashMap<>();
      trials.forEach(each -> own.put(each.configuration().name(), each.speeds()));
      speeds.put(phase, own);
      if (!Trials.workload(phase) || trials.stream().anyMatch(Trials::atFixedRate)) {
        apart.add(phase);
      }
    });
    if (overall != null) {
      speeds.put(OverallRanking.PHASE, overall.speeds());
    }
    return Boards.of(speeds, apart, level);
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
