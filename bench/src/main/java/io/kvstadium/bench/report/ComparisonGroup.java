package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.stats.Boards;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configurations of one group, which are compared only with one another.
 *
 * @param group the group's name
 * @param configurations all of the group, including those without figures, in the suite's order
 * @param rankings one for each phase that any of them has figures for
 * @param overall the ranking over all phases; {@code null} at the points of a sweep, or if there
 *     are too few phases or configurations
 * @param boards the verdicts on any two configurations
 */
record ComparisonGroup(
    String group,
    List<ConfigurationResult> configurations,
    List<PhaseRanking> rankings,
    @Nullable OverallRanking overall,
    Boards boards) {
  /** The group of engines' own defaults, which promise different things. */
  private static final String DEFAULT = "default";

  /** Who kept a limit, if there is one, and who is fastest at which phases. */
  String headline() {
    Map<String, List<String>> wins = new LinkedHashMap<>();
    List<String> open = new ArrayList<>();
    for (PhaseRanking ranking : rankings) {
      if (ranking.decided()) {
        String first = ranking.standings().getFirst().configuration();
        wins.computeIfAbsent(first, _ -> new ArrayList<>()).add(ranking.phase());
      } else if (ranking.standings().size() > 1) {
        open.add(ranking.phase());
      }
    }
    List<String> parts = new ArrayList<>();
    wins.forEach((name, phases) -> parts.add(name + " is fastest at " + String.join(", ", phases)));
    if (!open.isEmpty()) {
      parts.add((wins.isEmpty() ? "No" : "no") + " single fastest at " + String.join(", ", open));
    }
    String kept =
        Limits.of(configurations).stream()
            .map(each -> each.name() + ": " + each.text() + " ")
            .collect(Collectors.joining());
    return kept
        + (parts.isEmpty() ? "There is nothing to compare." : String.join("; ", parts) + ".");
  }

  /** The verdicts for a list, each with its subject: overall, by use, then for each phase. */
  List<Block.Term> verdicts() {
    List<Block.Term> verdicts = new ArrayList<>();
    if (overall != null) {
      verdicts.add(new Block.Term(overall.label(), overall.sentence()));
    }
    verdicts.addAll(Advice.of(this));
    Block.Term flushes = FlushNote.of(this);
    if (flushes != null) {
      verdicts.add(flushes);
    }
    rankings.forEach(each -> verdicts.add(new Block.Term(each.phase(), each.sentence())));
    return verdicts;
  }

  /**
   * The verdict on one configuration against another, or {@code null} if either is not in the
   * ranking.
   */
  @Nullable Verdict verdict(Ranking ranking, String own, String other) {
    String board = ranking instanceof OverallRanking ? OverallRanking.PHASE : ranking.phase();
    return ranking.of(own) == null || ranking.of(other) == null
        ? null
        : boards.of(board).verdict(own, other);
  }

  /** Whether its configurations make the same promises. */
  boolean equalPromises() {
    return !group.equals(DEFAULT);
  }

  List<String> names() {
    return configurations.stream().map(ConfigurationResult::name).toList();
  }

  /** Those with a figure in any phase. */
  List<ConfigurationResult> ran() {
    return configurations.stream()
        .filter(own -> rankings.stream().anyMatch(each -> each.of(own.name()) != null))
        .toList();
  }

  /** What its configurations have in common: {@code At durability process}. */
  String title() {
    return switch (group) {
      case "equal" -> "At durability " + asked(" and ");
      case "none", "process", "consistent", "power" -> "At durability " + group;
      case DEFAULT -> "With each engine's default settings";
      default -> "Group " + group;
    };
  }

  /**
   * Where the title is not the whole truth, such as for an engine that gives more than was asked
   * for; empty if there is nothing to note.
   */
  String note() {
    if (group.equals(DEFAULT)) {
      return "Engines promise different things by default.";
    }
    List<String> parts = new ArrayList<>();
    if (asked(" and ").contains(" ")) {
      parts.add("Durability differs within this group");
    }
    Map<String, List<String>> stronger = new LinkedHashMap<>();
    for (ConfigurationResult each : configurations) {
      if (!mark(each).isEmpty()) {
        String what = mark(each) + " " + gives(each) + ": ";
        stronger.computeIfAbsent(what, _ -> new ArrayList<>()).add(each.name());
      }
    }
    stronger.forEach((what, names) -> parts.add(what + String.join(", ", names)));
    return parts.isEmpty() ? "" : String.join("; ", parts) + ".";
  }

  /** The mark after each figure of a configuration that gives a durability other than asked for. */
  static String mark(ConfigurationResult own) {
    boolean asked = own.skipped() == null && !own.group().equals(DEFAULT);
    return asked && !own.durability().equals(own.effective()) ? "†" : "";
  }

  /** A sentence on the mark, if any configuration has it. */
  static String legend(List<ConfigurationResult> configurations) {
    return configurations.stream().allMatch(each -> mark(each).isEmpty())
        ? ""
        : " †: at a stronger durability than asked for, which may cost speed.";
  }

  /** What such a mark means. */
  static String gives(ConfigurationResult own) {
    return "gives " + own.effective() + " where " + own.durability() + " was asked for";
  }

  private String asked(String between) {
    return configurations.stream()
        .map(ConfigurationResult::durability)
        .distinct()
        .collect(Collectors.joining(between));
  }
}
