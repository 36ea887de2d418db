package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comparable configurations, with the leader first. */
interface Ranking {
  /** A configuration's place in the ranking. */
  interface Place {
    String configuration();

    /** Its median as a fraction of the first's. */
    double relative();

    /** 1 or more: those that are not told apart share a rank. */
    int rank();

    /** The verdict on it against the first; {@code null} for the first itself. */
    @Nullable Verdict verdict();

    /** Its figure. */
    String text();

    /** Its figure for use in a sentence; empty if it would say nothing. */
    default String said() {
      return text();
    }

    /** The mark after its figure in every table. */
    default String mark() {
      return "";
    }

    /** The notes that a page shows below its figure. */
    List<String> notes(Ranking within);

    default List<Warning> warnings() {
      return List.of();
    }
  }

  /** The phase that is ranked. */
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

  /**
   * The sign next to the figure in a table without room for words: {@code *}, {@code =} or nothing.
   */
  default String sign(Place own) {
    return switch (own.verdict()) {
      case Verdict.Slower _, Verdict.Faster _ -> "";
      case null -> standings().size() < 2 ? "" : decided() ? "*" : "=";
      default -> "=";
    };
  }
}
