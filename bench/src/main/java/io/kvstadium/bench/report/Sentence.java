package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Ranking.Place;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.stats.Verdict.NotToldApart;
import io.kvstadium.bench.stats.Verdict.Slower;
import io.kvstadium.bench.stats.Verdict.Tie;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes a ranking in words that claim no more than its verdicts do. */
final class Sentence {
  /** If more than this are slower, not all are named; the table has them. */
  private static final int NAMED = 3;

  private Sentence() {}

  /** The sentence for one phase; each verdict is against the first configuration. */
  static String of(PhaseRanking ranking) {
    boolean plain = ranking.measure().equals("rate") || ranking.measure().equals("time");
    return (plain ? "" : "by " + ranking.measure() + ": ") + verdict(ranking.standings());
  }

  /**
   * The overall sentence. A mean over phases has no unit, so the others' figures are fractions of
   * the best.
   */
  static String of(List<OverallRanking.Rank> places) {
    if (places.isEmpty()) {
      return "no configuration has all of them.";
    }
    if (places.size() == 1) {
      return "only " + places.getFirst().configuration() + " has all of them.";
    }
    return verdict(places);
  }

  private static String name(Place own) {
    return own.configuration() + (own.said().isEmpty() ? "" : " (" + own.said() + ")");
  }

  private static String factor(Place own) {
    return own.verdict() instanceof Slower slower ? slower.factor() : "";
  }

  private static String verdict(List<? extends Place> ranks) {
    Place first = ranks.getFirst();
    if (ranks.size() == 1) {
      return "only " + name(first) + " has a figure, so nothing can be compared.";
    }
    List<Place> slower = new ArrayList<>();
    List<Place> others = new ArrayList<>();
    for (Place rank : ranks.subList(1, ranks.size())) {
      (rank.verdict() instanceof Slower ? slower : others).add(rank);
    }
    if (others.isEmpty()) {
      String figure = first.said().isEmpty() ? "" : first.said() + ", ";
      return first.configuration() + " is fastest: " + figure + faster(slower) + ".";
    }
    return "no single fastest: "
        + name(first)
        + " leads"
        + (others.size() <= NAMED ? each(others) : together(others))
        + (slower.isEmpty() ? "." : "; " + first.configuration() + " is " + faster(slower) + ".");
  }

  private static String each(List<Place> others) {
    return others.stream()
        .map(rank -> "; " + name(rank) + ": " + words(rank.verdict()))
        .collect(Collectors.joining());
  }

  private static String words(@Nullable Verdict verdict) {
    return verdict == null ? "not compared" : verdict.words();
  }

  /** The words for more configurations than can be listed individually. */
  private static String together(List<Place> others) {
    List<Verdict> ties = new ArrayList<>();
    List<Verdict> open = new ArrayList<>();
    for (Place rank : others) {
      if (rank.verdict() instanceof NotToldApart apart) {
        open.add(apart);
      } else if (rank.verdict() instanceof Tie tie) {
        ties.add(tie);
      }
    }
    return (ties.isEmpty() ? "" : "; " + count(ties.size()) + ": " + ties.getFirst().words())
        + (open.isEmpty() ? "" : "; " + count(open.size()) + ": " + widest(open).words());
  }

  private static Verdict widest(List<Verdict> open) {
    return Collections.max(
        open,
        Comparator.comparingDouble(each -> each instanceof NotToldApart apart ? apart.most() : 0));
  }

  private static String count(long others) {
    return others == 1 ? "one other" : others + " others";
  }

  private static String faster(List<Place> slower) {
    if (slower.size() > NAMED) {
      Place next = slower.getFirst();
      Place last = slower.getLast();
      return "%s faster than the next, %s, and %s faster than the last, %s"
          .formatted(factor(next), next.configuration(), factor(last), last.configuration());
    }
    List<String> parts = new ArrayList<>();
    slower.forEach(own -> parts.add(factor(own) + " faster than " + own.configuration()));
    String last = parts.removeLast();
    return parts.isEmpty() ? last : String.join(", ", parts) + " and " + last;
  }
}
