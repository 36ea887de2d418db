package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configurations of one group, which are compared with one another and with no others.
 *
 * @param group the group's word
 * @param title what they have in common: {@code At durability process}
 * @param note where the title is not the whole truth, such as an engine that gives more than was
 *     asked; empty if there is nothing
 * @param configurations all of the group, those without figures too, in the suite's order
 * @param rankings one for each phase that any of them has figures for
 * @param overall over all phases, or {@code null} if there are too few of them, or of
 *     configurations, and at the points of a sweep
 */
public record ComparisonGroup(
    String group,
    String title,
    String note,
    List<ConfigurationResult> configurations,
    List<PhaseRanking> rankings,
    @Nullable OverallRanking overall) {
  public ComparisonGroup {
    configurations = List.copyOf(configurations);
    rankings = List.copyOf(rankings);
  }

  /** Who is fastest how often, in one sentence. */
  public String headline() {
    Map<String, List<String>> wins = new LinkedHashMap<>();
    List<String> open = new ArrayList<>();
    for (PhaseRanking ranking : rankings) {
      if (ranking.decided()) {
        wins.computeIfAbsent(ranking.standings().getFirst().configuration(), _ -> new ArrayList<>())
            .add(ranking.phase());
      } else if (ranking.standings().size() > 1) {
        open.add(ranking.phase());
      }
    }
    if (wins.isEmpty() && open.isEmpty()) {
      return "There is nothing to compare.";
    }
    List<String> parts = new ArrayList<>();
    wins.forEach((name, phases) -> parts.add(name + " is fastest at " + String.join(", ", phases)));
    if (!open.isEmpty()) {
      parts.add((wins.isEmpty() ? "No" : "no") + " single fastest at " + String.join(", ", open));
    }
    return String.join("; ", parts) + ".";
  }

  /** The verdicts for a list, each with what it is of: over all phases, then of each. */
  public Map<String, String> verdicts() {
    Map<String, String> verdicts = new LinkedHashMap<>();
    if (overall != null) {
      verdicts.put(overall.label(), overall.sentence());
    }
    rankings.forEach(ranking -> verdicts.put(ranking.phase(), ranking.sentence()));
    return verdicts;
  }

  static String titleOf(String group, List<ConfigurationResult> configurations) {
    return switch (group) {
      case "equal" -> "At durability " + String.join(" and ", asked(configurations));
      case "none", "process", "consistent", "power" -> "At durability " + group;
      case "default" -> "With each engine's default settings";
      default -> "Group " + group;
    };
  }

  static String noteOf(String group, List<ConfigurationResult> configurations) {
    if (group.equals("default")) {
      return "Engines promise different things by default; see the durability in force below.";
    }
    List<String> parts = new ArrayList<>();
    if (asked(configurations).size() > 1) {
      parts.add("Durability differs within this group");
    }
    for (ConfigurationResult each : configurations) {
      if (each.skipped() == null && !each.durability().equals(each.effective())) {
        parts.add(
            each.name()
                + " gives "
                + each.effective()
                + " where "
                + each.durability()
                + " was asked");
      }
    }
    return parts.isEmpty() ? "" : String.join("; ", parts) + ".";
  }

  private static Set<String> asked(List<ConfigurationResult> configurations) {
    Set<String> words = new LinkedHashSet<>();
    configurations.forEach(each -> words.add(each.durability()));
    return words;
  }
}
