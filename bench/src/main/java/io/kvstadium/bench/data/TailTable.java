package io.kvstadium.bench.data;

import java.util.function.DoubleUnaryOperator;

/**
 * A function of a uniform number in (0, 1], tabulated for speed: laws with a heavy tail are drawn
 * by inversion, and the power in that costs more than all the rest of a draw.
 *
 * <p>The cells grow finer towards 0, where such functions are steep: each halving of the number has
 * as many cells as the one before. Inside a cell the function is taken as a straight line; for
 * {@code u^-k} that is off by a share of k (k + 1) / 8 / 128² at most, 1 in 10,000 at k = 3.
 */
final class TailTable {
  private static final int CELL_BITS = 7;
  private static final int CELLS = 1 << CELL_BITS;

  /** Below 2^-40 nothing is told apart: more draws than a trial has. */
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

  /** The function at the number that 64 uniform random bits are, as a fraction. */
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
