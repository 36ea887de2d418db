package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Term;
import io.kvstadium.bench.result.Aim.Migration;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether it pays to change from one engine to another. It compares configurations that use the two
 * in the same way (single calls, transactions …), or all if there are none. If some promise the
 * same durability, those decide; the others are reported with a caution.
 *
 * @param over what the verdicts as a whole are over
 * @param ways comparisons of two configurations, those of equal durability first
 */
record MigrationAnswer(Migration migration, String over, List<Way> ways) {
  /** If there are more, only the first are named in the answer. */
  private static final int NAMED = 3;

  private static final String ACCESS = "access";

  /**
   * One configuration instead of another.
   *
   * @param alike whether they are of one group and promise the same
   * @param overall the verdict on the new one over all phases, or {@code null} if there is none
   * @param phases the verdicts on it at each phase that both have
   */
  record Way(
      ConfigurationResult from,
      ConfigurationResult to,
      boolean alike,
      @Nullable Verdict overall,
      Map<String, Verdict> phases) {
    private boolean shows(Class<? extends Verdict> kind) {
      return kind.isInstance(overall) || phases.values().stream().anyMatch(kind::isInstance);
    }

    /** Whether the new one is better on the whole. */
    private boolean better() {
      return overall == null
          ? shows(Verdict.Faster.class) && !shows(Verdict.Slower.class)
          : overall instanceof Verdict.Faster;
    }

    private String name() {
      return to.name() + " for " + from.name();
    }
  }

  /**
   * The answer, or {@code null} if the experiment does not ask for one or does not have both
   * engines.
   *
   * @param across compares configurations across groups, as a group whose promises differ
   */
  static @Nullable MigrationAnswer of(
      ExperimentResult experiment,
      List<ComparisonGroup> groups,
      Function<List<ConfigurationResult>, ComparisonGroup> across) {
    Migration migration = experiment.aim().migration();
    if (migration == null || experiment.point() != null) {
      return null;
    }
    List<ConfigurationResult> ran = groups.stream().flatMap(group -> group.ran().stream()).toList();
    List<ConfigurationResult> from = of(ran, migration.from());
    List<ConfigurationResult> to = of(ran, migration.to());
    boolean any =
        from.stream().anyMatch(own -> to.stream().anyMatch(other -> usedAlike(own, other)));
    List<ConfigurationResult> both = new ArrayList<>(from);
    both.addAll(to);
    ComparisonGroup all = across.apply(both);
    List<Way> ways = new ArrayList<>();
    List<Way> others = new ArrayList<>();
    for (ConfigurationResult old : from) {
      for (ConfigurationResult own : to) {
        if (any && !usedAlike(old, own)) {
          continue;
        }
        ComparisonGroup common =
            groups.stream()
                .filter(group -> group.ran().contains(old) && group.ran().contains(own))
                .findFirst()
                .orElse(null);
        boolean alike = common != null && common.equalPromises();
        (alike ? ways : others).add(way(common == null ? all : common, old, own, alike));
      }
    }
    ways.addAll(others);
    OverallRanking overall = all.overall();
    String over = overall == null ? "" : overall.over();
    return ways.isEmpty() ? null : new MigrationAnswer(migration, over, List.copyOf(ways));
  }

  private static List<ConfigurationResult> of(List<ConfigurationResult> all, String engine) {
    return all.stream().filter(own -> own.engine().equals(engine)).toList();
  }

  private static boolean usedAlike(ConfigurationResult own, ConfigurationResult other) {
    return own.options().getOrDefault(ACCESS, "").equals(other.options().getOrDefault(ACCESS, ""));
  }

  private static Way way(
      ComparisonGroup group, ConfigurationResult from, ConfigurationResult to, boolean alike) {
    Map<String, Verdict> phases = new LinkedHashMap<>();
    for (PhaseRanking ranking : group.rankings()) {
      Verdict verdict = group.verdict(ranking, to.name(), from.name());
      if (verdict != null && Trials.workload(ranking.phase())) {
        phases.put(ranking.phase(), verdict);
      }
    }
    OverallRanking overall = group.overall();
    Verdict whole = overall == null ? null : group.verdict(overall, to.name(), from.name());
    return new Way(from, to, alike, whole, phases);
  }

  /** The comparisons that decide. */
  private List<Way> deciding() {
    List<Way> alike = ways.stream().filter(Way::alike).toList();
    return alike.isEmpty() ? ways : alike;
  }

  /** The answer in a sentence or two. */
  Term answer() {
    List<Way> deciding = deciding();
    boolean faster = deciding.stream().anyMatch(way -> way.shows(Verdict.Faster.class));
    boolean slower = deciding.stream().anyMatch(way -> way.shows(Verdict.Slower.class));
    boolean tied = deciding.stream().allMatch(way -> way.overall instanceof Verdict.Tie);
    String word =
        faster
            ? !slower && deciding.stream().allMatch(Way::better) ? "Yes." : "It depends."
            : slower ? "No." : tied ? "No, they are alike." : "Undecided: no difference is shown.";
    List<String> whole =
        deciding.stream()
            .filter(way -> way.overall != null)
            .map(way -> way.name() + ": " + words(way.overall))
            .toList();
    String caution =
        deciding.stream().allMatch(Way::alike)
            ? ""
            : " With caution: their durability promises differ.";
    return new Term(
        migration.to() + " instead of " + migration.from(),
        word
            + (whole.isEmpty() ? "" : " " + Words.sentence(over) + ", ")
            + String.join("; ", whole.subList(0, Math.min(NAMED, whole.size())))
            + (whole.size() > NAMED ? "; and " + (whole.size() - NAMED) + " more" : "")
            + (whole.isEmpty() ? "" : ".")
            + caution);
  }

  /** Where the new one is faster and where slower, for each comparison. */
  List<Term> details() {
    List<Way> deciding = deciding();
    List<Term> details = new ArrayList<>();
    for (Way way : ways) {
      String caution =
          way.alike
              ? ""
              : "with caution, as promises differ (%s, %s): "
                  .formatted(way.to.durability(), way.from.durability());
      String whole =
          way.overall == null || deciding.contains(way)
              ? ""
              : over + " " + words(way.overall) + "; ";
      details.add(new Term(way.name(), caution + whole + phases(way)));
    }
    return details;
  }

  private static String words(@Nullable Verdict verdict) {
    return verdict == null ? "not compared" : verdict.words();
  }

  private static String phases(Way way) {
    List<String> faster = new ArrayList<>();
    List<String> slower = new ArrayList<>();
    List<String> ties = new ArrayList<>();
    List<String> open = new ArrayList<>();
    way.phases.forEach((phase, verdict) -> {
      switch (verdict) {
        case Verdict.Faster own -> faster.add(phase + " " + Units.times(own.ratio()));
        case Verdict.Slower own -> slower.add(phase + " " + Units.times(own.ratio()));
        case Verdict.Tie _ -> ties.add(phase);
        case Verdict.NotToldApart _ -> open.add(phase);
      }
    });
    if (open.size() > 1 && open.size() == way.phases.size()) {
      return "not told apart at any phase.";
    }
    return Words.join(
            "; ",
            named("faster at ", faster),
            named("slower at ", slower),
            named("tie at ", ties),
            named("not told apart at ", open))
        + ".";
  }

  private static String named(String what, List<String> phases) {
    return phases.isEmpty() ? "" : what + String.join(", ", phases);
  }
}
