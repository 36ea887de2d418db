package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.PhaseOperations;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleConsumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs one phase of a trial, and its background load, on one target. */
public final class PhaseRun {
  private final PhaseSpec spec;
  public final Workset workset;
  public final Population population;
  public final long seed;
  final int chunk;
  final TrialTotals totals;
  final DoubleConsumer progress;
  private byte @Nullable [] greatest;
  private boolean greatestKnown;

  /** A search runs several times, each time on other keys: the last ones may be cached. */
  private int attempt;

  private @Nullable LongUnaryOperator keyOrder;

  /**
   * @param population which keys there are, kept up to date
   * @param seed of the trial
   * @param chunk how many operations share one reading of the clock
   * @param totals is kept up to date
   * @param progress receives now and then the share that is done, from one of the threads
   */
  public PhaseRun(
      PhaseSpec spec,
      Workset workset,
      Population population,
      long seed,
      int chunk,
      TrialTotals totals,
      DoubleConsumer progress) {
    this.spec = spec;
    this.workset = workset;
    this.population = population;
    this.seed = seed;
    this.chunk = chunk;
    this.totals = totals;
    this.progress = progress;
  }

  /** Returns the phase's result, all in one turn; see {@link #run(Target, Turns)}. */
  public List<PhaseResult> run(Target target) {
    return run(target, Turns.NONE);
  }

  /**
   * Returns the phase's result, and after it that of its background load.
   *
   * @param turns into which it is cut, unless its operations begin at given times
   * @throws TrialFailure if what was read is not what was written
   */
  public List<PhaseResult> run(Target target, Turns turns) {
    Rate rate = spec.rate();
    if (rate != null && rate.searches()) {
      return List.of(
          new RateSearch(
                  spec,
                  rate,
                  at -> once(target, at, true, Turns.NONE),
                  target::background,
                  progress)
              .run());
    }
    boolean cut = rate == null && (spec.background() == null || spec.background().rate() == null);
    return once(target, spec, false, cut ? turns : Turns.NONE);
  }

  private List<PhaseResult> once(Target target, PhaseSpec run, boolean isTry, Turns turns) {
    attempt++;
    if (run.distribution().needsKeyOrder()) {
      LongUnaryOperator _ = keyOrder(); // takes a while: nobody should wait for it
    }
    Usage before = Usage.now();
    long waited = turns.waited();
    List<PhaseResult> results = new ArrayList<>();
    long[] inside = new long[2];
    List<WorkerGroup> groups = new ArrayList<>();
    Observer observer = new Observer(target::backgroundJobs, totals);
    boolean inOneGo =
        run.operation().whole() && !(run.operation() == Operation.INSERT && target.takesPuts());
    WholeRun whole =
        inOneGo ? new WholeRun(run, workset, population, observer.origin(), progress) : null;
    long begin = System.nanoTime();
    try (observer) {
      target.around(
          run.writes(),
          () -> {
            inside[0] = System.nanoTime();
            if (whole != null) {
              whole.run(target);
            } else {
              groups.addAll(runGroups(target, run, isTry, observer, turns));
            }
            inside[1] = System.nanoTime();
          });
    }
    // what a transaction or batch around the blocks takes to begin and to commit
    long outside = (System.nanoTime() - begin) - (inside[1] - inside[0]);
    Usage used = Usage.now().since(before).without(turns.waited() - waited);
    if (whole != null) {
      results.add(whole.result(outside, used, observer));
      totals.wrote(whole.writtenBytes());
    }
    for (WorkerGroup group : groups) {
      results.add(group.result(outside, used, observer));
    }
    return results;
  }

  /** Runs the main threads and, if there is a background load, its threads. */
  private List<WorkerGroup> runGroups(
      Target target, PhaseSpec run, boolean isTry, Observer observer, Turns turns) {
    PhaseSpec background = run.background();
    BitSet absent =
        background == null ? null : population.generations().deleted(population.loaded());
    AtomicBoolean mainEnded = new AtomicBoolean();
    boolean apart = background != null && background.rate() != null; // it keeps to its own times
    int beside = background == null ? 0 : background.threads();
    int lanes = run.threads() + beside;
    Turns.Crew crew =
        turns.crew(
            apart ? run.threads() : lanes,
            run.rate() == null && (background == null || apart),
            observer::paused);
    Turns.Crew others = apart ? Turns.NONE.crew(beside, false, _ -> {}) : crew;
    long cpu = Meter.threadNanos();
    WorkerGroup main =
        new WorkerGroup(
            this,
            run,
            target,
            background != null && background.writes() ? absent : null,
            observer,
            false,
            isTry,
            () -> false,
            crew);
    List<WorkerGroup> groups = new ArrayList<>(List.of(main));
    if (background != null) {
      groups.add(
          new WorkerGroup(
              this,
              background,
              target,
              run.writes() ? absent : null,
              observer,
              true,
              false,
              mainEnded::get,
              others));
    }
    main.harness(Meter.threadNanos() - cpu);
    if (lanes == 1) {
      main.begin();
      main.lane(0);
      return groups;
    }
    WorkerThreads threads = new WorkerThreads(spec.name());
    for (WorkerGroup group : groups) {
      for (int lane = 0; lane < group.threads(); lane++) {
        int number = lane;
        threads.add(group == main, () -> group.lane(number));
      }
    }
    threads.run(() -> groups.forEach(WorkerGroup::begin), () -> mainEnded.set(true));
    return groups;
  }

  /** Found once per phase, and only if needed: it takes a pass over all keys. */
  synchronized byte @Nullable [] greatestKey() {
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

  /** Found once per phase: it takes a pass over all keys. */
  public LongUnaryOperator keyOrder() {
    if (keyOrder == null) {
      LongUnaryOperator known = workset.keyOrder();
      keyOrder = known == null ? LongUnaryOperator.identity() : known;
    }
    return keyOrder;
  }

  /** What its threads do, or those of its background load. */
  public PhaseOperations operations(PhaseSpec run) {
    return new PhaseOperations(run, workset, population, seed, seed(run), this::keyOrder);
  }

  /** Returns the seed for the draws of a phase. */
  public long seed(PhaseSpec run) {
    long first = Seeds.derive(seed, "phase " + run.name());
    return attempt <= 1 ? first : Seeds.derive(first, attempt);
  }
}
