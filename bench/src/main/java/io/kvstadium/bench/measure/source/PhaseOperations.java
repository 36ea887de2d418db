package io.kvstadium.bench.measure.source;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/** What each thread of a phase does: a lane. */
public final class PhaseOperations {
  private final PhaseSpec spec;
  private final Workset workset;
  private final Population population;
  private final long seed;
  private final long phaseSeed;
  private final Supplier<LongUnaryOperator> keyOrder;

  /**
   * @param spec that of the phase, or of its background load
   * @param seed of the trial
   * @param phaseSeed of the draws
   * @param keyOrder from a place in the order of the keys to an index; asked only if needed
   */
  public PhaseOperations(
      PhaseSpec spec,
      Workset workset,
      Population population,
      long seed,
      long phaseSeed,
      Supplier<LongUnaryOperator> keyOrder) {
    this.spec = spec;
    this.workset = workset;
    this.population = population;
    this.seed = seed;
    this.phaseSeed = phaseSeed;
    this.keyOrder = keyOrder;
  }

  /** The operations of a lane, which adds keys with the given one. */
  public Generated source(int lane, Population.Adder adder) {
    return new Generated(
        mix(),
        indexes(lane, adder),
        adder,
        workset,
        population.generations(),
        lengths(lane),
        new SplittableRandom(Seeds.derive(phaseSeed, "mix " + lane)));
  }

  Distribution.Lane place(int lane) {
    return new Distribution.Lane(lane, spec.threads());
  }

  /** The share of each operation. */
  public Map<Operation, Double> mix() {
    return spec.operation() == Operation.MIXED ? spec.shape().mix() : Map.of(spec.operation(), 1.0);
  }

  /** The limit of a lane: its share of the operations, and of the keys where each is used once. */
  public Limit limit(int lane) {
    long loaded = spec.operation().loads() ? workset.count() : population.loaded();
    long asked =
        spec.operations() > 0
            ? spec.operations()
            : spec.seconds() > 0 ? Limit.NONE.operations() : loaded;
    Distribution.Lane place = place(lane);
    long operations = asked >= Limit.NONE.operations() ? asked : place.share(asked);
    if (spec.operation() == Operation.DELETE || spec.operation().loads()) {
      operations = Math.min(operations, place.share(loaded));
    }
    return new Limit(
        operations, spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE);
  }

  /**
   * The keys of a lane. Where a phase writes, lanes own disjoint keys (those whose index leaves the
   * lane's number as remainder, and those that they add), so that each knows which value a key has.
   */
  private Indexes indexes(int lane, Population.Adder adder) {
    Distribution distribution = spec.distribution();
    int threads = spec.threads();
    long loaded = population.loaded();
    if (spec.operation() == Operation.DELETE
        && !(distribution instanceof Distribution.Sequential)) {
      distribution = new Distribution.Shuffled(); // a key can be deleted only once
    }
    LongUnaryOperator order =
        distribution.needsKeyOrder() ? keyOrder.get() : LongUnaryOperator.identity();
    if (!spec.writes()) {
      Indexes places = distribution.over(loaded, seed, phaseSeed, place(lane));
      return () -> order.applyAsLong(places.next());
    }
    long own = (loaded - lane + threads - 1) / threads;
    long draws = threads == 1 ? phaseSeed : Seeds.derive(phaseSeed, lane);
    boolean grows = distribution.grows() && mix().containsKey(Operation.INSERT);
    Indexes places =
        grows
            ? distribution.over(
                () -> own + adder.count(),
                own + population.left() / threads,
                seed,
                draws,
                Distribution.Lane.ONLY)
            : distribution.over(own, seed, draws, Distribution.Lane.ONLY);
    return () -> {
      long place = places.next();
      return place < own ? order.applyAsLong(place * threads + lane) : adder.at(place - own);
    };
  }

  private IntSupplier lengths(int lane) {
    return spec.shape().scanLength().counts(Seeds.derive(phaseSeed, "lengths"), place(lane));
  }
}
