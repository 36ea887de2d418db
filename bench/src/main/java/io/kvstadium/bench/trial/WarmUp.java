package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.StadiumException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs a trial's phases on a store that is thrown away, so that their code is compiled before it is
 * timed, and to learn how long operations take. The phases take turns, because the compiler works
 * beside them: while it compiles what one of them needs, another one runs. They do so until a whole
 * round has passed in which the compiler hardly worked.
 */
final class WarmUp {
  /** If an operation takes less than this, several share one reading of the clock. */
  private static final double CHUNK_BELOW_NANOS = 1_000;

  private static final int MAX_RECORDS = 5_000;

  /** A turn of a phase, and the least time of a round. */
  private static final double TURN_SECONDS = 0.06;

  private static final double MIN_ROUND_SECONDS = 0.3;

  /** A round may delete one in this many keys: the others are there for the phases before. */
  private static final int DELETED = 20;

  /** Before each phase that only reads, on the store that is measured. */
  static final double RAMP_SECONDS = 0.1;

  static final int MAX_RAMPS = 6;

  private final TrialPlan plan;
  private final Opening opening;
  private final Consumer<Message> parent;
  private final Workset workset;
  private final Map<String, Integer> chunks = new HashMap<>();
  private final long records;

  /** What the store holds: what one turn inserts or deletes, the next ones must expect. */
  private Population population;

  WarmUp(TrialPlan plan, Opening opening, Consumer<Message> parent) {
    this.plan = plan;
    this.opening = opening;
    this.parent = parent;
    this.records = Math.min(plan.data().records(), MAX_RECORDS);
    // in sequence: when time ends the load early, it is known which keys are there
    this.workset =
        plan.data()
            .withRecords(records)
            .inSequence()
            .workset(Seeds.derive(plan.seed(), "warm-up"), extra());
    this.population = new Population(loads() ? 0 : records, workset.room());
  }

  /** All rounds insert new keys: as many as the trial has in all. */
  private long extra() {
    long extra = WorksetSource.extra(plan);
    return extra == 0 ? 0 : extra + plan.data().records() - records;
  }

  /** Runs; returns how many operations of each phase share one reading of the clock. */
  Map<String, Integer> run() {
    Path directory = plan.storeDirectory("warm-up");
    boolean opened = false; // only then is what is there ours to remove
    try (StoreLifecycle lifecycle = new StoreLifecycle(opening, plan.configuration(), directory)) {
      opened = true;
      long begin = System.nanoTime();
      long max = (long) (plan.warmUpSeconds() * 1e9);
      int round = 0;
      boolean quiet = false;
      while (!quiet && (round == 0 || System.nanoTime() - begin < max)) {
        quiet = round(lifecycle, round);
        round++;
      }
    } catch (TrialFailure | StadiumException e) {
      if (opened && !plan.configuration().location().isEmpty()) {
        opening.destroy(plan.configuration(), plan.storeDirectory("store"));
      }
      throw e;
    }
    opening.destroy(plan.configuration(), directory);
    return chunks;
  }

  /** Runs a round; returns whether the compiler hardly worked meanwhile. */
  private boolean round(StoreLifecycle lifecycle, int round) {
    boolean again = round == 0 || population.loaded() == records;
    List<PhaseSpec> phases =
        plan.phases().stream()
            .filter(each -> again || !each.operation().loads())
            .filter(each -> each.durability() == null) // the same code, and slow
            .toList();
    double turn = Math.max(TURN_SECONDS, MIN_ROUND_SECONDS / Math.max(1, phases.size()));
    CompilerEffort effort = new CompilerEffort();
    for (PhaseSpec each : phases) {
      turn(lifecycle, each, round, each.operation().loads() ? loadSeconds(round) : turn);
    }
    return phases.isEmpty() || (round > 0 && effort.isSmall());
  }

  private void turn(StoreLifecycle lifecycle, PhaseSpec spec, int round, double seconds) {
    parent.accept(new Message.Progress("warm-up", 0));
    boolean first = spec.operation().loads() && population.loaded() < records;
    Population holds = first ? new Population(records, workset.room()) : population;
    boolean inserts = spec.involves(Operation.INSERT) && !spec.operation().loads();
    if (holds.loaded() == 0 || (inserts && holds.left() <= spec.threads())) {
      return;
    }
    // a transaction or batch around the phase holds all of it in memory: no more than the data
    boolean grouped = plan.configuration().access() != Access.SINGLE;
    long max = spec.writes() && grouped ? records : spec.operations();
    if (spec.operation() == Operation.DELETE) {
      max = Math.max(1, holds.loaded() / DELETED);
    }
    if (inserts) {
      long left = holds.left() - spec.threads();
      max = max == 0 ? left : Math.min(max, left);
    }
    PhaseSpec shortened = spec.sized(max, seconds).withCold(false).withRate(null);
    Target target = lifecycle.targetFor(spec.withCold(false));
    PhaseResult result =
        new PhaseRun(
                shortened,
                workset,
                holds,
                Seeds.derive(Seeds.derive(plan.seed(), "warm-up"), round),
                1,
                new TrialTotals(),
                _ -> parent.accept(new Message.Progress("warm-up", 0)))
            .run(target)
            .getFirst();
    if (first && result.operations() > population.loaded()) {
      population =
          result.operations() == records
              ? holds
              : new Population(result.operations(), workset.room());
    }
    boolean quick = result.nanosPerOperation() * spec.threads() < CHUNK_BELOW_NANOS;
    chunks.put(spec.name(), quick ? TrialPlan.CHUNK : 1);
  }

  /** The first load ends early where it is slow, and then it is the only one. */
  private static double loadSeconds(int round) {
    return round == 0 ? MIN_ROUND_SECONDS : 0;
  }

  private boolean loads() {
    return plan.phases().stream().anyMatch(spec -> spec.operation().loads());
  }
}
