package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Distribution;
import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
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
    // Which side opens first alternates between trials: its memory may lie better.
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
    long phaseSeed = Seeds.derive(plan.seed(), "phase " + spec.name());
    List<double[]> nanos = new ArrayList<>();
    Tally[] tallies = {new Tally(), new Tally()};
    try (EntryIterator entries = workset.entries()) {
      Feed[] feeds = new Feed[SIDES];
      Block[] blocks = new Block[SIDES];
      for (int side = 0; side < SIDES; side++) {
        feeds[side] = feed(spec, workset, phaseSeed, populations[side]);
        blocks[side] = new Block(workset, spec.shape());
      }
      long most = spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE;
      for (int round = 0; tallies[0].operations < operations && tallies[0].nanos < most; round++) {
        int size = (int) Math.min(Block.CAPACITY, operations - tallies[0].operations);
        if (spec.operation() == Operation.INSERT) {
          for (int k = 0; k < size; k++) {
            Entry entry = entries.next();
            blocks[0].take(k, entry.key(), entry.value());
            blocks[1].take(k, entry.key().clone(), entry.value().clone());
          }
        } else {
          for (int side = 0; side < SIDES; side++) {
            blocks[side].fill(size, feeds[side], populations[side].generations());
          }
        }
        double[] perOperation = new double[SIDES];
        for (int turn = 0; turn < SIDES; turn++) {
          int side = (turn + round) % SIDES;
          long took = blocks[side].run(sides[side], size, System.nanoTime() + Long.MAX_VALUE / 4);
          tallies[side].add(blocks[side], took);
          perOperation[side] = (double) took / size;
        }
        for (int side = 0; side < SIDES; side++) {
          blocks[side].check(tallies[side], populations[side].generations());
        }
        nanos.add(perOperation);
        parent.accept(
            new Message.Progress(spec.name(), (double) tallies[0].operations / operations));
      }
    }
    for (int side = 0; side < SIDES; side++) {
      results.get(side).add(result(spec, tallies[side], median(nanos, side)));
    }
  }

  /** The same for both sides. */
  private Feed feed(PhaseSpec spec, Workset workset, long phaseSeed, Population population) {
    boolean mixed = spec.operation() == Operation.MIXED;
    return new Feed(
        mixed ? spec.shape().mix() : Map.of(spec.operation(), 1.0),
        Distribution.parse(spec.distribution()).over(workset.size(), plan.seed(), phaseSeed),
        population.adder(0, 1),
        () -> 1,
        new SplittableRandom(phaseSeed));
  }

  /** Brings the entries in where they come in bulk only, which is no operation to be compared. */
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
        .with(1, tally.entries, tally.bytes, Cost.UNKNOWN)
        .withHistogram(PhaseRun.encode(tally.latencies), Block.CAPACITY);
  }

  private static double median(List<double[]> blocks, int side) {
    double[] sorted = blocks.stream().mapToDouble(block -> block[side]).sorted().toArray();
    return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
        .average()
        .orElseThrow();
  }
}
