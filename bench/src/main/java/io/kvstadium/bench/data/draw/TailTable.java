package io.kvstadium.bench.data.draw;

import java.util.function.DoubleUnaryOperator;

/**
 * A function of a uniform number in (0, 1], tabulated for speed: heavy-tailed distributions are
 * drawn by inversion, whose power function costs more than the rest of a draw.
 *
 * <p>The cells grow finer towards 0, where such functions are steep: each halving of the number has
 * as many cells as the one before. Inside a cell the function is taken as a straight line; for
 * {@code u^-k} that is off by a share of k (k + 1) / 8 / 128² at most, 1 in 10,000 at k = 3.
 */
final class TailTable {
  private static final int CELL_BITS = 7;
  private static final int CELLS = 1 << CELL_BITS;

  /** Nothing is distinguished below 2^-40: a trial has fewer draws. */
  private static final int HALVINGS = 40;

  private final double[] ends = new double[HALVINGS * CELLS + 1];

  /**
   * @param function of a number above 0 and at most 1; monotone, and the same on every machine
   */
  TailTable(DoubleUnaryOperator function) {
    for (int halving = 0; halving < HALVINGS; halving++) {
      double from = StrictMath.scalb(1.0, -halving - 1);
      for (int cell = 0; cell < CELLS; cell++) {
        ends[row(halving) + cell] = function.applyAsDouble(from + from * cell / CELLS);
      }
    }
    ends[HALVINGS * CELLS] = function.applyAsDouble(1);
  }

  /** Returns the function at the fraction that 64 uniform random bits represent. */
  double at(long random) {
    int halving = Math.min(Long.numberOfLeadingZeros(random), HALVINGS - 1);
    int cell = (int) (random << (halving + 1) >>> (Long.SIZE - CELL_BITS));
    double between = (random << (halving + 1 + CELL_BITS) >>> 11) * 0x1p-53;
    int k = row(halving) + cell;
    return ends[k] + between * (ends[k + 1] - ends[k]);
  }

  private static int row(int halving) {
    return (HALVINGS - 1 - halving) * CELLS;
  }
}
