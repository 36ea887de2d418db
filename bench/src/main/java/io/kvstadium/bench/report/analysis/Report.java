package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.stats.Families;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    Speeds speeds = Speeds.of(own, members);
    Families families = speeds.families();
    List<PhaseRanking> rankings = new ArrayList<>();
    speeds
        .all()
        .forEach((name, trials) -> {
          boolean cold =
              own.plan().phases().stream()
                  .anyMatch(each -> each.cold() && each.name().equals(name));
          rankings.add(
              PhaseRanking.of(
                  name, trials, members, speeds.outside(name), families.of(name), audit, cold));
        });
    OverallRanking.Members overall = speeds.overall();
    OverallRanking total =
        own.plan().point() == null && overall != null && overall.compares()
            ? OverallRanking.of(overall, families.of(OverallRanking.PHASE))
            : null;
    return new ComparisonGroup(
        group, members, List.copyOf(rankings), speeds.outside(), total, families);
  }
}
