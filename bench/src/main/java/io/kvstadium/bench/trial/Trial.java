package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does what a plan says: warms up, opens, runs the phases, closes. */
final class Trial {
  /** Where an operation takes less than this, so many share one reading of the clock. */
  private static final double CHUNK_BELOW_NANOS = 1_000;

  private static final int MOST_WARM_UP_RECORDS = 20_000;
  private static final long CHECKED_AFTER_LOAD = 1_000;

  private final TrialPlan plan;
  private final Opening opening;
  private final Consumer<Message> parent;
  private final Map<String, Integer> chunks = new HashMap<>();
  private @Nullable Population population; // of the measured store

  Trial(TrialPlan plan, Engines engines, Consumer<Message> parent) {
    this.plan = plan;
    this.opening = new Opening(engines);
    this.parent = parent;
  }

  /** Runs it to its end, good or bad. */
  TrialResult run(Workset workset) {
    List<PhaseResult> phases = new ArrayList<>();
    try {
      warmUp();
      TrialResult result = measure(workset, phases);
      cleanUp();
      return result;
    } catch (TrialFailure | StadiumException e) {
      return new TrialResult(plan.number(), plan.seed(), e.getMessage(), phases, CostCard.UNKNOWN);
    }
  }

  /**
   * The same phases on a store that is thrown away, so that the code is compiled before it is
   * timed, and to learn how long operations take.
   */
  private void warmUp() {
    if (plan.warmUpSeconds() <= 0) {
      return;
    }
    long records = Math.min(plan.data().records(), MOST_WARM_UP_RECORDS);
    long seed = Seeds.derive(plan.seed(), "warm-up");
    // in sequence: when time ends the load early, it is known which keys are there
    Workset workset =
        plan.data().withRecords(records).inSequence().workset(seed, WorksetSource.extra(plan));
    Generations generations = new Generations(workset.room());
    double share = plan.warmUpSeconds() / plan.phases().size();
    Path directory = plan.storeDirectory("warm-up");
    long loaded = 0;
    boolean opened = false; // only then what is there is ours to remove
    try (StoreLifecycle lifecycle = new StoreLifecycle(opening, plan.configuration(), directory)) {
      opened = true;
      for (PhaseSpec spec : plan.phases()) {
        parent.accept(new Message.Progress("warm-up", 0));
        // a transaction or batch around the phase holds all of it in memory: no more than the data
        boolean grouped = plan.configuration().access() != Access.SINGLE;
        long most = spec.writes() && grouped ? records : 0;
        PhaseSpec shortened =
            spec.sized(most > 0 ? most : spec.operations(), share).withCold(false).withRate(null);
        long keys = spec.operation().loads() || !loads() ? records : loaded;
        if (keys == 0) {
          continue;
        }
        Target target = lifecycle.targetFor(spec);
        PhaseResult result =
            new PhaseRun(
                    shortened,
                    workset,
                    new Population(keys, workset.room(), generations),
                    seed,
                    1,
                    new Ledger(),
                    _ -> parent.accept(new Message.Progress("warm-up", 0)))
                .run(target)
                .getFirst();
        if (spec.operation().loads()) {
          loaded = Math.max(loaded, result.operations());
        }
        boolean quick = result.nanosPerOperation() * spec.threads() < CHUNK_BELOW_NANOS;
        chunks.put(spec.name(), quick ? TrialPlan.CHUNK : 1);
      }
    } catch (TrialFailure | StadiumException e) {
      if (opened) {
        cleanUp();
      }
      throw e;
    }
    opening.destroy(plan.configuration(), directory);
  }

  /**
   * After a run that went well: writes to the store again, and leaves it open for the kill.
   *
   * @param workset of the run
   */
  Message.Ready writeAgain(Workset workset) {
    if (population == null) {
      throw new IllegalStateException("the trial has not run");
    }
    return new LastWrites(plan, opening.engines(), parent).run(workset, population);
  }

  private TrialResult measure(Workset workset, List<PhaseResult> phases) {
    Population holds = new Population(workset.size(), workset.room());
    this.population = holds;
    Ledger ledger = new Ledger();
    Path directory = plan.storeDirectory("store");
    Configuration configuration = plan.configuration();
    DiskWrites writes = new DiskWrites(Path.of(plan.directory()));
    System.gc(); // what the warm-up left is not the first phase's to clean up
    long begin = System.nanoTime();
    StoreLifecycle lifecycle = new StoreLifecycle(opening, configuration, directory);
    phases.add(once("open", System.nanoTime() - begin));
    CostRecorder costs =
        new CostRecorder(directory, workset, holds, ledger, new Settling(), parent);
    try {
      for (PhaseSpec spec : plan.phases()) {
        parent.accept(new Message.Progress(spec.name(), 0));
        costs.before(spec, lifecycle.target());
        Target target = lifecycle.targetFor(spec);
        PhaseRun run =
            new PhaseRun(
                spec,
                workset,
                holds,
                plan.seed(),
                plan.chunks().getOrDefault(spec.name(), chunks.getOrDefault(spec.name(), 1)),
                ledger,
                share -> parent.accept(new Message.Progress(spec.name(), share)));
        Usage before = Usage.now();
        Flushes flushes = new Flushes(spec, directory);
        List<PhaseResult> results = flushes.of(run.run(target));
        costs.after(spec, Usage.now().since(before));
        PhaseResult result = results.getFirst();
        if (spec.operation().loads()
            && result.histogram() == null
            && configuration.access() != Access.FILE) {
          checkLoaded(spec, target, workset);
        }
        if (spec.operation() != Operation.INSERT || target.takesPuts()) {
          // what was loaded in bulk instead is another figure
          results.forEach(
              each -> phases.add(each.with(each.pace(), each.timeline(), lifecycle.caches())));
        }
      }
      costs.settle(lifecycle.target());
    } catch (TrialFailure | StadiumException e) {
      closeAfter(e, lifecycle);
      cleanUp();
      throw e;
    }
    ledger.look();
    Usage before = Usage.now();
    lifecycle.close();
    costs.closed();
    phases.add(once("close", lifecycle.closeNanos()));
    costs.add(Usage.now().since(before));
    costs.wrote(writes.after(directory, () -> parent.accept(new Message.Progress("sync", 0))));
    return new TrialResult(plan.number(), plan.seed(), null, phases, costs.card());
  }

  /** A bulk load is one call: what it brought is looked at here, evenly over all keys. */
  private static void checkLoaded(PhaseSpec spec, Target target, Workset workset) {
    Tally tally = new Tally();
    long step = Math.max(1, workset.size() / CHECKED_AFTER_LOAD);
    for (long i = 0; i < workset.size(); i += step) {
      tally.check(workset, i, 0, target.get(workset.key(i)));
    }
    if (tally.misses > 0 || tally.firstWrong != null) {
      throw new TrialFailure(
          "phase "
              + spec.name()
              + ": "
              + (tally.firstWrong == null
                  ? tally.misses + " entries are missing after the load"
                  : tally.firstWrong),
          null);
    }
  }

  private boolean loads() {
    return plan.phases().stream().anyMatch(spec -> spec.operation().loads());
  }

  /** What lies in the trial's directory goes with that; what lies elsewhere would stay. */
  private void cleanUp() {
    if (!plan.configuration().location().isEmpty()) {
      opening.destroy(plan.configuration(), plan.storeDirectory("store"));
    }
  }

  private static void closeAfter(RuntimeException cause, StoreLifecycle lifecycle) {
    try {
      lifecycle.close();
    } catch (StadiumException e) {
      cause.addSuppressed(e);
    }
  }

  private static PhaseResult once(String name, long nanos) {
    return PhaseResult.of(name, name, 1, Math.max(1, nanos));
  }
}
