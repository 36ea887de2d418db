package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.measure.source.PhaseOperations;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Threads of a phase that do the same: its own, or those of its background load. */
public final class WorkerGroup {
  private final PhaseRun phase;
  private final Workset workset;
  private final Population population;
  private final PhaseSpec spec;
  private final PhaseOperations operations;
  private final List<Worker> workers = new ArrayList<>();
  private final List<Population.Adder> adders = new ArrayList<>();
  private final Worker.AtRate[] atRate;
  private final boolean follows;
  private final boolean isTry;
  private final Rate.@Nullable Limit limit;
  private final AtomicLong late = new AtomicLong(); // responses above the limit
  private final BooleanSupplier ended;
  private final @Nullable BitSet absent;
  private final int perClock;
  private final double perSecond;
  private long begin; // of operations at a rate; set before any thread works

  /**
   * @param spec that of the phase, or of its background load
   * @param absent if another group writes to the keys that this one reads, those that are not there
   *     before; otherwise {@code null}
   * @param follows whether it only runs for as long as another group does
   * @param isTry whether it ends as soon as its limit cannot be kept any more
   * @param ended whether the other group has ended
   */
  WorkerGroup(
      PhaseRun phase,
      PhaseSpec spec,
      Target target,
      @Nullable BitSet absent,
      Observer observer,
      boolean follows,
      boolean isTry,
      BooleanSupplier ended) {
    this.phase = phase;
    this.workset = phase.workset;
    this.population = phase.population;
    this.spec = spec;
    this.operations = new PhaseOperations(phase, spec);
    this.follows = follows;
    Rate rate = spec.rate();
    this.limit = rate == null ? null : rate.limit();
    this.isTry = isTry;
    this.ended = ended;
    this.absent = absent;
    this.atRate = new Worker.AtRate[spec.threads()];
    this.perSecond = ratePerSecond();
    this.perClock = perSecond > 0 || follows ? 1 : phase.chunk;
    for (int lane = 0; lane < spec.threads(); lane++) {
      Population.Adder adder = population.adder(lane, spec.threads());
      adders.add(adder);
      workers.add(
          new Worker(
              target,
              new Block(workset, spec.shape(), absent, capacity()),
              operations.source(lane, adder),
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

  int threads() {
    return spec.threads();
  }

  /**
   * Sets when the first operation at a rate is due: soon, and not before all threads are there, or
   * the first ones would be late for that.
   */
  void begin() {
    begin = System.nanoTime() + 1_000_000;
  }

  void lane(int lane) {
    Worker worker = workers.get(lane);
    Limit share = follows ? Limit.NONE : operations.limit(lane);
    if (perSecond > 0) {
      if (begin == 0) {
        throw new IllegalStateException("it has not begun");
      }
      long nanos = rateNanos();
      atRate[lane] =
          worker.run(
              moments(perSecond, lane, spec.threads()),
              new RateLimiter(spec.threads()),
              begin,
              nanos,
              share.operations(),
              () -> ended.getAsBoolean() || isLost(),
              response -> {
                if (limit != null && response > limit.nanos()) {
                  late.incrementAndGet();
                }
                report(share, worker.counters(), lane, System.nanoTime() - begin, nanos);
              });
    } else {
      worker.run(
          share,
          spec.shape().batch(),
          perClock,
          ended,
          (block, _) -> {
            if (spec.operation() == Operation.SCAN && population.added() == 0 && absent == null) {
              checkEnds(block, worker.counters());
            }
            report(share, worker.counters(), lane, worker.counters().nanos, share.nanos());
          });
    }
  }

  /** Whether more responses are above the limit than there may be of all that are due. */
  private boolean isLost() {
    return isTry
        && limit != null
        && late.get() > (1 - limit.level()) * perSecond * rateNanos() / 1e9;
  }

  /** How long operations are started. */
  private long rateNanos() {
    if (follows) {
      return Limit.NONE.nanos() / 4;
    }
    long operations = spec.operations() > 0 ? spec.operations() : population.loaded();
    return (long) (1e9 * (spec.seconds() > 0 ? spec.seconds() : operations / perSecond));
  }

  /**
   * The intended starts of a lane's operations, in nanoseconds from the first one: evenly spaced,
   * and lanes take turns.
   */
  static Indexes moments(double perSecond, int lane, int lanes) {
    long[] next = {lane};
    return () -> {
      long number = next[0];
      next[0] = number + lanes;
      return (long) (number * (1e9 / perSecond));
    };
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
            alone ? used.readBytes() : -1,
            -1,
            used.compileNanos(),
            null);
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
        null,
        null);
  }

  private long rateElapsed() {
    long end = workers.stream().mapToLong(Worker::ended).max().orElse(begin) - begin;
    return Math.max(1, follows || isLost() ? end : Math.max(end, rateNanos()));
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
    if (follows) { // it was ended when others were done: what should have started by then?
      unstarted = Math.max(0, due() - response.getTotalCount());
    }
    return openLoop(perSecond, limit, unstarted, response, lateness);
  }

  /** What became of operations at a rate. */
  public static OpenLoop openLoop(
      double perSecond,
      Rate.@Nullable Limit limit,
      long unstarted,
      Histogram response,
      Histogram lateness) {
    return new OpenLoop(
        perSecond,
        held(unstarted, response, limit),
        EncodedHistogram.of(response),
        EncodedHistogram.of(lateness),
        limit,
        List.of());
  }

  /** Whether all but one in a hundred operations started in time, and the limit is kept. */
  static boolean held(long unstarted, Histogram response, Rate.@Nullable Limit limit) {
    return unstarted * 100 <= Math.max(1, response.getTotalCount())
        && (limit == null || response.getValueAtPercentile(limit.level() * 100) <= limit.nanos());
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
