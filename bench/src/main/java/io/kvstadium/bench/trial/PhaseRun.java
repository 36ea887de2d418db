package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Arrivals;
import io.kvstadium.bench.data.Distribution;
import io.kvstadium.bench.data.Indexes;
import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import java.util.function.IntSupplier;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs one phase of a trial, and what stands beside it, on one target. */
final class PhaseRun {
  private final PhaseSpec spec;
  private final Workset workset;
  private final Population population;
  private final long seed;
  private final int chunk;
  private final Ledger ledger;
  private final DoubleConsumer progress;
  private byte @Nullable [] greatest;
  private boolean greatestKnown;

  /** A search runs several times, each time on other keys: the last ones may be cached. */
  private int attempt;

  private @Nullable LongUnaryOperator keyOrder;

  /**
   * @param population which keys there are, kept up to date
   * @param seed of the trial
   * @param chunk how many operations share one reading of the clock
   * @param ledger is kept up to date
   * @param progress is told now and then which share is done, by one of the threads
   */
  PhaseRun(
      PhaseSpec spec,
      Workset workset,
      Population population,
      long seed,
      int chunk,
      Ledger ledger,
      DoubleConsumer progress) {
    this.spec = spec;
    this.workset = workset;
    this.population = population;
    this.seed = seed;
    this.chunk = chunk;
    this.ledger = ledger;
    this.progress = progress;
  }

  /**
   * The phase's result, and after it that of what ran beside it.
   *
   * @throws TrialFailure if what was read is not what was written
   */
  List<PhaseResult> run(Target target) {
    Rate rate = spec.rate();
    if (rate != null && rate.kind() == Rate.Kind.SEARCH) {
      return List.of(new RateSearch(spec, rate, at -> once(target, at), progress).run());
    }
    return once(target, spec);
  }

  private List<PhaseResult> once(Target target, PhaseSpec run) {
    attempt++;
    Usage before = Usage.now();
    List<PhaseResult> results = new ArrayList<>();
    long[] inside = new long[2];
    List<Strand> strands = new ArrayList<>();
    Observer observer = new Observer(target::backgroundJobs, ledger);
    WholeRun whole =
        run.operation().whole()
            ? new WholeRun(run, workset, population, chunk, observer, progress)
            : null;
    long begin = System.nanoTime();
    try (observer) {
      target.around(
          run.writes(),
          () -> {
            inside[0] = System.nanoTime();
            if (whole != null) {
              whole.run(target);
            } else {
              strands.addAll(runStrands(target, run, observer));
            }
            inside[1] = System.nanoTime();
          });
    }
    // what a transaction or batch around the blocks takes to begin and to commit
    long outside = (System.nanoTime() - begin) - (inside[1] - inside[0]);
    Usage used = Usage.now().since(before);
    if (whole != null) {
      results.add(whole.result(outside, used));
      ledger.wrote(whole.writtenBytes());
    }
    for (Strand strand : strands) {
      results.add(strand.result(outside, used, observer));
    }
    return results;
  }

  /** The main threads, and, where there is something beside them, those that do that. */
  private List<Strand> runStrands(Target target, PhaseSpec run, Observer observer) {
    PhaseSpec beside = run.beside();
    boolean shared = beside != null && beside.writes();
    AtomicBoolean mainEnded = new AtomicBoolean();
    Strand main = new Strand(run, target, shared, observer, false, () -> false);
    List<Strand> strands = new ArrayList<>(List.of(main));
    if (beside != null) {
      strands.add(new Strand(beside, target, false, observer, true, mainEnded::get));
    }
    if (beside == null && run.threads() == 1) {
      main.lane(0);
      return strands;
    }
    Crew crew = new Crew(spec.name());
    for (Strand strand : strands) {
      for (int lane = 0; lane < strand.run.threads(); lane++) {
        int number = lane;
        crew.add(strand == main, () -> strand.lane(number));
      }
    }
    crew.run(() -> mainEnded.set(true));
    return strands;
  }

  /** Threads that do the same. */
  private final class Strand {
    private final PhaseSpec run;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Population.Adder> adders = new ArrayList<>();
    private final Worker.Paced[] paced;
    private final boolean follows;
    private final BooleanSupplier ended;
    private final int perClock;
    private final double perSecond;
    private final long begin = System.nanoTime() + 1_000_000;

    Strand(
        PhaseSpec run,
        Target target,
        boolean shared,
        Observer observer,
        boolean follows,
        BooleanSupplier ended) {
      this.run = run;
      this.follows = follows;
      this.ended = ended;
      this.paced = new Worker.Paced[run.threads()];
      this.perSecond = perSecond(run);
      this.perClock = perSecond > 0 || follows ? 1 : chunk;
      for (int lane = 0; lane < run.threads(); lane++) {
        Population.Adder adder = population.adder(lane, run.threads());
        adders.add(adder);
        workers.add(
            new Worker(
                target,
                new Block(workset, run.shape(), shared, capacity()),
                new Feed(
                    mix(run),
                    indexes(run, lane, adder),
                    adder,
                    lengths(run, lane),
                    new SplittableRandom(Seeds.derive(phaseSeed(run), "mix " + lane))),
                population.generations(),
                new Course(observer.origin())));
      }
    }

    /** Operations of a block: a batch is never divided. */
    private int capacity() {
      int batch = run.shape().batch();
      if (batch > 1) {
        return (int) Math.min(batch, Math.max(1, workset.count()));
      }
      return perSecond > 0 ? 1 : Math.max(1, Block.CAPACITY / run.shape().keys());
    }

    void lane(int lane) {
      Worker worker = workers.get(lane);
      Limit limit = follows ? Limit.NONE : limit(run, lane);
      if (perSecond > 0) {
        long nanos = pacedNanos();
        paced[lane] =
            worker.run(
                moments(lane),
                new Pacer(run.threads()),
                begin,
                nanos,
                limit.operations(),
                ended,
                () -> report(limit, worker.tally(), lane, System.nanoTime() - begin, nanos));
      } else {
        worker.run(
            limit,
            run.shape().batch(),
            perClock,
            ended,
            (block, _) -> {
              if (run.operation() == Operation.SCAN && population.added() == 0 && !run.writes()) {
                checkEnds(block, worker.tally());
              }
              report(limit, worker.tally(), lane, worker.tally().nanos, limit.nanos());
            });
      }
    }

    /** How long operations are started. */
    private long pacedNanos() {
      if (follows) {
        return Limit.NONE.nanos() / 4;
      }
      long operations = run.operations() > 0 ? run.operations() : population.loaded();
      return (long) (1e9 * (run.seconds() > 0 ? run.seconds() : operations / perSecond));
    }

    private Indexes moments(int lane) {
      Rate rate = run.rate();
      Arrivals.Law law = rate == null ? Arrivals.Law.CONSTANT : rate.arrivals();
      long draws = Seeds.derive(phaseSeed(run), "arrivals");
      return new Arrivals(law, perSecond, draws, new Distribution.Lane(lane, run.threads()))::next;
    }

    PhaseResult result(long outside, Usage used, Observer observer) {
      List<Tally> tallies = workers.stream().map(Worker::tally).toList();
      adders.forEach(population::add);
      Histogram latencies = new Histogram(Tally.SIGNIFICANT_DIGITS);
      Tally sum = new Tally();
      double rate = 0; // sum over threads: each was busy for a time of its own
      for (Tally tally : tallies) {
        latencies.add(tally.latencies);
        sum.add(tally);
        rate += tally.operations / (double) Math.max(1, tally.nanos);
      }
      check(run.name(), sum);
      ledger.wrote(sum.writtenBytes);
      long nanos =
          perSecond > 0 ? pacedElapsed() : Math.max(1, Math.round(sum.operations / rate)) + outside;
      boolean alone = run.beside() == null && !follows;
      Cost cost =
          new Cost(
              // a pacer spins: the process's time says nothing of the store then
              alone && perSecond == 0 ? used.cpuNanos() : -1,
              used.gcNanos(),
              perSecond > 0 ? -1 : sum.allocatedBytes,
              alone ? used.readBytes() : -1);
      return new PhaseResult(
          run.name(),
          run.operation().word(),
          sum.operations,
          nanos,
          run.threads(),
          sum.entries,
          sum.bytes,
          run.shape().batch() > 1 ? run.shape().batch() : perClock,
          cost,
          EncodedHistogram.of(latencies),
          perSecond > 0 ? pace() : null,
          Course.merge(workers.stream().map(Worker::course).toList(), observer),
          null);
    }

    private long pacedElapsed() {
      long end = workers.stream().mapToLong(Worker::ended).max().orElse(begin) - begin;
      return Math.max(1, follows ? end : Math.max(end, pacedNanos()));
    }

    /** How many operations were to start by the time at which the last one ended. */
    private long due() {
      return Math.round(pacedElapsed() / 1e9 * perSecond);
    }

    private Pace pace() {
      Histogram response = new Histogram(Tally.SIGNIFICANT_DIGITS);
      Histogram lateness = new Histogram(Tally.SIGNIFICANT_DIGITS);
      long unstarted = 0;
      for (Worker.Paced each : paced) {
        response.add(each.response);
        lateness.add(each.lateness);
        unstarted += each.unstarted;
      }
      Rate rate = run.rate();
      Rate.Limit limit = rate == null ? null : rate.limit();
      if (follows) { // it was ended when others had done: what was still to start by then?
        unstarted = Math.max(0, due() - response.getTotalCount());
      }
      boolean held = unstarted * 100 <= Math.max(1, response.getTotalCount());
      if (limit != null) {
        held &= response.getValueAtPercentile(limit.level() * 100) <= limit.nanos();
      }
      return new Pace(
          perSecond,
          rate == null ? "" : rate.arrivals().text(),
          held,
          EncodedHistogram.of(response),
          EncodedHistogram.of(lateness),
          limit == null ? null : limit.toString(),
          List.of());
    }
  }

  private Map<Operation, Double> mix(PhaseSpec run) {
    return run.operation() == Operation.MIXED ? run.shape().mix() : Map.of(run.operation(), 1.0);
  }

  /** Operations per second, or 0 for as many as there can be. */
  private double perSecond(PhaseSpec run) {
    Rate rate = run.rate();
    if (rate == null) {
      return 0;
    }
    return switch (rate.kind()) {
      case OPERATIONS -> rate.value();
      case BYTES -> rate.value() / workset.entryBytes();
      case SHARE, SEARCH ->
          throw new IllegalStateException("the rate of phase " + run.name() + " is not known yet");
    };
  }

  private void checkEnds(Block block, Tally tally) {
    if (population.loaded() == workset.count()) {
      block.checkEnds(tally, this::greatestKey);
    }
  }

  /** Looked for once a phase, and only if it is needed: that takes a pass over all keys. */
  private synchronized byte @Nullable [] greatestKey() {
    if (!greatestKnown) {
      for (long i = 0; i < population.loaded(); i++) {
        if (population.generations().get(i) != Generations.DELETED) {
          byte[] key = workset.key(i);
          if (greatest == null || Arrays.compareUnsigned(key, greatest) > 0) {
            greatest = key;
          }
        }
      }
      greatestKnown = true;
    }
    return greatest;
  }

  /** The limit of a lane: its share of the operations, and of the keys where each is used once. */
  private Limit limit(PhaseSpec run, int lane) {
    long loaded = population.loaded();
    long asked =
        run.operations() > 0
            ? run.operations()
            : run.seconds() > 0 ? Limit.NONE.operations() : loaded;
    Distribution.Lane lanes = new Distribution.Lane(lane, run.threads());
    long operations = asked >= Limit.NONE.operations() ? asked : lanes.share(asked);
    if (run.operation() == Operation.DELETE) {
      operations = Math.min(operations, lanes.share(loaded));
    }
    return new Limit(operations, run.seconds() > 0 ? (long) (run.seconds() * 1e9) : Long.MAX_VALUE);
  }

  /**
   * The keys of a lane. Where a phase writes, lanes own disjoint keys (those whose index leaves the
   * lane's number as remainder, and those that they add), so that each knows which value a key has.
   */
  private Indexes indexes(PhaseSpec run, int lane, Population.Adder adder) {
    Distribution distribution = run.distribution();
    int threads = run.threads();
    long loaded = population.loaded();
    if (run.operation() == Operation.DELETE && !(distribution instanceof Distribution.Sequential)) {
      distribution = new Distribution.Shuffled(); // a key can be deleted only once
    }
    LongUnaryOperator order =
        distribution.needsKeyOrder() ? keyOrder() : LongUnaryOperator.identity();
    if (!run.writes()) {
      Indexes places =
          distribution.over(loaded, seed, phaseSeed(run), new Distribution.Lane(lane, threads));
      return () -> order.applyAsLong(places.next());
    }
    long own = (loaded - lane + threads - 1) / threads;
    long draws = threads == 1 ? phaseSeed(run) : Seeds.derive(phaseSeed(run), lane);
    boolean grows = distribution.grows() && mix(run).containsKey(Operation.INSERT);
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

  /** Sought once a phase: it takes a pass over all keys. */
  private LongUnaryOperator keyOrder() {
    if (keyOrder == null) {
      LongUnaryOperator known = workset.keyOrder();
      keyOrder = known == null ? LongUnaryOperator.identity() : known;
    }
    return keyOrder;
  }

  private IntSupplier lengths(PhaseSpec run, int lane) {
    return run.shape()
        .scanLength()
        .counts(
            Seeds.derive(phaseSeed(run), "lengths"), new Distribution.Lane(lane, run.threads()));
  }

  private long phaseSeed(PhaseSpec run) {
    long first = Seeds.derive(seed, "phase " + run.name());
    return attempt == 1 ? first : Seeds.derive(first, attempt);
  }

  private void report(Limit limit, Tally tally, int lane, long nanos, long mostNanos) {
    if (lane == 0) {
      double byOperations =
          (double) tally.operations
              / Math.min(limit.operations(), Math.max(1, workset.count()) * 1_000_000L);
      double byTime = (double) nanos / mostNanos;
      progress.accept(Math.min(1, Math.max(byOperations, byTime)));
    }
  }

  /**
   * @throws TrialFailure if something was wrong with what was read, or nothing was done
   */
  static void check(String phase, Tally tally) {
    if (tally.firstWrong != null) {
      throw new TrialFailure("phase " + phase + ": " + tally.firstWrong, null);
    }
    if (tally.misses > 0) {
      throw new TrialFailure(
          "phase "
              + phase
              + ": "
              + tally.misses
              + " of "
              + tally.operations
              + " reads missed keys that had been written",
          null);
    }
    if (tally.operations == 0) {
      throw new TrialFailure("phase " + phase + " did nothing: there is nothing to work on", null);
    }
  }
}
