package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Kind;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Term;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Race;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Spent;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Boards.Look;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** How a run went: who left its race when, and where its time went. */
final class Course {
  private Course() {}

  /** The race of an experiment: the overall rank at each look, and who had left by then. */
  static List<Block> race(ExperimentResult experiment, Results results) {
    Race race = results.race();
    List<ConfigurationResult> ran =
        experiment.configurations().stream().filter(each -> !each.trials().isEmpty()).toList();
    if (race == null || race.looks().isEmpty() || experiment.paired() || ran.isEmpty()) {
      return List.of();
    }
    List<Column<ConfigurationResult>> columns = new ArrayList<>();
    boolean shorter = false; // the last heat
    for (int k = 0; k < race.looks().size(); k++) {
      Look look = race.looks().get(k);
      Map<String, Integer> ranks = Report.ranks(experiment, race.looks().subList(0, k + 1));
      Set<String> in =
          k == 0
              ? ran.stream().map(ConfigurationResult::name).collect(Collectors.toSet())
              : Report.contenders(experiment, race.looks().subList(0, k));
      shorter =
          ran.stream()
              .anyMatch(own -> in.contains(own.name()) && own.trials().size() < look.heats());
      columns.add(
          Column.of(
              (look.heats() == 1 ? "after 1 heat" : "after " + look.heats() + " heats"),
              own -> standing(own, in.contains(own.name()), look, ranks)));
    }
    columns.add(Column.of("trials", own -> Integer.toString(own.trials().size())));
    Table table =
        Table.of(
            Table.Look.QUIET,
            "Ranks over all phases at each look; in: in the race, without a rank over all phases",
            "configuration",
            Column.heads(columns),
            Column.rows(
                columns,
                ran,
                own -> Table.Row.of(own.name(), Key.of(experiment.configurations(), own.name()))));
    return List.of(
        new Part(Kind.FIGURES, "The race", List.of(Text.aside(words(race, shorter)), table)));
  }

  private static String standing(
      ConfigurationResult own, boolean in, Look look, Map<String, Integer> ranks) {
    if (own.trials().getLast().failure() != null && own.trials().size() <= look.heats()) {
      return "failed";
    }
    if (!in) {
      return "left";
    }
    Integer rank = ranks.get(own.name());
    return rank == null ? "in" : rank.toString();
  }

  private static String words(Race race, boolean shorter) {
    List<String> levels =
        race.looks().stream()
            .map(look -> percent(look.level()) + " after " + look.heats())
            .toList();
    String began =
        race.budgetSeconds() > 0
            ? "As many heats as fit into %.0f s, one trial of each that was still in the race;"
                    .formatted(race.budgetSeconds())
                + " those told apart from the leaders on every board dropped out."
                + (shorter ? " The last heat had room for some only, chosen at random." : "")
            : "Trials were added to a run that had ended.";
    return began
        + " Among boards of equal engines, looks name a difference on at most these shares: "
        + String.join(", ", levels)
        + " heats.";
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.3g %%", share * 100);
  }

  /** Where the time of all trials went, if known. */
  static List<Term> time(Results results) {
    List<TrialResult> trials =
        results.experiments().stream()
            .flatMap(each -> each.configurations().stream())
            .flatMap(each -> each.trials().stream())
            .filter(each -> each.spent() != null)
            .toList();
    if (trials.isEmpty()) {
      return List.of();
    }
    Map<String, Double> parts = new LinkedHashMap<>();
    double known = 0;
    for (TrialResult trial : trials) {
      Spent spent = Objects.requireNonNull(trial.spent());
      double timed = trial.phases().stream().mapToDouble(Course::seconds).sum();
      parts.merge("timed", timed, Double::sum);
      parts.merge("making and checking data", Math.max(0, spent.phases() - timed), Double::sum);
      parts.merge("warm-up", spent.warmUp(), Double::sum);
      parts.merge("starts", spent.start(), Double::sum);
      parts.merge("opening, settling, syncs and sizes", spent.rest(), Double::sum);
      known += spent.phases() + spent.warmUp() + spent.start() + spent.rest();
    }
    parts.put("the harness, and between trials", Math.max(0, results.seconds() - known));
    List<String> shares = new ArrayList<>();
    parts.forEach(
        (what, seconds) -> shares.add(what + " " + Units.percent(seconds / results.seconds())));
    return List.of(
        new Term(
            "Time",
            String.format(
                Locale.ROOT,
                "%.0f s for %d trials: %s.",
                results.seconds(),
                trials.size(),
                String.join(", ", shares))));
  }

  /** The seconds of the phase itself; phases of one call count as the rest. */
  private static double seconds(PhaseResult phase) {
    return Trials.workload(phase.name()) ? phase.nanos() / 1e9 : 0;
  }
}
