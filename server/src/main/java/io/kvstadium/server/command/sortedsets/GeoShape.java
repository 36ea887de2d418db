package io.kvstadium.server.command.sortedsets;

import java.util.ArrayList;
import java.util.List;

/**
 * The searched area: a circle or a box around a place.
 *
 * @param radius of a circle, negative for a box
 * @param width of a box
 * @param height of a box
 * @param unit of these, in metres
 */
public record GeoShape(
    double longitude, double latitude, double radius, double width, double height, double unit) {
  private static final double EARTH = 6372797.560856;
  private static final double HALF_THE_WORLD = 20037726.37;
  private static final double DEGREE = Math.PI / 180;

  /** The distance between two places in metres. */
  static double distance(double east1, double north1, double east2, double north2) {
    double v = Math.sin((east2 * DEGREE - east1 * DEGREE) / 2);
    if (v == 0) {
      return alongMeridian(north1, north2);
    }
    double u = Math.sin((north2 * DEGREE - north1 * DEGREE) / 2);
    double a = u * u + Math.cos(north1 * DEGREE) * Math.cos(north2 * DEGREE) * v * v;
    return 2 * EARTH * Math.asin(Math.sqrt(a));
  }

  private static double alongMeridian(double north1, double north2) {
    return EARTH * Math.abs(north2 * DEGREE - north1 * DEGREE);
  }

  /** The distance of a place from the middle, in metres; NaN if it is outside. */
  double distance(double east, double north) {
    double distance = distance(longitude, latitude, east, north);
    boolean inside =
        radius >= 0
            ? distance <= radius * unit
            : alongMeridian(north, latitude) <= height * unit / 2
                && distance(east, north, longitude, north) <= width * unit / 2;
    return inside ? distance : Double.NaN;
  }

  /** The cells that cover the area, in the order in which they are searched. */
  List<GeoCell> cells() {
    double up = unit * (radius >= 0 ? radius : height / 2);
    double aside = unit * (radius >= 0 ? radius : width / 2);
    double rows = up / EARTH / DEGREE;
    double widest = latitude + (latitude < 0 ? -rows : rows);
    double columns = aside / EARTH / Math.cos(widest * DEGREE) / DEGREE;
    int step =
        step(
            radius >= 0
                ? up
                : Math.sqrt(width / 2 * (width / 2) + height / 2 * (height / 2)) * unit);
    GeoCell middle = GeoCell.of(longitude, latitude, step);
    boolean tooSmall =
        middle.beside(0, 1).north() < latitude + rows
            || middle.beside(0, -1).south() > latitude - rows
            || middle.beside(1, 0).east() < longitude + columns
            || middle.beside(-1, 0).west() > longitude - columns;
    if (step > 1 && tooSmall) {
      step--;
      middle = GeoCell.of(longitude, latitude, step);
    }
    boolean all = step < 2;
    boolean south = all || middle.south() >= latitude - rows;
    boolean north = all || middle.north() <= latitude + rows;
    boolean west = all || middle.west() >= longitude - columns;
    boolean east = all || middle.east() <= longitude + columns;
    List<GeoCell> cells = new ArrayList<>();
    cells.add(middle);
    add(cells, north, middle.beside(0, 1));
    add(cells, south, middle.beside(0, -1));
    add(cells, east, middle.beside(1, 0));
    add(cells, west, middle.beside(-1, 0));
    add(cells, north && east, middle.beside(1, 1));
    add(cells, north && west, middle.beside(-1, 1));
    add(cells, south && east, middle.beside(1, -1));
    add(cells, south && west, middle.beside(-1, -1));
    return cells;
  }

  /** When cells span half the world, the neighbours on both sides are the same. */
  private static void add(List<GeoCell> cells, boolean wanted, GeoCell cell) {
    if (wanted && !cells.contains(cell)) {
      cells.add(cell);
    }
  }

  /** How fine the cells can be for nine of them to hold a circle. */
  private int step(double metres) {
    if (metres == 0) {
      return GeoCell.FINEST;
    }
    int step = -1;
    for (double reach = metres; reach < HALF_THE_WORLD; reach *= 2) {
      step++;
    }
    double pole = Math.abs(latitude);
    return Math.clamp(step - (pole > 66 ? 1 : 0) - (pole > 80 ? 1 : 0), 1, GeoCell.FINEST);
  }
}
