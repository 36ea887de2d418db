package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.stats.Verdict.NoDifference;
import io.kvstadium.bench.stats.Verdict.Same;
import io.kvstadium.bench.stats.Verdict.Slower;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts a ranking into words that claim no more than its verdicts do. */
final class Sentence {
  /** More than so many slower ones are not all named; the table has them. */
  private static final int NAMED = 3;

  private Sentence() {}

  /** The sentence of one phase; each cell's verdict is against the first cell. */
  static String of(PhaseRanking ranking) {
    boolean plain = ranking.measure().equals("rate") || ranking.measure().equals("time");
    List<Named> named = new ArrayList<>();
    for (Standing own : ranking.standings()) {
      named.add(new Named(own.configuration(), own.figure().text(), own.verdict()));
    }
    return (plain ? "" : "by " + ranking.measure() + ": ") + verdict(named);
  }

  /**
   * The sentence over all phases, whose mean has no unit: the others' are fractions of the best.
   */
  static String of(List<OverallRanking.Rank> places) {
    if (places.isEmpty()) {
      return "no configuration has all of them.";
    }
    if (places.size() == 1) {
      return "only " + places.getFirst().configuration() + " has all of them.";
    }
    List<Named> named = new ArrayList<>();
    for (OverallRanking.Rank own : places) {
      String figure = own.verdict() == null ? "" : Units.percent(own.relative()) + " as fast";
      named.add(new Named(own.configuration(), figure, own.verdict()));
    }
    return verdict(named);
  }

  /** A configuration in its place, with its figure, or an empty text if that says nothing. */
  private record Named(String configuration, String figure, @Nullable Verdict verdict) {
    String name() {
      return configuration + (figure.isEmpty() ? "" : " (" + figure + ")");
    }

    String factor() {
      return verdict instanceof Slower slower ? slower.factor() : "";
    }

    String undecided() {
      return switch (verdict) {
        // the first has the highest median, so this needs medians and means that disagree
        case Verdict.Faster faster ->
            "the median is lower, yet trial by trial it is " + faster.words();
        case null -> "not compared";
        default -> verdict.words();
      };
    }
  }

  private static String verdict(List<Named> ranks) {
    Named first = ranks.getFirst();
    if (ranks.size() == 1) {
      return "only " + first.name() + " has a figure, so nothing can be compared.";
    }
    List<Named> slower = new ArrayList<>();
    List<Named> others = new ArrayList<>();
    for (Named rank : ranks.subList(1, ranks.size())) {
      (rank.verdict() instanceof Slower ? slower : others).add(rank);
    }
    if (others.isEmpty()) {
      String figure = first.figure().isEmpty() ? "" : first.figure() + ", ";
      return first.configuration() + " is fastest: " + figure + faster(slower) + ".";
    }
    return "no single fastest. "
        + first.name()
        + (others.size() <= NAMED ? each(others) : together(others))
        + (slower.isEmpty() ? "." : ". " + first.configuration() + " is " + faster(slower) + ".");
  }

  private static String each(List<Named> others) {
    return others.stream()
        .map(rank -> " against " + rank.name() + ": " + rank.undecided())
        .collect(Collectors.joining(";"));
  }

  /** For more than can be read one by one. */
  private static String together(List<Named> others) {
    List<NoDifference> open = new ArrayList<>();
    for (Named rank : others) {
      if (rank.verdict() instanceof NoDifference none) {
        open.add(none);
      }
    }
    long same = others.stream().filter(rank -> rank.verdict() instanceof Same).count();
    String text = " has the best median";
    if (same > 0) {
      text += "; " + new Same().words() + " as " + count(same);
    }
    if (!open.isEmpty()) {
      NoDifference hardest =
          Collections.max(open, Comparator.comparingInt(each -> each.more().orElse(0)));
      text += "; against " + count(open.size()) + ", " + hardest.words();
      text += open.size() > 1 ? " for all of them" : "";
    }
    return text;
  }

  private static String count(long others) {
    return others == 1 ? "one other" : others + " others";
  }

  private static String faster(List<Named> slower) {
    if (slower.size() > NAMED) {
      Named next = slower.getFirst();
      Named last = slower.getLast();
      return "%s faster than the next, %s, and %s faster than the last, %s"
          .formatted(next.factor(), next.configuration(), last.factor(), last.configuration());
    }
    List<String> parts = new ArrayList<>();
    slower.forEach(own -> parts.add(own.factor() + " faster than " + own.configuration()));
    String last = parts.removeLast();
    return parts.isEmpty() ? last : String.join(", ", parts) + " and " + last;
  }
}
