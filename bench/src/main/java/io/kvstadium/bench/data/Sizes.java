package io.kvstadium.bench.data;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/** Turns 64 random bits into a size that follows a law, in a few nanoseconds. */
final class Sizes {
  private static final int QUANTILE_BITS = 12;

  /** Cells between quantiles of the normal law, inside which sizes are interpolated. */
  private static final int QUANTILES = 1 << QUANTILE_BITS;

  private final int min;
  private final int span;
  private final double @Nullable [] quantiles;

  Sizes(SizeLaw law) {
    switch (law) {
      case SizeLaw.Fixed fixed -> {
        min = fixed.bytes();
        span = 1;
        quantiles = null;
      }
      case SizeLaw.Uniform uniform -> {
        min = uniform.min();
        span = uniform.max() - uniform.min() + 1;
        quantiles = null;
      }
      case SizeLaw.Normal normal -> {
        min = 0;
        span = 1;
        quantiles = quantiles(normal);
      }
    }
  }

  /**
   * @param id random bits that are used elsewhere too, so they are mixed once more where they
   *     matter
   */
  int pick(long id) {
    if (span == 1 && quantiles == null) {
      return min;
    }
    long random = Mixing.mix(id + 1);
    if (quantiles != null) {
      int k = (int) (random >>> (Long.SIZE - QUANTILE_BITS));
      double between = (random << QUANTILE_BITS >>> 11) * 0x1p-53;
      double size = quantiles[k] + between * (quantiles[k + 1] - quantiles[k]);
      return (int) Math.max(0, Math.round(size));
    }
    return min + (int) Mixing.reduce(random, span);
  }

  private static double[] quantiles(SizeLaw.Normal law) {
    NormalDistribution normal = NormalDistribution.of(law.mean(), law.sd());
    double[] result = new double[QUANTILES + 1];
    for (int k = 1; k < QUANTILES; k++) {
      result[k] = normal.inverseCumulativeProbability((double) k / QUANTILES);
    }
    result[0] = law.mean() - 4 * law.sd();
    result[QUANTILES] = law.mean() + 4 * law.sd();
    return result;
  }
}
