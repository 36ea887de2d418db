package io.kvstadium.bench.report;

import java.util.List;
import java.util.Map;

/** Figures for values of a sweep at which nothing ran. */
final class Projections {
  private Projections() {}

  /**
   * The figures of one configuration in one phase, at the values that the sweep wants projected.
   *
   * @param boards of the points that ran
   */
  @SuppressWarnings("unused")
  static List<SweepSummary.Figure> of(
      String configuration, String phase, Map<Section, Board> boards) {
    return List.of();
  }
}
