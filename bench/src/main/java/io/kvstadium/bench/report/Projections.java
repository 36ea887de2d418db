package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Projection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Figures for values of a sweep at which nothing ran. */
final class Projections {
  private Projections() {}

  /**
   * The law that the time per operation of one configuration in one phase follows, or {@code null}
   * if nothing is to be projected, or there are too few points to do it from.
   *
   * @param points that ran
   */
  static @Nullable Projection law(
      String configuration, String phase, List<ExperimentReport> points) {
    List<double[]> figures = new ArrayList<>();
    for (ExperimentReport section : points) {
      double value = Sweep.value(section);
      for (ConfigurationResult each : section.experiment().configurations()) {
        if (each.name().equals(configuration) && value > 0) {
          Trials.of(each, phase).phases().stream()
              // at a fixed rate, the time per operation is the pacer's
              .filter(result -> result.pace() == null)
              .mapToDouble(PhaseResult::nanosPerOperation)
              .forEach(nanos -> figures.add(new double[] {value, nanos}));
        }
      }
    }
    double[] sizes = figures.stream().mapToDouble(figure -> figure[0]).toArray();
    return values(points).isEmpty() || !Projection.carried(sizes)
        ? null
        : Projection.of(sizes, figures.stream().mapToDouble(figure -> figure[1]).toArray());
  }

  /** The figures that the law gives for the values that the sweep wants projected. */
  static List<Sweep.Point> figures(Projection law, List<ExperimentReport> points, boolean time) {
    List<Sweep.Point> figures = new ArrayList<>();
    for (double value : values(points)) {
      Projection.Cost cost = law.at(value);
      Interval of = cost.interval();
      figures.add(
          time
              ? new Sweep.Point(value, cost.cost(), of, true, "", List.of())
              : new Sweep.Point(
                  value,
                  1e9 / cost.cost(),
                  new Interval(1e9 / of.high(), 1e9 / of.low()),
                  true,
                  "",
                  List.of()));
    }
    return figures;
  }

  private static Set<Double> values(List<ExperimentReport> points) {
    Set<Double> values = new TreeSet<>();
    for (ExperimentReport section : points) {
      SweepPoint point = section.experiment().point();
      if (point != null) {
        values.addAll(point.project());
      }
    }
    points.forEach(section -> values.remove(Sweep.value(section)));
    values.removeIf(value -> !(value > 0));
    return values;
  }
}
