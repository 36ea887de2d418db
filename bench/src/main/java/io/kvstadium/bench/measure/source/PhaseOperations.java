package io.kvstadium.bench.measure.source;

import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.measure.Limit;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.function.LongUnaryOperator;

/** What each thread of a phase does: a lane. */
public final class PhaseOperations {
  private final PhaseRun phase;
  private final Population population;
  private final PhaseSpec spec;
  private final long phaseSeed;

  /**
   * @param spec that of the phase, or of its background load
   */
  public PhaseOperations(PhaseRun phase, PhaseSpec spec) {
    this.phase = phase;
    this.population = phase.population;
    this.spec = spec;
    this.phaseSeed = phase.seed(spec);
  }

  /** The operations of a lane, which adds keys with the given one. */
  public OperationSource source(int lane, Population.Adder adder) {
    return new OperationSource(
        mix(),
        indexes(lane, adder),
        adder,
        lengths(lane),
        new SplittableRandom(Seeds.derive(phaseSeed, "mix " + lane)));
  }

  Distribution.Lane place(int lane) {
    return new Distribution.Lane(lane, spec.threads());
  }

  private Map<Operation, Double> mix() {
    return spec.operation() == Operation.MIXED ? spec.shape().mix() : Map.of(spec.operation(), 1.0);
  }

  /** The limit of a lane: its share of the operations, and of the keys where each is used once. */
  public Limit limit(int lane) {
    long loaded = population.loaded();
    long asked =
        spec.operations() > 0
            ? spec.operations()
            : spec.seconds() > 0 ? Limit.NONE.operations() : loaded;
    Distribution.Lane place = place(lane);
    long operations = asked >= Limit.NONE.operations() ? asked : place.share(asked);
    if (spec.operation() == Operation.DELETE) {
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
        distribution.needsKeyOrder() ? phase.keyOrder() : LongUnaryOperator.identity();
    if (!spec.writes()) {
      Indexes places = distribution.over(loaded, phase.seed, phaseSeed, place(lane));
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
                phase.seed,
                draws,
                Distribution.Lane.ONLY)
            : distribution.over(own, phase.seed, draws, Distribution.Lane.ONLY);
    return () -> {
      long place = places.next();
      return place < own ? order.applyAsLong(place * threads + lane) : adder.at(place - own);
    };
  }

  private IntSupplier lengths(int lane) {
    return spec.shape().scanLength().counts(Seeds.derive(phaseSeed, "lengths"), place(lane));
  }
}
