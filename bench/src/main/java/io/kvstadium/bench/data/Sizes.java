package io.kvstadium.bench.data;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/** Turns 64 random bits into a size that follows a law, in a few nanoseconds. */
final class Sizes {
  /** Quantiles of the normal law; their tails end at 4.0 standard deviations. */
  private static final int QUANTILES = 1 << 14;

  private final int min;
  private final int span;
  private final int @Nullable [] quantiles;

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

  int pick(long random) {
    if (quantiles != null) {
      return quantiles[(int) (random >>> (Long.SIZE - 14))];
    }
    return span == 1 ? min : min + (int) Mixing.reduce(random, span);
  }

  private static int[] quantiles(SizeLaw.Normal law) {
    NormalDistribution normal = NormalDistribution.of(law.mean(), law.sd());
    int[] result = new int[QUANTILES];
    for (int k = 0; k < QUANTILES; k++) {
      double size = normal.inverseCumulativeProbability((k + 0.5) / QUANTILES);
      result[k] = (int) Math.max(0, Math.round(size));
    }
    return result;
  }
}
