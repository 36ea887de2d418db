package io.kvstadium.bench.data.draw;

/** Turns 64 random bits into a size from a distribution. */
public final class Sizes {
  private final SizeDistribution law;

  public Sizes(SizeDistribution law) {
    this.law = law;
  }

  /**
   * A pure function of its argument.
   *
   * @param id random bits that are used elsewhere too, so they are mixed once more
   */
  public int pick(long id) {
    return switch (law) {
      case SizeDistribution.Fixed fixed -> fixed.bytes();
      case SizeDistribution.Uniform(int min, int max) ->
          min + (int) Mixing.reduce(Mixing.mix(id + 1), max - min + 1L);
      case SizeDistribution.Pareto pareto -> {
        // above 0 and at most 1
        double probability = ((Mixing.mix(id + 1) >>> 11) + 1) * 0x1p-53;
        yield (int) Math.min(pareto.max(), Math.round(pareto.exceededWith(probability)));
      }
    };
  }
}
