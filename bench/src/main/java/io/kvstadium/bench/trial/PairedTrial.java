package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Distribution;
import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.StadiumException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Runs the same blocks of operations in turns on the engine's own API and through the library, on
 * two stores in one process: whatever the machine does meanwhile, it does to both. A phase's time
 * is its operations times the median over its blocks, so that a block which the machine disturbed
 * on one side only does not count.
 */
final class PairedTrial {
  private static final int SIDES = 2;
  private static final int BY_HAND = 0;
  private static final int LIBRARY = 1;

  private final TrialPlan plan;
  private final Opening opening;
  private final Consumer<Message> parent;

  PairedTrial(TrialPlan plan, Engines engines, Consumer<Message> parent) {
    this.plan = plan;
    this.opening = new Opening(engines);
    this.parent = parent;
  }

  TrialResult run(Workset workset) {
    List<List<PhaseResult>> results = List.of(new ArrayList<>(), new ArrayList<>());
    try {
      // The warm-up does the whole work once: both sides then run code compiled for both.
      pass("warm-up", workset, List.of(new ArrayList<>(), new ArrayList<>()));
      System.gc();
      pass("store", workset, results);
    } catch (TrialFailure | StadiumException e) {
      return TrialResult.failed(plan.number(), plan.seed(), String.valueOf(e.getMessage()));
    }
    parent.accept(new Message.Baseline(results.get(BY_HAND)));
    return new TrialResult(
        plan.number(), plan.seed(), null, results.get(LIBRARY), CostCard.UNKNOWN);
  }

  private void pass(String name, Workset workset, List<List<PhaseResult>> results) {
    Configuration configuration = plan.configuration();
    Configuration raw = configuration.withAccess(Configuration.Access.RAW);
    // Which side opens first alternates between trials: its memory may be better placed.
    boolean rawFirst = plan.number() % SIDES == 0;
    List<Configuration> order =
        rawFirst ? List.of(raw, configuration) : List.of(configuration, raw);
    try (Target first = opening.target(order.get(0), plan.storeDirectory(name + " 1"));
        Target second = opening.target(order.get(1), plan.storeDirectory(name + " 2"))) {
      Target[] sides = rawFirst ? new Target[] {first, second} : new Target[] {second, first};
      Population[] populations = {
        new Population(workset.size(), workset.room()),
        new Population(workset.size(), workset.room())
      };
      for (PhaseSpec spec : plan.phases()) {
        phase(spec, workset, sides, populations, results);
      }
    }
    opening.destroy(order.get(0), plan.storeDirectory(name + " 1"));
    opening.destroy(order.get(1), plan.storeDirectory(name + " 2"));
  }

  private void phase(
      PhaseSpec spec,
      Workset workset,
      Target[] sides,
      Population[] populations,
      List<List<PhaseResult>> results) {
    Target library = sides[LIBRARY];
    if (spec.operation() == Operation.INSERT && !library.takesPuts()) {
      load(workset, library, sides[BY_HAND]);
      return;
    }
    long operations = spec.operations() > 0 ? spec.operations() : workset.count();
    long most = spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE;
    List<double[]> nanos = new ArrayList<>();
    try (EntryIterator entries = workset.entries();
        Side byHand = side(spec, workset, sides[BY_HAND], populations[BY_HAND]);
        Side through = side(spec, workset, library, populations[LIBRARY])) {
      Side[] both = {byHand, through};
      Tally first = byHand.tally();
      for (int round = 0; first.operations < operations && first.nanos < most; round++) {
        int size = (int) Math.min(byHand.capacity(), operations - first.operations);
        if (spec.operation() == Operation.INSERT) {
          for (int k = 0; k < size; k++) {
            Entry entry = entries.next();
            byHand.block().take(k, entry.key(), entry.value());
            through.block().take(k, entry.key().clone(), entry.value().clone());
          }
        } else {
          byHand.fill(size);
          through.fill(size);
        }
        double[] perOperation = new double[SIDES];
        for (int turn = 0; turn < SIDES; turn++) {
          int side = (turn + round) % SIDES;
          perOperation[side] = both[side].run();
        }
        byHand.check();
        through.check();
        nanos.add(perOperation);
        parent.accept(new Message.Progress(spec.name(), (double) first.operations / operations));
      }
      for (int side = 0; side < SIDES; side++) {
        results.get(side).add(result(spec, both[side].tally(), median(nanos, side)));
      }
    }
  }

  /** Makes a side; both have the same operations. */
  private Side side(PhaseSpec spec, Workset workset, Target target, Population population) {
    long phaseSeed = Seeds.derive(plan.seed(), "phase " + spec.name());
    boolean mixed = spec.operation() == Operation.MIXED;
    Map<Operation, Double> mix = mixed ? spec.shape().mix() : Map.of(spec.operation(), 1.0);
    int threads = spec.operation() == Operation.INSERT ? 1 : spec.threads();
    List<OperationSource> feeds = new ArrayList<>();
    for (int number = 0; number < threads; number++) {
      Distribution.Lane lane = new Distribution.Lane(number, threads);
      feeds.add(
          new OperationSource(
              mix,
              spec.distribution().over(workset.size(), plan.seed(), phaseSeed, lane),
              population.adder(number, threads),
              spec.shape().scanLength().counts(Seeds.derive(phaseSeed, "lengths"), lane),
              new SplittableRandom(Seeds.derive(phaseSeed, number))));
    }
    return new Side(spec, workset, target, population, feeds);
  }

  /** Loads the entries if they only come in bulk, which is not an operation to compare. */
  private static void load(Workset workset, Target library, Target byHand) {
    try (EntryIterator entries = workset.entries()) {
      library.load(entries, false);
    }
    try (EntryIterator entries = workset.entries()) {
      entries.forEachRemaining(entry -> byHand.put(entry.key(), entry.value()));
    }
  }

  private static PhaseResult result(PhaseSpec spec, Tally tally, double nanosPerOperation) {
    PhaseRun.check(spec.name(), tally);
    return PhaseResult.of(
            spec.name(),
            spec.operation().word(),
            tally.operations,
            Math.round(nanosPerOperation * tally.operations))
        .with(spec.threads(), tally.entries, tally.bytes, Cost.UNKNOWN)
        .withHistogram(EncodedHistogram.of(tally.latencies), Block.CAPACITY);
  }

  private static double median(List<double[]> blocks, int side) {
    double[] sorted = blocks.stream().mapToDouble(block -> block[side]).sorted().toArray();
    return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
        .average()
        .orElseThrow();
  }
}
