package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names configurations that are slower at writes and flushed the device about once per operation,
 * while the fastest did not. The counts are measured for the whole device.
 */
final class FlushNote {
  /** An operation that waits for the device does so about once. */
  private static final double EACH = 0.5;

  /** The fastest one's flushes are fewer by this factor. */
  private static final double FEWER = 0.1;

  /** If there are more, only this many are named. */
  private static final int NAMED = 3;

  private FlushNote() {}

  /**
   * A configuration that flushed about once per operation.
   *
   * @param phases where it did
   */
  private record Flushing(String name, List<String> phases, List<Double> each) {
    String text() {
      return name + " " + Units.ratio(Trials.median(each.stream().mapToDouble(own -> own)));
    }
  }

  /** The note on a group, or {@code null} if there is nothing to say. */
  static @Nullable String of(ComparisonGroup group) {
    Map<String, Flushing> flushing = new LinkedHashMap<>();
    double fastest = 0;
    double most = 0;
    for (PhaseRanking ranking : group.rankings()) {
      if (ranking.standings().isEmpty()) {
        continue;
      }
      double first = Costs.flushes(ranking.standings().getFirst().trials());
      for (Standing own : ranking.standings()) {
        double each = Costs.flushes(own.trials());
        if (Trials.workload(ranking.phase())
            && own.verdict() instanceof Verdict.Slower slower
            && each >= EACH
            && first <= FEWER * each) {
          Flushing found =
              flushing.computeIfAbsent(
                  own.configuration(),
                  name -> new Flushing(name, new ArrayList<>(), new ArrayList<>()));
          found.phases.add(ranking.phase());
          found.each.add(each);
          fastest = Math.max(fastest, first);
          most = Math.max(most, slower.ratio());
        }
      }
    }
    if (flushing.isEmpty()) {
      return null;
    }
    Map<List<String>, List<String>> names = new LinkedHashMap<>();
    flushing
        .values()
        .forEach(own -> names.computeIfAbsent(own.phases, _ -> new ArrayList<>()).add(own.text()));
    List<String> parts = new ArrayList<>();
    names.forEach((phases, who) -> {
      int more = who.size() - NAMED;
      parts.add(
          String.join(", ", who.subList(0, Math.min(NAMED, who.size())))
              + (more > 0 ? " and " + more + " more" : "")
              + " at "
              + String.join(", ", phases));
    });
    return "Flushes of the disk per operation: %s; the fastest there %s. That is most of why %s up to %s slower."
        .formatted(
            String.join("; ", parts),
            fastest < 0.01 ? "hardly any" : "at most " + Units.ratio(fastest),
            flushing.size() == 1 ? "it is" : "they are",
            Units.times(most));
  }
}
