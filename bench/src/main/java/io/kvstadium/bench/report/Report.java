package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Race;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Board;
import io.kvstadium.bench.stats.Boards;
import io.kvstadium.bench.stats.Boards.Look;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of results: everything that a report says, computed once.
 *
 * @param results what it was computed from
 * @param sections one for each experiment
 */
public record Report(Results results, List<ExperimentReport> sections) {
  private static final int LEAST_RACE = 3;

  /**
   * Computes the report.
   *
   * @throws io.kvstadium.store.BadArgumentException if a latency histogram cannot be decoded
   */
  public static Report of(Results results) {
    List<Look> looks = looks(results);
    List<ExperimentReport> sections = new ArrayList<>();
    List<List<PublishedTable>> published = PublishedTable.of(results.experiments());
    for (ExperimentResult each : results.experiments()) {
      List<ComparisonGroup> groups = groups(each, looks, results.audit());
      sections.add(
          new ExperimentReport(
              each,
              groups,
              MigrationAnswer.of(
                  each, groups, members -> group(each, "", members, looks, results.audit())),
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

  /** The looks at a race; if it is not over, its present state is judged as if it were. */
  private static List<Look> looks(Results results) {
    Race race = results.race();
    if (race == null || results.complete()) {
      return race == null ? List.of() : race.looks();
    }
    List<Look> looks = new ArrayList<>(race.looks());
    looks.add(new Look(Integer.MAX_VALUE, Look.LAST));
    return looks;
  }

  /**
   * The configurations between which a race is still open: those that on some board are not told
   * apart from a leader, or lead it and are not told apart from another. In groups of fewer than
   * three, nobody leaves.
   *
   * @param looks so far
   */
  public static Set<String> contenders(ExperimentResult own, List<Look> looks) {
    Set<String> contenders = new LinkedHashSet<>();
    members(own)
        .forEach((_, members) -> {
          if (own.paired() || members.size() < LEAST_RACE) {
            members.forEach(each -> contenders.add(each.name()));
            return;
          }
          Map<String, List<Trials>> figures = figures(own, members);
          OverallRanking.Members overall = OverallRanking.members(figures, own.aim().weights());
          Boards boards = boards(figures, overall, false, looks);
          Stream.concat(
                  figures.keySet().stream().filter(Trials::workload),
                  Stream.of(OverallRanking.PHASE))
              .forEach(phase -> contenders.addAll(boards.of(phase).contenders()));
        });
    return contenders;
  }

  /** Overall ranks within each group, for those that have all phases. */
  static Map<String, Integer> ranks(ExperimentResult own, List<Look> looks) {
    Map<String, Integer> ranks = new LinkedHashMap<>();
    members(own)
        .forEach((_, members) -> {
          Map<String, List<Trials>> figures = figures(own, members);
          OverallRanking.Members overall = OverallRanking.members(figures, own.aim().weights());
          if (overall != null) {
            Board board = boards(figures, overall, own.paired(), looks).of(OverallRanking.PHASE);
            overall.speeds().keySet().forEach(name -> ranks.put(name, board.rank(name)));
          }
        });
    return ranks;
  }

  private static Map<String, List<ConfigurationResult>> members(ExperimentResult own) {
    Map<String, List<ConfigurationResult>> members = new LinkedHashMap<>();
    for (ConfigurationResult each : own.configurations()) {
      members.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each);
    }
    return members;
  }

  private static List<ComparisonGroup> groups(
      ExperimentResult own, List<Look> looks, @Nullable Audit audit) {
    List<ComparisonGroup> groups = new ArrayList<>();
    members(own).forEach((group, members) -> groups.add(group(own, group, members, looks, audit)));
    return List.copyOf(groups);
  }

  private static ComparisonGroup group(
      ExperimentResult own,
      String group,
      List<ConfigurationResult> members,
      List<Look> looks,
      @Nullable Audit audit) {
    Map<String, List<Trials>> figures = figures(own, members);
    OverallRanking.Members overall = OverallRanking.members(figures, own.aim().weights());
    Boards boards = boards(figures, overall, own.paired(), looks);
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
      Map<String, List<Trials>> figures,
      OverallRanking.@Nullable Members overall,
      boolean paired,
      List<Look> looks) {
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
    return Boards.of(speeds, apart, paired, looks);
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
