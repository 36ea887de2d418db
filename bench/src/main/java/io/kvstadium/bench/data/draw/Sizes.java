package io.kvstadium.bench.data.draw;

import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/** Turns 64 random bits into a size from a distribution, in a few nanoseconds. */
public final class Sizes {
  /** For the simple distributions: {@code span} sizes from here on, equally often. */
  private final int min;

  private final int span;

  /** For Pareto: maps random bits to a size. */
  private final @Nullable LongToIntFunction drawn;

  public Sizes(SizeDistribution law) {
    this.min =
        switch (law) {
          case SizeDistribution.Fixed fixed -> fixed.bytes();
          case SizeDistribution.Uniform uniform -> uniform.min();
          case SizeDistribution.Pareto _ -> 0;
        };
    this.span =
        law instanceof SizeDistribution.Uniform uniform ? uniform.max() - uniform.min() + 1 : 1;
    this.drawn =
        switch (law) {
          case SizeDistribution.Fixed _, SizeDistribution.Uniform _ -> null;
          case SizeDistribution.Pareto pareto ->
              pareto(new TailTable(pareto::exceededWith), pareto.max());
        };
  }

  /**
   * A pure function of its argument.
   *
   * @param id random bits that are used elsewhere too, so they are mixed once more where they
   *     matter
   */
  public int pick(long id) {
    LongToIntFunction law = drawn;
    if (law != null) {
      return law.applyAsInt(Mixing.mix(id + 1));
    }
    return span == 1 ? min : min + (int) Mixing.reduce(Mixing.mix(id + 1), span);
  }

  private static LongToIntFunction pareto(TailTable sizes, int max) {
    return random -> (int) Math.min(max, Math.round(sizes.at(random)));
  }
}
