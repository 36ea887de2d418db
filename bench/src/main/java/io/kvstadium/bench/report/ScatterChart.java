package io.kvstadium.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Configurations by two figures, both of which are better if lower; a line joins those that no
 * other beats in both.
 *
 * @param spots by rising x
 */
record ScatterChart(String title, String label, Axis x, Axis y, List<Spot> spots) implements Chart {
  private static final double WIDTH = 640;
  private static final double HEIGHT = 330;
  private static final double CHARACTER = 6.6;

  /**
   * One configuration.
   *
   * @param best whether no other one is lower in both
   */
  record Spot(Key key, String name, double x, double y, boolean best) {}

  /** Sorts spots by rising x, and marks those that no other one beats in both figures. */
  static List<Spot> ranked(List<Spot> spots) {
    List<Spot> rising = new ArrayList<>(spots);
    rising.sort(Comparator.comparingDouble(Spot::x).thenComparingDouble(Spot::y));
    List<Spot> ranked = new ArrayList<>();
    double least = Double.POSITIVE_INFINITY;
    for (Spot spot : rising) {
      ranked.add(new Spot(spot.key(), spot.name(), spot.x(), spot.y(), spot.y() < least));
      least = Math.min(least, spot.y());
    }
    return ranked;
  }

  @Override
  public String svg() {
    Plot plot = new Plot(this, x, y, WIDTH, HEIGHT, 0);
    plot.out.open("g.front");
    plot.line(spots.stream().filter(Spot::best).map(s -> new double[] {s.x(), s.y()}).toList());
    plot.out.close();
    List<double[]> taken = new ArrayList<>();
    for (Spot spot : spots) {
      double left = plot.x(spot.x());
      double top = plot.y(spot.y());
      plot.out.open("g.spot." + spot.key().style());
      String figures = x.unit().text(spot.x()) + ", " + y.unit().text(spot.y());
      plot.out.element("title", spot.name() + ": " + figures);
      plot.marker(spot.key(), left, top);
      double half = spot.name().length() * CHARACTER / 2;
      double middle =
          Math.clamp(left, Plot.LEFT + half, Math.max(Plot.LEFT + half, plot.right - half));
      double[] box = {middle - half, top - 20, middle + half, top - 7};
      if (taken.stream().noneMatch(other -> overlap(box, other))) {
        taken.add(box);
        plot.label(spot.name(), middle, top - 8, "middle");
      }
      plot.out.close();
    }
    return plot.done();
  }

  private static boolean overlap(double[] a, double[] b) {
    return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  }
}
