package io.kvstadium.bench.data.draw;

/**
 * Draws one of n classes by their weights in constant time, from a single 64-bit number: A. J.
 * Walker's alias method, with the table built after M. D. Vose, "A linear algorithm for generating
 * random numbers with a given distribution", IEEE TSE 17(9), 1991.
 *
 * <p>The interval is cut into n columns of equal width. Each holds a piece of the class of its
 * number and, above that, a piece of one other class.
 */
final class AliasTable {
  /** From this place on, a column belongs to its other class; unsigned. */
  private final long[] keep;

  private final int[] other;

  /**
   * @param weights 0 or more each, finite, at least one above 0
   */
  AliasTable(double[] weights) {
    int n = weights.length;
    keep = new long[n];
    other = new int[n];
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    double[] height = new double[n];
    // Columns that are too low are at the front, those that are too high at the back.
    int[] open = new int[n];
    int low = 0;
    int high = n;
    for (int k = 0; k < n; k++) {
      height[k] = weights[k] / sum * n;
      open[height[k] < 1 ? low++ : --high] = k;
    }
    while (low > 0 && high < n) {
      int small = open[--low];
      int large = open[high];
      keep[small] = (long) (height[small] * 0x1p63) << 1;
      other[small] = large;
      height[large] -= 1 - height[small];
      if (height[large] < 1) {
        high++;
        open[low++] = large;
      }
    }
    // The remaining columns are full except for rounding: both pieces are of their own class.
    while (low > 0) {
      int k = open[--low];
      other[k] = k;
    }
    for (; high < n; high++) {
      other[open[high]] = open[high];
    }
  }

  /** The class that 64 uniform random bits fall into. */
  int pick(long random) {
    int column = (int) Mixing.reduce(random, keep.length);
    long place = random * keep.length;
    return Long.compareUnsigned(place, keep[column]) < 0 ? column : other[column];
  }
}
