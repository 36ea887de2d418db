package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a change from the engine in use to another one brings, and what is lost by it: the same for
 * {@code bench} and {@code advise}.
 *
 * @param now in use
 * @param other instead
 */
public record EngineChange(
    ComparisonGroup group, ConfigurationResult now, ConfigurationResult other) {
  /** Engines that applications use by SQL, which stores have not. */
  private static final Set<String> SQL = Set.of("sqlite", "h2", "mysql", "postgresql");

  /** The verdict on the other one over all phases, or at the only one. */
  Verdict whole() {
    Ranking ranking = group.whole();
    return isComparedAt(ranking)
        ? group.verdict(ranking, other.name(), now.name())
        : Verdict.Undecided.UNKNOWN;
  }

  private boolean isComparedAt(Ranking ranking) {
    return ranking.of(other.name()) != null && ranking.of(now.name()) != null;
  }

  /** How much faster and slower it is, overall and at each phase. */
  public String gain() {
    List<String> faster = new ArrayList<>();
    List<String> slower = new ArrayList<>();
    List<String> equal = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (PhaseRanking ranking : group.rankings()) {
      if (Trials.workload(ranking.phase()) && isComparedAt(ranking)) {
        switch (group.verdict(ranking, other.name(), now.name())) {
          case Verdict.Faster own -> faster.add(ranking.phase() + " " + own.factor());
          case Verdict.Slower own -> slower.add(ranking.phase() + " " + own.factor());
          case Verdict.Equal _ -> equal.add(ranking.phase());
          case Verdict.Undecided _ -> open.add(ranking.phase());
        }
      }
    }
    String overall =
        group.overall() != null && whole() instanceof Verdict.Faster own
            ? OverallRanking.PHASE + " " + own.factor() + " faster"
            : "";
    return TextStyle.join(
        "; ",
        overall,
        named("faster at ", faster),
        named("slower at ", slower),
        named("equal at ", equal),
        named("not decided yet at ", open));
  }

  private static String named(String what, List<String> phases) {
    return phases.isEmpty() ? "" : what + String.join(", ", phases);
  }

  /** What the engine in use has, and the other one, or any store, has not. */
  public List<String> lost() {
    List<String> lost = new ArrayList<>();
    if (SQL.contains(now.plan().engine())) {
      lost.add(
          "SQL, secondary indexes and constraints (a row is measured as one key and one value)");
    }
    lost.addAll(now.capabilities());
    lost.removeAll(other.capabilities());
    return lost;
  }
}
