package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.stats.Verdict.NoDifference;
import io.kvstadium.bench.stats.Verdict.Same;
import io.kvstadium.bench.stats.Verdict.Slower;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts a ranking into words that claim no more than its verdicts do. */
final class Sentence {
  /** More than so many slower ones are not all named; the table has them. */
  private static final int NAMED = 3;

  private Sentence() {}

  /** The sentence of one phase; each cell's verdict is against the first cell. */
  static String of(PhaseRanking ranking) {
    boolean plain = ranking.measure().equals("rate") || ranking.measure().equals("time");
    return (plain ? "" : "by " + ranking.measure() + ": ")
        + verdict(
            ranking.standings().stream()
                .map(cell -> new Named(cell.configuration(), ranking.figure(cell), cell.verdict()))
                .toList());
  }

  /**
   * The sentence over all phases, whose mean has no unit: the others' are fractions of the best.
   */
  static String of(List<OverallRanking.Rank> places) {
    if (places.size() < 2) {
      String who =
          places.isEmpty() ? "no configuration" : "only " + places.getFirst().configuration();
      return who + " has all of them.";
    }
    return verdict(
        places.stream()
            .map(place ->
                new Named(
                    place.configuration(),
                    place.verdict() == null ? "" : Units.percent(place.relative()) + " as fast",
                    place.verdict()))
            .toList());
  }

  /** A configuration in its place, with its figure, or an empty text if that says nothing. */
  private record Named(String configuration, String figure, @Nullable Verdict verdict) {
    String name() {
      return configuration + (figure.isEmpty() ? "" : " (" + figure + ")");
    }
  }

  private static String verdict(List<Named> ranks) {
    if (ranks.isEmpty()) {
      return "no configuration has a figure.";
    }
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
      return first.configuration()
          + " is fastest: "
          + (first.figure().isEmpty() ? "" : first.figure() + ", ")
          + faster(slower)
          + ".";
    }
    StringBuilder text = new StringBuilder("no single fastest. ").append(first.name());
    text.append(others.size() <= NAMED ? each(others) : together(others)).append('.');
    if (!slower.isEmpty()) {
      text.append(' ').append(first.configuration()).append(" is ").append(faster(slower));
      text.append('.');
    }
    return text.toString();
  }

  private static String each(List<Named> others) {
    List<String> parts = new ArrayList<>();
    for (Named rank : others) {
      parts.add(" against " + rank.name() + ": " + undecided(rank));
    }
    return String.join(";", parts);
  }

  /** For more than can be read one by one. */
  private static String together(List<Named> others) {
    List<NoDifference> open = new ArrayList<>();
    int same = 0;
    for (Named rank : others) {
      if (rank.verdict() instanceof NoDifference none) {
        open.add(none);
      } else if (rank.verdict() instanceof Same) {
        same++;
      }
    }
    StringBuilder text = new StringBuilder(" has the best median");
    if (same > 0) {
      text.append("; ").append(new Same().words()).append(" as ").append(count(same));
    }
    if (!open.isEmpty()) {
      NoDifference hardest =
          Collections.max(open, Comparator.comparingInt(each -> each.more().orElse(0)));
      text.append("; against ").append(count(open.size())).append(", ").append(hardest.words());
      text.append(open.size() > 1 ? " for all of them" : "");
    }
    return text.toString();
  }

  private static String count(int others) {
    return others == 1 ? "one other" : others + " others";
  }

  private static String undecided(Named rank) {
    Verdict verdict = rank.verdict();
    return switch (verdict) {
      case Same same -> same.words();
      case NoDifference none -> none.words();
      // the first has the highest median, so this needs medians and means that disagree
      case Verdict.Faster faster ->
          "the median is lower, yet trial by trial it is " + faster.words();
      case Slower slow -> slow.words();
      case null -> "not compared";
    };
  }

  private static String faster(List<Named> slower) {
    if (slower.size() <= NAMED) {
      List<String> parts = new ArrayList<>();
      for (Named rank : slower) {
        parts.add(factor(rank) + " faster than " + rank.configuration());
      }
      return join(parts);
    }
    Named next = slower.getFirst();
    Named last = slower.getLast();
    return factor(next)
        + " faster than the next, "
        + next.configuration()
        + ", and "
        + factor(last)
        + " faster than the last, "
        + last.configuration();
  }

  private static String factor(Named rank) {
    return rank.verdict() instanceof Slower slower ? slower.factor() : "";
  }

  private static String join(List<String> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    return String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + parts.getLast();
  }
}
