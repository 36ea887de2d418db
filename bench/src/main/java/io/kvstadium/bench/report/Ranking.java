package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comparable configurations, the one that leads first. */
interface Ranking {
  /** One of them. */
  interface Place {
    String configuration();

    /** Its median as a fraction of the first's. */
    double relative();

    /** 1 and more: those that are not told apart share one. */
    int rank();

    /** The verdict on it against the first; {@code null} for that itself. */
    @Nullable Verdict verdict();

    /** Its figure. */
    String text();

    /** Its figure as a sentence has it; empty if that says nothing. */
    default String said() {
      return text();
    }

    /** What stands behind its figure in every table. */
    default String mark() {
      return "";
    }

    /** What a page has below its figure. */
    List<String> notes(Ranking within);

    default List<Warning> warnings() {
      return List.of();
    }
  }

  /** What it is of. */
  String phase();

  List<? extends Place> standings();

  /** The place of a configuration, or {@code null} if it has none. */
  default @Nullable Place of(String configuration) {
    return standings().stream()
        .filter(each -> each.configuration().equals(configuration))
        .findFirst()
        .orElse(null);
  }

  /** Whether the first was shown to be faster than every other one. */
  default boolean decided() {
    return standings().size() > 1
        && standings().stream().skip(1).allMatch(own -> own.verdict() instanceof Verdict.Slower);
  }

  /** The verdict's words, or what the first one is called. */
  default String words(Place own) {
    return own.verdict() != null
        ? own.verdict().words()
        : standings().size() == 1 ? "alone" : decided() ? "fastest" : "leads";
  }

  /** What a table with no room for words has beside the figure: {@code *}, {@code =} or nothing. */
  default String sign(Place own) {
    return switch (own.verdict()) {
      case Verdict.Slower _, Verdict.Faster _ -> "";
      case null -> standings().size() < 2 ? "" : decided() ? "*" : "=";
      default -> "=";
    };
  }
}
