package io.kvstadium.server.command.sortedsets;

/**
 * A cell of the earth, which is divided into 2^step columns and as many rows. Its number
 * interleaves the bits of both, as in Redis, so that neighbours have similar numbers.
 */
public record GeoCell(long column, long row, int step) {
  static final double LONGITUDE = 180;

  /** The poles are left out. */
  static final double LATITUDE = 85.05112878;

  /** The step of the cells that scores stand for. */
  static final int FINEST = 26;

  private static final long ROWS = 0x5555555555555555L;
  private static final long WORD = 0xffffffffL;
  private static final int DECODED = 10;
  private static final String DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";

  /** The cell of a place. */
  static GeoCell of(double longitude, double latitude, int step) {
    return of(longitude, latitude, step, LATITUDE);
  }

  private static GeoCell of(double longitude, double latitude, int step, double highest) {
    double column = (longitude + LONGITUDE) / (2 * LONGITUDE);
    double row = (latitude + highest) / (2 * highest);
    return new GeoCell((long) (column * (1L << step)), (long) (row * (1L << step)), step);
  }

  /** The cell that a member's score stands for. */
  static GeoCell of(double score) {
    long bits = score < 0x1p63 ? (long) score : 0; // scores of no place, as in Redis
    return new GeoCell(Long.compress(bits, ~ROWS), Long.compress(bits, ROWS), FINEST);
  }

  /** The least score within. */
  double first() {
    return bits(0);
  }

  /** The first score after it. */
  double end() {
    return bits(1);
  }

  private long bits(int more) {
    long bits = Long.expand(row, ROWS) | Long.expand(column, ~ROWS);
    return (bits + more) << (2 * (FINEST - step));
  }

  /** The cell this many columns east and rows north; after the last comes the first. */
  GeoCell beside(int columns, int rows) {
    long mask = (1L << step) - 1;
    return new GeoCell(
        columns == 0 ? column : (column + columns) & mask,
        rows == 0 ? row : (row + rows) & mask,
        step);
  }

  double west() {
    return edge(column, LONGITUDE);
  }

  double east() {
    return edge((column + 1) & WORD, LONGITUDE);
  }

  double south() {
    return edge(row, LATITUDE);
  }

  double north() {
    return edge((row + 1) & WORD, LATITUDE);
  }

  private double edge(long number, double max) {
    return -max + number * 1.0 / (1L << step) * (2 * max);
  }

  double longitude() {
    return Math.clamp((west() + east()) / 2, -LONGITUDE, LONGITUDE);
  }

  double latitude() {
    return Math.clamp((south() + north()) / 2, -LATITUDE, LATITUDE);
  }

  /** Its standard geohash, of 11 characters; the last is always 0. */
  String name() {
    long bits = of(longitude(), latitude(), FINEST, 90).bits(0);
    StringBuilder name = new StringBuilder();
    for (int i = 1; i <= DECODED; i++) {
      name.append(DIGITS.charAt((int) (bits >> (2 * FINEST - 5 * i)) & 31));
    }
    return name.append('0').toString();
  }
}
