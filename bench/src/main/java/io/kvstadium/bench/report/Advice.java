package io.kvstadium.bench.report;

import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says which configuration to choose for what, as a person would; all of it follows from verdicts.
 */
final class Advice {
  /** If more than this lead, only the first is named. */
  private static final int NAMED = 3;

  /** What a store is used for, and the operations of that kind. */
  private static final Map<String, Set<String>> USES = new LinkedHashMap<>();

  static {
    USES.put("Mostly reads", Set.of("get", "lend", "multi-get", "open-get"));
    USES.put("Mostly scans", Set.of("scan", "scan-all"));
    USES.put("Mostly writes", Set.of("insert", "update", "delete", "read-modify-write"));
    USES.put("Reads and writes mixed", Set.of("mixed"));
  }

  private Advice() {}

  /** Says what to choose for which use, and where the overall leader is weak. */
  static List<Block.Term> of(ComparisonGroup group) {
    List<Block.Term> sentences = new ArrayList<>();
    OverallRanking overall = group.overall();
    USES.forEach((use, operations) -> {
      List<PhaseRanking> of =
          group.rankings().stream()
              .filter(own -> own.standings().size() > 1)
              .filter(own -> !own.phase().endsWith(PhaseResult.FRESH))
              .filter(own -> operations.contains(operation(own)))
              .toList();
      if (!of.isEmpty()) {
        sentences.add(new Block.Term(use, use(of, overall)));
      }
    });
    if (overall != null && overall.places().size() > 1) {
      String weakness = weakness(group, overall.places().getFirst().configuration());
      if (!weakness.isEmpty()) {
        sentences.add(new Block.Term("But", weakness));
      }
    }
    return sentences;
  }

  private static String operation(PhaseRanking ranking) {
    return ranking.standings().getFirst().trials().phases().iterator().next().operation();
  }

  /**
   * Who leads at all of these phases; if that is one that cannot do all other phases, also who
   * leads among the rest.
   */
  private static String use(List<PhaseRanking> rankings, @Nullable OverallRanking overall) {
    Set<String> able =
        overall == null
            ? Set.of()
            : overall.places().stream()
                .map(OverallRanking.Rank::configuration)
                .collect(Collectors.toSet());
    List<String> limited =
        together(rankings, _ -> true).stream().filter(own -> !able.contains(own)).toList();
    if (limited.isEmpty() || able.isEmpty()) {
      return use(rankings, _ -> true) + ".";
    }
    return names(limited)
        + " if you need no other phase, otherwise "
        + use(rankings, able::contains)
        + ".";
  }

  /** Which of these lead at all of the phases, or else which lead at which phase. */
  private static String use(List<PhaseRanking> rankings, Predicate<String> of) {
    List<String> leaders = together(rankings, of);
    if (!leaders.isEmpty()) {
      boolean alone = rankings.stream().allMatch(ranking -> leaders(ranking, of).size() == 1);
      boolean first =
          rankings.getFirst().standings().getFirst().configuration().equals(leaders.getFirst());
      String behind = alone && first && rankings.size() == 1 ? ahead(rankings.getFirst()) : "";
      return names(leaders) + behind + (leaders.size() > 1 ? ", not told apart" : "");
    }
    Map<String, List<String>> phases = new LinkedHashMap<>();
    rankings.forEach(ranking ->
        phases
            .computeIfAbsent(names(leaders(ranking, of)), _ -> new ArrayList<>())
            .add(ranking.phase()));
    return phases.entrySet().stream()
        .map(each -> each.getKey() + " at " + String.join(" and ", each.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static List<String> together(List<PhaseRanking> rankings, Predicate<String> of) {
    List<String> leaders = leaders(rankings.getFirst(), of);
    rankings.forEach(ranking -> leaders.retainAll(leaders(ranking, of)));
    return leaders;
  }

  private static String ahead(PhaseRanking ranking) {
    Standing next = ranking.standings().get(1);
    return next.verdict() instanceof Verdict.Slower slower
        ? ", " + slower.factor() + " ahead of " + next.configuration()
        : "";
  }

  private static List<String> leaders(PhaseRanking ranking, Predicate<String> of) {
    List<Standing> some =
        ranking.standings().stream().filter(own -> of.test(own.configuration())).toList();
    return new ArrayList<>(
        some.stream()
            .filter(own -> own.rank() == some.getFirst().rank())
            .map(Standing::configuration)
            .toList());
  }

  private static String names(List<String> names) {
    return names.size() > NAMED
        ? "any of " + names.size() + " (" + names.getFirst() + " first)"
        : String.join(" or ", names);
  }

  /** The phase at which the overall leader is farthest behind. */
  private static String weakness(ComparisonGroup group, String leader) {
    String text = "";
    double most = Verdict.TIE;
    for (PhaseRanking ranking : group.rankings()) {
      Standing own = ranking.of(leader);
      if (own != null
          && Trials.workload(ranking.phase())
          && own.verdict() instanceof Verdict.Slower slower
          && slower.ratio() > most) {
        most = slower.ratio();
        text =
            "at %s %s is %s slower than %s."
                .formatted(
                    ranking.phase(),
                    leader,
                    slower.factor(),
                    ranking.standings().getFirst().configuration());
      }
    }
    return text;
  }
}
