package io.kvstadium.bench.trial.phase;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Arrivals;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Threads of a phase that do the same: its own, or those of its background load. */
public final class WorkerGroup {
  private final PhaseRun phase;
  private final Workset workset;
  private final Population population;
  private final PhaseSpec spec;
  private final long phaseSeed;
  private final List<Worker> workers = new ArrayList<>();
  private final List<Population.Adder> adders = new ArrayList<>();
  private final Worker.AtRate[] atRate;
  private final boolean follows;
  private final BooleanSupplier ended;
  private final int perClock;
  private final double perSecond;
  private final long begin = System.nanoTime() + 1_000_000;

  /**
   * @param spec that of the phase, or of its background load
   * @param shared whether another group writes to the keys that this one reads
   * @param follows whether it only runs for as long as another group does
   * @param ended whether that one has ended
   */
  WorkerGroup(
      PhaseRun phase,
      PhaseSpec spec,
      Target target,
      boolean shared,
      Observer observer,
      boolean follows,
      BooleanSupplier ended) {
    this.phase = phase;
    this.workset = phase.workset;
    this.population = phase.population;
    this.spec = spec;
    this.phaseSeed = phase.seed(spec);
    this.follows = follows;
    this.ended = ended;
    this.atRate = new Worker.AtRate[spec.threads()];
    this.perSecond = ratePerSecond();
    this.perClock = perSecond > 0 || follows ? 1 : phase.chunk;
    for (int lane = 0; lane < spec.threads(); lane++) {
      Population.Adder adder = population.adder(lane, spec.threads());
      adders.add(adder);
      workers.add(
          new Worker(
              target,
              new Block(workset, spec.shape(), shared, capacity()),
              new OperationSource(
                  mix(),
                  indexes(lane, adder),
                  adder,
                  lengths(lane),
                  new SplittableRandom(Seeds.derive(phaseSeed, "mix " + lane))),
              population.generations(),
              new ThroughputRecorder(observer.origin())));
    }
  }

  /** Operations of a block: a batch is never divided. */
  private int capacity() {
    int batch = spec.shape().batch();
    if (batch > 1) {
      return (int) Math.min(batch, Math.max(1, workset.count()));
    }
    return perSecond > 0 ? 1 : Math.max(1, Block.CAPACITY / spec.shape().keys());
  }

  private Distribution.Lane place(int lane) {
    return new Distribution.Lane(lane, spec.threads());
  }

  int threads() {
    return spec.threads();
  }

  void lane(int lane) {
    Worker worker = workers.get(lane);
    Limit limit = follows ? Limit.NONE : limit(lane);
    if (perSecond > 0) {
      long nanos = rateNanos();
      atRate[lane] =
          worker.run(
              moments(lane),
              new RateLimiter(spec.threads()),
              begin,
              nanos,
              limit.operations(),
              ended,
              () -> report(limit, worker.counters(), lane, System.nanoTime() - begin, nanos));
    } else {
      worker.run(
          limit,
          spec.shape().batch(),
          perClock,
          ended,
          (block, _) -> {
            if (spec.operation() == Operation.SCAN && population.added() == 0 && !spec.writes()) {
              checkEnds(block, worker.counters());
            }
            report(limit, worker.counters(), lane, worker.counters().nanos, limit.nanos());
          });
    }
  }

  /** How long operations are started. */
  private long rateNanos() {
    if (follows) {
      return Limit.NONE.nanos() / 4;
    }
    long operations = spec.operations() > 0 ? spec.operations() : population.loaded();
    return (long) (1e9 * (spec.seconds() > 0 ? spec.seconds() : operations / perSecond));
  }

  private Indexes moments(int lane) {
    Rate rate = spec.rate();
    Arrivals.Law law = rate == null ? Arrivals.Law.CONSTANT : rate.arrivals();
    long draws = Seeds.derive(phaseSeed, "arrivals");
    return new Arrivals(law, perSecond, draws, place(lane))::next;
  }

  PhaseResult result(long outside, Usage used, Observer observer) {
    List<Counters> all = workers.stream().map(Worker::counters).toList();
    adders.forEach(population::add);
    Histogram latencies = new Histogram(Counters.SIGNIFICANT_DIGITS);
    Counters sum = new Counters();
    double rate = 0; // sum over threads: each was busy for its own time
    for (Counters counters : all) {
      latencies.add(counters.latencies);
      sum.add(counters);
      rate += counters.operations / (double) Math.max(1, counters.nanos);
    }
    PhaseRun.check(spec.name(), sum);
    phase.totals.wrote(sum.writtenBytes);
    long nanos =
        perSecond > 0 ? rateElapsed() : Math.max(1, Math.round(sum.operations / rate)) + outside;
    boolean alone = spec.background() == null && !follows;
    Cost cost =
        new Cost(
                // a rate limiter spins: the process's time then says nothing about the store
                alone && perSecond == 0 ? used.cpuNanos() : -1,
                used.gcNanos(),
                perSecond > 0 ? -1 : sum.allocatedBytes,
                alone ? used.readBytes() : -1)
            .withCompilation(used.compileNanos());
    return new PhaseResult(
        spec.name(),
        spec.operation().word(),
        sum.operations,
        nanos,
        spec.threads(),
        sum.entries,
        sum.bytes,
        spec.shape().batch() > 1 ? spec.shape().batch() : perClock,
        cost,
        EncodedHistogram.of(latencies),
        perSecond > 0 ? openLoop() : null,
        ThroughputRecorder.merge(workers.stream().map(Worker::throughput).toList(), observer),
        null);
  }

  private long rateElapsed() {
    long end = workers.stream().mapToLong(Worker::ended).max().orElse(begin) - begin;
    return Math.max(1, follows ? end : Math.max(end, rateNanos()));
  }

  /** Returns how many operations should have started by the time at which the last one ended. */
  private long due() {
    return Math.round(rateElapsed() / 1e9 * perSecond);
  }

  private OpenLoop openLoop() {
    Histogram response = new Histogram(Counters.SIGNIFICANT_DIGITS);
    Histogram lateness = new Histogram(Counters.SIGNIFICANT_DIGITS);
    long unstarted = 0;
    for (Worker.AtRate each : atRate) {
      response.add(each.response);
      lateness.add(each.lateness);
      unstarted += each.unstarted;
    }
    Rate rate = spec.rate();
    Rate.Limit limit = rate == null ? null : rate.limit();
    if (follows) { // it was ended when others were done: what should have started by then?
      unstarted = Math.max(0, due() - response.getTotalCount());
    }
    return new OpenLoop(
        perSecond,
        rate == null ? Arrivals.Law.CONSTANT : rate.arrivals(),
        held(unstarted, response, limit),
        EncodedHistogram.of(response),
        EncodedHistogram.of(lateness),
        limit,
        List.of());
  }

  /** Whether all but one in a hundred operations started in time, and the limit is kept. */
  public static boolean held(long unstarted, Histogram response, Rate.@Nullable Limit limit) {
    return unstarted * 100 <= Math.max(1, response.getTotalCount())
        && (limit == null || response.getValueAtPercentile(limit.level() * 100) <= limit.nanos());
  }

  private Map<Operation, Double> mix() {
    return spec.operation() == Operation.MIXED ? spec.shape().mix() : Map.of(spec.operation(), 1.0);
  }

  /** Returns operations per second, or 0 for as many as possible. */
  private double ratePerSecond() {
    Rate rate = spec.rate();
    if (rate == null) {
      return 0;
    }
    if (rate.searches()) {
      throw new IllegalStateException("the rate of phase " + spec.name() + " is not known yet");
    }
    return rate.perSecond();
  }

  /** The limit of a lane: its share of the operations, and of the keys where each is used once. */
  private Limit limit(int lane) {
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
      Indexes places =
          distribution.over(loaded, phase.seed, phaseSeed, new Distribution.Lane(lane, threads));
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

  private void checkEnds(Block block, Counters counters) {
    if (population.loaded() == workset.count()) {
      block.checkEnds(counters, phase::greatestKey);
    }
  }

  private void report(Limit limit, Counters counters, int lane, long nanos, long maxNanos) {
    if (lane == 0) {
      double byOperations =
          (double) counters.operations
              / Math.min(limit.operations(), Math.max(1, workset.count()) * 1_000_000L);
      double byTime = (double) nanos / maxNanos;
      phase.progress.accept(Math.min(1, Math.max(byOperations, byTime)));
    }
  }
}
