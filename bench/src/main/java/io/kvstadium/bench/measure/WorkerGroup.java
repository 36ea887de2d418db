package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.measure.operation.Slots;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.source.DataOrder;
import io.kvstadium.bench.measure.source.Limit;
import io.kvstadium.bench.measure.source.PhaseOperations;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
  private final @Nullable EntryIterator entries;
  private final boolean follows;
  private final boolean isTry;
  private final Rate.@Nullable Limit limit;
  private final AtomicLong late = new AtomicLong(); // responses above the limit
  private final BooleanSupplier ended;
  private final int together;
  private final double perSecond;
  private final Turns.Crew crew;
  private long begin; // of operations at a rate; set before any thread works

  /**
   * @param spec that of the phase, or of its background load
   * @param absent if another group writes to the keys that this one reads, those that are not there
   *     before; otherwise {@code null}
   * @param follows whether it only runs for as long as another group does
   * @param isTry whether it ends as soon as its limit cannot be kept any more
   * @param ended whether the other group has ended
   * @param crew of all threads of the phase
   */
  WorkerGroup(
      PhaseRun phase,
      PhaseSpec spec,
      Target target,
      @Nullable BitSet absent,
      Observer observer,
      boolean follows,
      boolean isTry,
      BooleanSupplier ended,
      Turns.Crew crew) {
    this.phase = phase;
    this.workset = phase.workset;
    this.population = phase.population;
    this.spec = spec;
    this.operations = phase.operations(spec);
    this.follows = follows;
    Rate rate = spec.rate();
    this.limit = rate == null ? null : rate.limit();
    this.isTry = isTry;
    this.ended = ended;
    this.crew = crew;
    this.perSecond = ratePerSecond();
    boolean batches = spec.shape().batch() > 1;
    this.together = batches ? spec.shape().batch() : perSecond > 0 || follows ? 1 : phase.chunk;
    this.entries = spec.operation().loads() ? workset.entries() : null;
    List<Operation> mix = List.copyOf(operations.mix().keySet());
    boolean halves = together == 1 && spec.operation() == Operation.READ_MODIFY_WRITE;
    List<Operation> kinds = halves ? List.of(Operation.GET, Operation.UPDATE) : mix;
    boolean endsKnown =
        spec.operation() == Operation.SCAN
            && absent == null
            && population.added() == 0
            && population.loaded() == workset.count();
    for (int lane = 0; lane < spec.threads(); lane++) {
      Population.Adder adder = population.adder(lane, spec.threads());
      adders.add(adder);
      Supplier<Block> block =
          () ->
              new Block(
                  new Slots(
                      workset,
                      population.generations(),
                      spec.shape(),
                      absent,
                      endsKnown ? phase::greatestKey : null,
                      halves,
                      capacity()),
                  mix,
                  together,
                  batches);
      Block front = block.get();
      workers.add(
          new Worker(
              target,
              front,
              crew.gathers() ? block.get() : front,
              entries == null ? operations.source(lane, adder) : new DataOrder(entries),
              new Meter(kinds.stream().map(Operation::word).toList(), observer.origin())));
    }
  }

  /** Operations of a block: a batch is never divided. */
  private int capacity() {
    int batch = spec.shape().batch();
    if (batch > 1) {
      return (int) Math.min(batch, Math.max(1, workset.count()));
    }
    if (perSecond > 0) {
      return 1;
    }
    boolean large = crew.gathers() && !operations.mix().containsKey(Operation.SCAN);
    return Math.max(1, (large ? Block.LARGE_CAPACITY : Block.CAPACITY) / spec.shape().keys());
  }

  /** Processor time that was needed to make the group. */
  void harness(long cpuNanos) {
    workers.getFirst().meter().harness(cpuNanos);
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

  /** Does what one of its threads does. */
  void lane(int lane) {
    try {
      lane(workers.get(lane), lane);
    } finally {
      crew.leave();
    }
  }

  private void lane(Worker worker, int lane) {
    Limit share = follows ? Limit.NONE : operations.limit(lane);
    if (perSecond > 0) {
      if (begin == 0) {
        throw new IllegalStateException("it has not begun");
      }
      long nanos = rateNanos();
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
            report(share, worker.meter(), lane, System.nanoTime() - begin, nanos);
          });
    } else {
      try (entries) {
        worker.run(
            share,
            crew,
            ended,
            () -> {
              report(share, worker.meter(), lane, worker.meter().nanos(), share.nanos());
              crew.blockEnded(worker.meter());
            });
      }
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
    List<Meter> meters = workers.stream().map(Worker::meter).toList();
    adders.forEach(population::add);
    if (entries != null) {
      Meter all = meters.getFirst();
      if (spec.startsAnew()) {
        population.renew();
      }
      // a second load puts the first values again
      population.loaded(all.checks().bytes, all.operations() == workset.count());
    }
    if (follows && perSecond > 0) { // it was ended when others were done
      Meter.due(meters, Math.round(rateElapsed() / 1e9 * perSecond));
    }
    long nanos = perSecond > 0 ? rateElapsed() : worked(meters) + outside;
    boolean alone = spec.background() == null && !follows;
    PhaseResult result =
        Meter.phase(spec, meters, nanos, together, alone ? used : used.shared(), observer);
    phase.totals.wrote(meters.stream().mapToLong(each -> each.checks().writtenBytes).sum());
    return result;
  }

  private long worked(List<Meter> meters) {
    return crew.gathers() ? Math.max(1, crew.worked()) : Meter.nanos(meters);
  }

  private long rateElapsed() {
    long end = workers.stream().mapToLong(Worker::ended).max().orElse(begin) - begin;
    return Math.max(1, follows || isLost() ? end : Math.max(end, rateNanos()));
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

  private void report(Limit limit, Meter meter, int lane, long nanos, long maxNanos) {
    if (lane == 0) {
      double byOperations =
          (double) meter.operations()
              / Math.min(limit.operations(), Math.max(1, workset.count()) * 1_000_000L);
      double byTime = (double) nanos / maxNanos;
      phase.progress.accept(Math.min(1, Math.max(byOperations, byTime)));
    }
  }
}
