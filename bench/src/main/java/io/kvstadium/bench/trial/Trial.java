package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.result.Cost;
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
import java.util.function.ToLongFunction;

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
    try (Place place = new Place(opening, plan.configuration(), directory)) {
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
        Target target = place.targetFor(spec);
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

  private TrialResult measure(Workset workset, List<PhaseResult> phases) {
    Population population = new Population(workset.size(), workset.room());
    Ledger ledger = new Ledger();
    Path directory = plan.storeDirectory("store");
    Configuration configuration = plan.configuration();
    System.gc(); // what the warm-up left is not the first phase's to clean up
    long begin = System.nanoTime();
    Place place = new Place(opening, configuration, directory);
    phases.add(once("open", System.nanoTime() - begin));
    long disk = -1;
    long live = -1;
    try {
      for (PhaseSpec spec : plan.phases()) {
        parent.accept(new Message.Progress(spec.name(), 0));
        if (spec.operation() == Operation.DELETE && disk < 0) {
          disk = DiskUsage.of(directory);
        }
        Target target = place.targetFor(spec);
        PhaseRun run =
            new PhaseRun(
                spec,
                workset,
                population,
                plan.seed(),
                plan.chunks().getOrDefault(spec.name(), chunks.getOrDefault(spec.name(), 1)),
                ledger,
                share -> parent.accept(new Message.Progress(spec.name(), share)));
        List<PhaseResult> results = run.run(target);
        PhaseResult result = results.getFirst();
        if (spec.operation() == Operation.INSERT) {
          live = Math.max(live, 0) + result.bytes();
        } else if (spec.operation() == Operation.LOAD && disk < 0) {
          live = result.bytes();
        }
        if (spec.operation().loads()
            && result.histogram() == null
            && configuration.access() != Access.FILE) {
          checkLoaded(spec, target, workset);
        }
        if (spec.operation() != Operation.INSERT || target.takesPuts()) {
          // what was loaded in bulk instead is another figure
          results.forEach(
              each -> phases.add(each.with(each.pace(), each.timeline(), place.caches())));
        }
      }
      if (disk < 0) {
        disk = DiskUsage.of(directory);
      }
    } catch (TrialFailure | StadiumException e) {
      closeAfter(e, place);
      cleanUp();
      throw e;
    }
    ledger.look();
    begin = System.nanoTime();
    place.close();
    phases.add(once("close", System.nanoTime() - begin));
    return new TrialResult(
        plan.number(), plan.seed(), null, phases, card(disk, live, ledger, phases));
  }

  private static CostCard card(long disk, long live, Ledger ledger, List<PhaseResult> phases) {
    return new CostCard(
        disk,
        live,
        -1,
        -1,
        -1,
        false,
        ledger.anonymous(),
        ledger.file(),
        -1,
        sum(phases, Cost::readBytes),
        sum(phases, Cost::writtenBytes),
        ledger.moved(),
        -1);
  }

  /** Of the phases that know the figure, or -1. */
  private static long sum(List<PhaseResult> phases, ToLongFunction<Cost> figure) {
    return phases.stream()
        .map(PhaseResult::cost)
        .mapToLong(figure)
        .filter(bytes -> bytes >= 0)
        .reduce(Long::sum)
        .orElse(-1);
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

  private static void closeAfter(RuntimeException cause, Place place) {
    try {
      place.close();
    } catch (StadiumException e) {
      cause.addSuppressed(e);
    }
  }

  private static PhaseResult once(String name, long nanos) {
    return PhaseResult.of(name, name, 1, Math.max(1, nanos));
  }
}
