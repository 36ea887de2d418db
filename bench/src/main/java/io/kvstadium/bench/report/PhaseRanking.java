package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One phase's ranking within a group of comparable configurations.
 *
 * @param phase its name
 * @param measure by what they are compared: {@code rate}, {@code time}, or in words
 * @param single whether that is a time, as of a phase that is one operation, such as {@code open}
 * @param standings highest median rate first; those without figures are absent
 * @param sentence the verdict in a plain sentence
 */
public record PhaseRanking(
    String phase, String measure, boolean single, List<Standing> standings, String sentence) {
  public PhaseRanking {
    standings = List.copyOf(standings);
  }

  /** The standing of a configuration, or {@code null} if it has no figures here. */
  public @Nullable Standing of(String configuration) {
    for (Standing standing : standings) {
      if (standing.configuration().equals(configuration)) {
        return standing;
      }
    }
    return null;
  }

  /** Whether its operations started at a fixed rate. */
  public boolean paced() {
    return standings.stream().anyMatch(standing -> standing.pacing() != null);
  }

  /** Whether the first was shown to be faster than every other one. */
  public boolean decided() {
    return standings.size() > 1
        && standings.stream()
            .skip(1)
            .allMatch(standing -> standing.verdict() instanceof Verdict.Slower);
  }

  /** The median in the phase's unit: a time if it is a single operation, else a rate. */
  public String figure(Standing standing) {
    return single
        ? Units.time(1e9 / standing.rate().median())
        : Units.rate(standing.rate().median());
  }

  /** The interval in the phase's unit, or an empty text if there is none. */
  public String interval(Standing standing) {
    var interval = standing.rate().interval();
    if (interval == null) {
      return "";
    }
    return single
        ? Units.time(1e9 / interval.high()) + " to " + Units.time(1e9 / interval.low())
        : Units.rate(interval.low()) + " to " + Units.rate(interval.high());
  }

  /** The verdict's words, or what the first one is called. */
  public String words(Standing standing) {
    if (standing.verdict() != null) {
      return standing.verdict().words();
    }
    if (standings.size() == 1) {
      return "alone";
    }
    return decided() ? "fastest" : "best median";
  }

  /** What a table with no room for words has beside the figure: {@code *}, {@code =} or nothing. */
  String sign(Standing standing) {
    return standings.size() < 2 ? "" : sign(decided(), standing.verdict());
  }

  static String sign(boolean decided, @Nullable Verdict verdict) {
    return switch (verdict) {
      case null -> decided ? "*" : "=";
      case Verdict.Slower _, Verdict.Faster _ -> "";
      default -> "=";
    };
  }
}
