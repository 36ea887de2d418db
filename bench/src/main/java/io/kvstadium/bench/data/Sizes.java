package io.kvstadium.bench.data;

import java.util.function.LongToIntFunction;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/** Turns 64 random bits into a size from a distribution, in a few nanoseconds. */
final class Sizes {
  private static final int QUANTILE_BITS = 12;

  /** Cells between quantiles of the normal distribution, inside which sizes are interpolated. */
  private static final int QUANTILES = 1 << QUANTILE_BITS;

  /** For the simple distributions: {@code span} sizes from here on, equally often. */
  private final int min;

  private final int span;

  /** For the others: maps random bits to a size. */
  private final @Nullable LongToIntFunction drawn;

  Sizes(SizeDistribution law) {
    this.min =
        switch (law) {
          case SizeDistribution.Fixed fixed -> fixed.bytes();
          case SizeDistribution.Uniform uniform -> uniform.min();
          default -> 0;
        };
    this.span =
        law instanceof SizeDistribution.Uniform uniform ? uniform.max() - uniform.min() + 1 : 1;
    this.drawn =
        switch (law) {
          case SizeDistribution.Fixed _, SizeDistribution.Uniform _ -> null;
          case SizeDistribution.Normal normal -> normal(quantiles(normal));
          case SizeDistribution.Pareto pareto ->
              pareto(new TailTable(pareto::exceededWith), pareto.max());
          case SizeDistribution.Histogram histogram -> histogram(histogram);
          case SizeDistribution.Observed observed -> histogram(observed.lengths());
        };
  }

  /**
   * A pure function of its argument.
   *
   * @param id random bits that are used elsewhere too, so they are mixed once more where they
   *     matter
   */
  int pick(long id) {
    LongToIntFunction law = drawn;
    if (law != null) {
      return law.applyAsInt(Mixing.mix(id + 1));
    }
    return span == 1 ? min : min + (int) Mixing.reduce(Mixing.mix(id + 1), span);
  }

  private static LongToIntFunction normal(double[] quantiles) {
    return random -> {
      int k = (int) (random >>> (Long.SIZE - QUANTILE_BITS));
      double between = (random << QUANTILE_BITS >>> 11) * 0x1p-53;
      double size = quantiles[k] + between * (quantiles[k + 1] - quantiles[k]);
      return (int) Math.max(0, Math.round(size));
    };
  }

  private static LongToIntFunction pareto(TailTable sizes, int max) {
    return random -> (int) Math.min(max, Math.round(sizes.at(random)));
  }

  private static LongToIntFunction histogram(SizeDistribution.Histogram law) {
    int n = law.bins().size();
    int[] mins = new int[n];
    int[] spans = new int[n];
    double[] weights = new double[n];
    for (int k = 0; k < n; k++) {
      SizeDistribution.Histogram.Bin bin = law.bins().get(k);
      mins[k] = bin.min();
      spans[k] = bin.max() - bin.min() + 1;
      weights[k] = bin.weight();
    }
    AliasTable classes = new AliasTable(weights);
    return random -> {
      int k = classes.pick(random);
      return spans[k] == 1
          ? mins[k]
          : mins[k] + (int) Mixing.reduce(Mixing.mix(random + Mixing.GAMMA), spans[k]);
    };
  }

  private static double[] quantiles(SizeDistribution.Normal law) {
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
