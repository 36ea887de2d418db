package io.kvstadium.bench.stats;

import io.kvstadium.bench.stats.Moderation.Variance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What got faster or slower from one run to another. Phases are judged together and so are totals,
 * each at half the level, so that no more than one in twenty comparisons of two equal runs names
 * any change beyond what the machine itself may have changed.
 */
public final class Changes {
  private Changes() {}

  /**
   * A part of a run that is compared.
   *
   * @param total whether it is over several phases
   */
  public record Part(String configuration, String phase, boolean total) {}

  /**
   * Judges the parts that both runs have.
   *
   * @param before part → trial number → speed (higher is faster)
   * @param apart phases whose variances are of another kind, such as {@code open}
   * @param margin the factor by which the machine may have changed between the runs, 1 or more:
   *     only what is beyond it is a change, and what is shown to be within it is the same
   * @param questions of how many families this is one, which together are to be no oftener wrong
   * @return the verdicts on the later run
   */
  public static Map<Part, Verdict> of(
      Map<Part, Map<Integer, Double>> before,
      Map<Part, Map<Integer, Double>> after,
      Set<String> apart,
      double margin,
      int questions) {
    List<Part> parts = before.keySet().stream().filter(after::containsKey).toList();
    List<Cell> cells = new ArrayList<>();
    for (Part part : parts) {
      cells.add(Cell.of(part.phase, part.configuration, before.getOrDefault(part, Map.of())));
      cells.add(Cell.of(part.phase, part.configuration, after.getOrDefault(part, Map.of())));
    }
    Map<Cell, Variance> variances = Cell.variances(cells, apart);
    Map<Part, Contrast> phases = new LinkedHashMap<>();
    Map<Part, Contrast> totals = new LinkedHashMap<>();
    Map<Part, Verdict> verdicts = new LinkedHashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      Contrast contrast = cells.get(2 * i + 1).against(cells.get(2 * i), variances);
      verdicts.put(part, Verdict.Undecided.UNKNOWN);
      if (contrast != null) {
        (part.total ? totals : phases).put(part, contrast);
      }
    }
    double level = Families.LEVEL / questions;
    verdicts.putAll(Holm.verdicts(phases, level / 2, margin, margin));
    verdicts.putAll(Holm.verdicts(totals, level / 2, margin, margin));
    return verdicts;
  }
}
