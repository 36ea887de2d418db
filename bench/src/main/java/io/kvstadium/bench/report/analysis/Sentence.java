package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.report.analysis.Ranking.Place;
import io.kvstadium.bench.stats.Verdict.Equal;
import io.kvstadium.bench.stats.Verdict.Slower;
import io.kvstadium.bench.stats.Verdict.Undecided;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Says who is fastest, in words that claim no more than the verdicts do. */
public final class Sentence {
  /** Of longer lists, only this many are named; the table has all. */
  private static final int NAMED = 3;

  private Sentence() {}

  /** The sentence for places of which the first is the fastest. */
  public static String of(List<? extends Place> places) {
    if (places.isEmpty()) {
      return "nothing can be compared.";
    }
    Place first = places.getFirst();
    if (places.size() == 1) {
      return "only " + name(first) + " has a figure, so nothing can be compared.";
    }
    List<Place> slower = new ArrayList<>();
    List<Place> equal = new ArrayList<>();
    List<Place> open = new ArrayList<>();
    for (Place each : places.subList(1, places.size())) {
      (each.verdict() instanceof Slower ? slower : each.verdict() instanceof Equal ? equal : open)
          .add(each);
    }
    if (equal.isEmpty() && open.isEmpty()) {
      return name(first) + " is fastest: " + faster(slower) + ".";
    }
    return (open.isEmpty() ? "" : "not decided yet: ")
        + name(first)
        + (open.isEmpty()
            ? " is equal within 10 % to " + names(equal)
            : " is ahead of " + names(open))
        + (open.isEmpty() ? "" : undecided(open))
        + (open.isEmpty() || equal.isEmpty() ? "" : "; equal to it within 10 %: " + names(equal))
        + (slower.isEmpty() ? "." : "; " + first.configuration() + " is " + faster(slower) + ".");
  }

  private static String undecided(List<Place> open) {
    if (open.stream().map(Place::verdict).allMatch(Undecided.UNKNOWN::equals)) {
      return " in one trial each, which decides nothing";
    }
    return open.size() == 1 ? ", too close to call" : ", all too close to call";
  }

  private static String name(Place own) {
    return own.configuration() + (own.text().isEmpty() ? "" : " (" + own.text() + ")");
  }

  private static String names(List<Place> places) {
    String some =
        places.stream()
            .limit(NAMED)
            .map(own -> own.configuration() + " " + Units.times(own.factor()))
            .collect(Collectors.joining(", "));
    return places.size() > NAMED ? some + " and " + (places.size() - NAMED) + " more" : some;
  }

  private static String factor(Place own) {
    return own.verdict() instanceof Slower slower ? slower.factor() : "";
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
