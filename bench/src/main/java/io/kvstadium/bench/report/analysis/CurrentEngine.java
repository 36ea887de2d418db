package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The answer for a reader who uses one of the engines today: what it does, what others would bring,
 * what would be lost, and how to change. Staying is an answer, too.
 */
public final class CurrentEngine {
  /** How many engines to change to are described. */
  private static final int NAMED = 2;

  /** Engines that applications use by SQL, which stores have not. */
  private static final Set<String> SQL = Set.of("sqlite", "h2", "mysql", "postgresql");

  private final Aim.Current current;
  private final ComparisonGroup group;
  private final ConfigurationResult now;
  private final String version;

  private CurrentEngine(
      Aim.Current current, ComparisonGroup group, ConfigurationResult now, String version) {
    this.current = current;
    this.group = group;
    this.now = now;
    this.version = version;
  }

  /** The sentences; none if no engine is named, or it has no place in the group. */
  public static List<String> of(ExperimentReport section, ComparisonGroup group) {
    Aim.Current current = section.experiment().plan().aim().current();
    if (current == null) {
      return List.of();
    }
    return group.ran().stream()
        .filter(each -> each.plan().engine().equals(current.engine()))
        .filter(each -> group.order().contains(each.name()))
        .findFirst()
        .map(now -> new CurrentEngine(current, group, now, section.stadium()).sentences())
        .orElse(List.of());
  }

  private List<String> sentences() {
    List<ConfigurationResult> others =
        group.ran().stream()
            .filter(each -> !each.plan().engine().equals(current.engine()))
            .filter(each -> group.order().contains(each.name()))
            .toList();
    List<ConfigurationResult> better =
        others.stream()
            .filter(each -> whole(each) instanceof Verdict.Faster)
            .sorted(Comparator.comparingDouble(each -> whole(each).slowness()))
            .limit(NAMED)
            .toList();
    List<String> sentences = new ArrayList<>();
    sentences.add("You use " + now.name() + " today: " + figures() + ".");
    if (better.isEmpty()) {
      Ranking overall = group.columns().getFirst();
      List<ConfigurationResult> open =
          others.stream()
              .filter(each -> overall.of(each.name()) != null) // else nothing will tell
              .filter(each -> whole(each).mayBeFaster())
              .toList();
      sentences.add(
          others.isEmpty()
              ? "Nothing else was measured to compare it with."
              : open.isEmpty()
                  ? "Stay where you are: no engine is faster overall."
                  : "Not decided yet: %s may be faster overall. More trials tell."
                      .formatted(
                          open.stream()
                              .map(ConfigurationResult::name)
                              .collect(Collectors.joining(", "))));
      return sentences;
    }
    better.forEach(each -> sentences.add(gain(each)));
    ConfigurationResult best = better.getFirst();
    String lost = lost(best);
    if (!lost.isEmpty()) {
      sentences.add("With %s you would lose: %s.".formatted(best.plan().engine(), lost));
    }
    sentences.add(
        "%s: %s %s: %s"
            .formatted(
                now.plan().engine(), now.description(), best.plan().engine(), best.description()));
    String url = best.plan().engine() + ":data/app?durability=" + best.effective().word();
    String move =
        current.store() == null
            ? "copy '" + current.engine() + ":your-store?adopt=true'"
            : "import " + current.store();
    sentences.add(
        "Open %s with io.kvstadium:kv-stadium-engine-%s:%s; move with: ./stadium %s '%s'"
            .formatted(url, best.plan().engine(), version, move, url));
    return sentences;
  }

  /** The verdict over all phases, or if there is none, at the first phase. */
  private Verdict whole(ConfigurationResult other) {
    Ranking ranking = group.columns().getFirst();
    return ranking.of(other.name()) == null || ranking.of(now.name()) == null
        ? Verdict.Undecided.UNKNOWN
        : group.verdict(ranking, other.name(), now.name());
  }

  private String figures() {
    List<String> figures = new ArrayList<>();
    for (Ranking ranking : group.columns()) {
      if (ranking instanceof PhaseRanking phase && phase.of(now.name()) != null) {
        Standing own = Objects.requireNonNull(phase.of(now.name()));
        String p99 = Figures.P99.text(own.samples());
        String tail = p99.equals(Units.MISSING) ? "" : " (p99 " + p99 + ")";
        figures.add(phase.phase() + " " + own.text() + tail);
      }
    }
    return String.join(", ", figures);
  }

  private String gain(ConfigurationResult other) {
    List<String> faster = new ArrayList<>();
    List<String> slower = new ArrayList<>();
    List<String> equal = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (PhaseRanking ranking : group.rankings()) {
      if (!Trials.workload(ranking.phase())
          || ranking.of(other.name()) == null
          || ranking.of(now.name()) == null) {
        continue;
      }
      switch (group.verdict(ranking, other.name(), now.name())) {
        case Verdict.Faster own -> faster.add(ranking.phase() + " " + own.factor());
        case Verdict.Slower own -> slower.add(ranking.phase() + " " + own.factor());
        case Verdict.Equal _ -> equal.add(ranking.phase());
        case Verdict.Undecided _ -> open.add(ranking.phase());
      }
    }
    String overall =
        group.overall() != null && whole(other) instanceof Verdict.Faster own
            ? "overall " + own.factor() + " faster"
            : "";
    return "%s instead: %s."
        .formatted(
            other.name(),
            TextStyle.join(
                "; ",
                overall,
                named("faster at ", faster),
                named("slower at ", slower),
                named("equal at ", equal),
                named("not decided yet at ", open)));
  }

  private static String named(String what, List<String> phases) {
    return phases.isEmpty() ? "" : what + String.join(", ", phases);
  }

  /** What the engine in use declares, and the other one does not. */
  private String lost(ConfigurationResult other) {
    List<String> lost = new ArrayList<>();
    if (SQL.contains(now.plan().engine())) {
      lost.add(
          "SQL, secondary indexes and constraints (a row is measured as one key and one value)");
    }
    lost.addAll(now.capabilities());
    lost.removeAll(other.capabilities());
    return String.join(", ", lost);
  }
}
