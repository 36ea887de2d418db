package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Family;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.Units;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Comparable configurations, the fastest first. */
public interface Ranking {
  /** A configuration's place. */
  interface Place {
    String configuration();

    /** How many times slower than the first it is, 1 or more. */
    double factor();

    /** The verdict on it against the first; {@code null} for the first itself. */
    @Nullable Verdict verdict();

    /** Its speed over the trials. */
    Estimate rate();

    /** The figure that has this speed. */
    FigureEstimate figure();

    /** Its figure as people read it, or an empty text. */
    String text();

    /** {@code ×3.2}, {@code ~×3.2} if that is not decided yet, or {@code =×1.0} if it is equal. */
    default String times() {
      String sign =
          switch (verdict()) {
            case Verdict.Undecided _ -> "~";
            case Verdict.Equal _ -> "=";
            case null, default -> "";
          };
      return sign + Units.times(factor());
    }
  }

  /** The phase that is compared. */
  String phase();

  /** By rising factor. */
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

  /** Whether it is not decided yet between the first and another one. */
  default boolean open() {
    return standings().stream().anyMatch(own -> own.verdict() instanceof Verdict.Undecided);
  }

  /** The verdict's words, or what the first one is called. */
  default String words(Place own) {
    return own.verdict() != null
        ? own.verdict().words()
        : standings().size() == 1 ? "alone" : decided() ? "fastest" : "highest";
  }

  /**
   * The fastest of at least one: that of the highest mean which no other one beats in the rounds
   * that both have.
   *
   * @param means speeds by name
   */
  static String first(Map<String, Double> means, Family family) {
    List<String> order =
        means.entrySet().stream()
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    return order.stream()
        .filter(own -> order.stream().noneMatch(other -> family.verdict(own, other).slowness() > 1))
        .findFirst()
        .orElse(order.getFirst());
  }

  /**
   * How many times slower one is than the first: as the verdict has it, or, where that is not
   * known, by the means.
   */
  static double factor(@Nullable Verdict verdict, double mean, double first) {
    double slowness = verdict == null ? Double.NaN : verdict.slowness();
    return Math.max(1, Double.isNaN(slowness) ? first / mean : slowness);
  }
}
