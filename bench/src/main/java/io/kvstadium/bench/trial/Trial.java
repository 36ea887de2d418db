package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Turns;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.operation.Checks;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does what a plan says: warms up, opens, runs the phases, closes. */
public final class Trial {
  private static final long CHECKED_AFTER_LOAD = 1_000;

  /** Before each phase: what the compiler does not get done meanwhile is part of the phase. */
  private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final TrialPlan plan;
  private final Opening opening;
  private final Turns turns;
  private final Consumer<Message> parent;
  private final Map<String, Integer> chunks = new HashMap<>();
  private final PhaseRecording recording;
  private @Nullable ReplayPhase replay;

  /** One that has all the time for itself. */
  public Trial(TrialPlan plan, Engines engines, Consumer<Message> parent) {
    this(plan, engines, Turns.NONE, parent);
  }

  /**
   * @param turns that it has
   * @param parent receives where it is
   */
  Trial(TrialPlan plan, Engines engines, Turns turns, Consumer<Message> parent) {
    this.plan = plan;
    this.turns = turns;
    this.recording = new PhaseRecording(plan.profiling());
    this.opening = new Opening(engines);
    this.parent = parent;
  }

  /** Runs it to its end, good or bad. */
  public TrialResult run(Workset workset) {
    List<PhaseResult> phases = new ArrayList<>();
    try {
      turns.begin("warm-up");
      ReplayPhase present = ReplayPhase.of(plan, opening, parent);
      replay = present;
      if (present != null) {
        present.warmUp();
      } else if (plan.warmUpSeconds() > 0) {
        chunks.putAll(new WarmUp(plan, opening, parent).run());
      }
      TrialResult result = measure(workset, phases, present);
      cleanUp();
      return result;
    } catch (TrialFailure | StadiumException e) {
      return new TrialResult(plan.number(), plan.seed(), e.getMessage(), phases, CostCard.UNKNOWN);
    }
  }

  /** The shape of what it worked on, after {@link #run}. */
  Map<String, Object> describe(Workset workset) {
    return replay == null ? workset.describe() : replay.describe();
  }

  private TrialResult measure(
      Workset workset, List<PhaseResult> phases, @Nullable ReplayPhase present) {
    Population holds = new Population(workset.size(), workset.room());
    TrialTotals totals = new TrialTotals();
    Path directory = plan.storeDirectory("store");
    Configuration configuration = plan.configuration();
    CostRecorder costs =
        new CostRecorder(directory, workset, holds, totals, new Settling(), parent);
    turns.begin("create");
    System.gc(); // what the warm-up left is not the first phase's to clean up
    long begin = System.nanoTime();
    StoreLifecycle lifecycle = new StoreLifecycle(opening, configuration, directory);
    phases.add(PhaseResult.once("create", System.nanoTime() - begin));
    boolean restarts = opening.keeps(configuration);
    try {
      for (PhaseSpec spec : plan.phases()) {
        turns.begin(spec.name());
        parent.accept(new Message.Progress(spec.name(), 0));
        costs.before(spec, lifecycle.target()::background);
        if (present != null && spec.replay() != null) {
          Usage before = Usage.now();
          phases.add(
              recording.during(spec.name(), () -> present.run(spec, lifecycle, totals, costs)));
          present.refuseDivergence();
          costs.after(spec, Usage.now().since(before));
          continue;
        }
        if (costs.replaces(spec)) {
          lifecycle.close();
          costs.replaced();
        }
        Target target = lifecycle.targetFor(spec);
        ramp(spec, target, workset, holds);
        if (plan.warmUpSeconds() > 0) {
          CompilerEffort.awaitRest(MAX_REST_NANOS);
        }
        PhaseRun run =
            new PhaseRun(
                spec,
                workset,
                holds,
                plan.seed(),
                plan.chunks().getOrDefault(spec.name(), chunks.getOrDefault(spec.name(), 1)),
                totals,
                share -> parent.accept(new Message.Progress(spec.name(), share)));
        Usage before = Usage.now();
        WriteCounts writes = new WriteCounts(spec, target, directory);
        List<PhaseResult> results =
            new ArrayList<>(recording.during(spec.name(), () -> run.run(target, turns)));
        results.set(0, writes.ended(results.getFirst(), costs));
        costs.after(spec, Usage.now().since(before));
        PhaseResult result = results.getFirst();
        if (spec.operation().loads() && result.histogram() == null) {
          checkLoaded(spec, target, workset);
        }
        if (spec.operation() != Operation.INSERT || target.takesPuts()) {
          // what was loaded in bulk instead is another figure
          phases.addAll(results);
        }
        if (restarts && spec.operation().loads()) {
          restarts = false;
          phases.add(PhaseResult.once("open", restart(lifecycle, costs)));
        }
      }
      turns.begin("close");
      costs.settle(lifecycle.target()::background);
    } catch (TrialFailure | StadiumException e) {
      closeAfter(e, lifecycle);
      cleanUp();
      throw e;
    }
    totals.look();
    Usage before = Usage.now();
    lifecycle.close();
    costs.add(Usage.now().since(before));
    costs.ended();
    phases.add(PhaseResult.once("close", lifecycle.closeNanos()));
    return new TrialResult(plan.number(), plan.seed(), null, phases, costs.card());
  }

  /**
   * Opens the loaded store again, as an application does when it starts: what the engine still held
   * in memory is then in its files.
   */
  private long restart(StoreLifecycle lifecycle, CostRecorder costs) {
    parent.accept(new Message.Progress("open", 0));
    Usage before = Usage.now();
    lifecycle.close();
    costs.closed();
    long nanos = lifecycle.restart();
    costs.add(Usage.now().since(before));
    return nanos;
  }

  /**
   * Runs a phase that only reads untimed, until the compiler rests or for 0.6 seconds: then the
   * store's caches are as they are in use, and its code is compiled for what it now holds.
   */
  private void ramp(PhaseSpec spec, Target target, Workset workset, Population holds) {
    boolean once = spec.operation().whole() || spec.operation().is(Operation.Trait.OPENS);
    if (plan.warmUpSeconds() <= 0 || spec.writes() || spec.cold() || once) {
      return;
    }
    PhaseSpec shortened = spec.sized(0, WarmUp.RAMP_SECONDS).withRate(null).withBackground(null);
    for (int i = 1; i <= WarmUp.MAX_RAMPS; i++) {
      long seed = Seeds.derive(Seeds.derive(plan.seed(), "ramp"), i);
      CompilerEffort effort = new CompilerEffort();
      new PhaseRun(shortened, workset, holds, seed, 1, new TrialTotals(), _ -> {}).run(target);
      parent.accept(new Message.Progress(spec.name(), 0));
      if (effort.isSmall()) {
        break;
      }
    }
  }

  /** A bulk load is one call: what it brought is looked at here, evenly over all keys. */
  private static void checkLoaded(PhaseSpec spec, Target target, Workset workset) {
    Checks checks = new Checks();
    long step = Math.max(1, workset.size() / CHECKED_AFTER_LOAD);
    for (long i = 0; i < workset.size(); i += step) {
      checks.check(workset, i, 0, target.get(workset.key(i)));
    }
    if (checks.misses > 0) {
      checks.wrong(checks.misses + " entries are missing after the load");
    }
    if (checks.firstWrong != null) {
      throw new TrialFailure("phase " + spec.name() + ": " + checks.firstWrong, null);
    }
  }

  /** What is in the trial's directory is removed with it; what is elsewhere would stay. */
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
}
