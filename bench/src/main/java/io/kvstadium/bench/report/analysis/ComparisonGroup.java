package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.stats.Families;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.store.Durability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configurations of one group, which are compared only with one another.
 *
 * @param group the group's name
 * @param configurations all of the group, including those without figures, in the suite's order
 * @param rankings one for each phase that any of them has figures for
 * @param outside those that are not compared, with the reason
 * @param overall the comparison over all phases; {@code null} at the points of a sweep, or if there
 *     are too few phases or configurations
 * @param families the verdicts on any two configurations
 */
public record ComparisonGroup(
    String group,
    List<ConfigurationResult> configurations,
    List<PhaseRanking> rankings,
    Map<String, String> outside,
    @Nullable OverallRanking overall,
    Families families) {
  /** The group of engines' own defaults, which promise different things. */
  private static final String DEFAULT = "default";

  /** Those at a stronger durability than was asked for; empty if no other is left. */
  static List<ConfigurationResult> stronger(List<ConfigurationResult> members) {
    List<ConfigurationResult> stronger =
        members.stream().filter(ComparisonGroup::isStronger).toList();
    boolean others = members.stream().anyMatch(each -> ran(each) && !stronger.contains(each));
    return others ? stronger : List.of();
  }

  /**
   * Whether one of them is not compared because of its durability, and not for being far behind.
   */
  public boolean isOutsideByLevel(ConfigurationResult own) {
    return stronger(configurations).contains(own);
  }

  private static boolean ran(ConfigurationResult own) {
    return own.skipped() == null && !Trials.good(own).isEmpty();
  }

  /** Whether a configuration gives a durability other than asked for. */
  public static boolean isStronger(ConfigurationResult own) {
    boolean asked = own.skipped() == null && !own.plan().group().equals(DEFAULT);
    return asked && !own.plan().durability().equals(own.effective());
  }

  /** The verdict at one phase, or overall, on one configuration against another. */
  public Verdict verdict(Ranking ranking, String own, String other) {
    return families.of(ranking.phase()).verdict(own, other);
  }

  /** Whether its configurations make the same promises. */
  public boolean equalPromises() {
    return !group.equals(DEFAULT);
  }

  public List<String> names() {
    return configurations.stream().map(ConfigurationResult::name).toList();
  }

  /** The overall comparison first, if there is one, then the phases without open and close. */
  public List<Ranking> columns() {
    List<Ranking> columns = new ArrayList<>();
    if (overall != null) {
      columns.add(overall);
    }
    rankings.stream().filter(own -> Trials.workload(own.phase())).forEach(columns::add);
    return columns;
  }

  /** The column by which configurations are compared as a whole: that of a load only at need. */
  public Ranking whole() {
    List<Ranking> columns = columns();
    return columns.stream()
        .filter(each ->
            !(each instanceof PhaseRanking phase)
                || phase.all().stream().allMatch(own -> own.trials().counts()))
        .findFirst()
        .orElse(columns.getFirst());
  }

  /** All that are compared, in the order of the first column that has them. */
  public List<String> order() {
    return columns().stream()
        .flatMap(ranking -> ranking.standings().stream())
        .map(Ranking.Place::configuration)
        .distinct()
        .toList();
  }

  /** All with figures that are not compared, with the reason. */
  public Map<String, List<String>> notCompared() {
    Map<String, List<String>> notCompared = new LinkedHashMap<>();
    outside.forEach((name, reason) -> {
      if (rankings.stream().anyMatch(each -> each.of(name) != null)) {
        notCompared
            .computeIfAbsent(reason + ": outside the factors", _ -> new ArrayList<>())
            .add(name);
      }
    });
    return notCompared;
  }

  /** Those with a figure in any phase. */
  public List<ConfigurationResult> ran() {
    return configurations.stream()
        .filter(own -> rankings.stream().anyMatch(each -> each.of(own.name()) != null))
        .toList();
  }

  /** The durability that its configurations have in common, with its meaning. */
  public String title() {
    if (group.equals(DEFAULT)) {
      return "Each engine's own defaults, which promise different things";
    }
    List<Durability> levels =
        configurations.stream()
            .filter(own -> stronger(configurations).isEmpty() || !isStronger(own))
            .flatMap(
                own -> Stream.of(own.skipped() == null ? own.effective() : own.plan().durability()))
            .distinct()
            .toList();
    return levels.size() == 1
        ? levels.getFirst().word() + ": " + promise(levels.getFirst())
        : levels.stream().map(Durability::word).collect(Collectors.joining(" and "))
            + ": durability differs, so factors mix it with speed";
  }

  /** What a level of durability promises. */
  public static String promise(Durability level) {
    return switch (level) {
      case NONE -> "nothing is promised after a crash";
      case PROCESS -> "a killed process loses nothing; a power cut may damage the store";
      case CONSISTENT -> "a killed process loses nothing, a power cut only the latest writes";
      case POWER -> "neither a killed process nor a power cut loses anything";
      case ENGINE_DEFAULT -> "as the engine has it";
    };
  }
}
