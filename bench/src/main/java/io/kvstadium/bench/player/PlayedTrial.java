package io.kvstadium.bench.player;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.CostRecorder;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.Settling;
import io.kvstadium.bench.trial.Trial;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.bench.trial.WorksetSource;
import io.kvstadium.store.Capability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Does what a plan says in another language: writes the operations of its phases as traces, which a
 * {@link Player} plays. Phases are those of a {@link Trial}; those that only read are first played
 * untimed for a moment.
 */
public final class PlayedTrial {
  private static final double RAMP_SECONDS = 0.3;

  private final TrialPlan plan;
  private final EngineInfo engine;
  private final Player player;
  private final Consumer<Message> parent;
  private final PlayedStore store;
  private final TrialTotals totals = new TrialTotals();
  private final List<PhaseResult> phases = new ArrayList<>();

  /**
   * @param engine of the player
   * @param parent is told of progress
   */
  public PlayedTrial(TrialPlan plan, EngineInfo engine, Player player, Consumer<Message> parent) {
    this.plan = plan;
    this.engine = engine;
    this.player = player;
    this.parent = parent;
    this.store =
        new PlayedStore(plan.configuration(), engine, player, plan.storeDirectory("store"));
  }

  /**
   * Runs it to its end, good or bad.
   *
   * @throws Player.EndedException if the player has ended
   */
  public Message.Done run() throws IOException {
    try {
      Files.createDirectories(Path.of(plan.directory()));
      Workset workset = WorksetSource.of(plan);
      return new Message.Done(measure(workset), workset.describe());
    } catch (TrialFailure | StadiumException e) {
      return new Message.Done(
          new TrialResult(plan.number(), plan.seed(), e.getMessage(), phases, CostCard.UNKNOWN),
          Map.of());
    }
  }

  private TrialResult measure(Workset workset) throws IOException {
    Population population = new Population(workset.size(), workset.room());
    ValueFile values = ValueFile.of(workset, plan.storeDirectory("values"));
    CostRecorder costs =
        new CostRecorder(
            plan.storeDirectory("store"), workset, population, totals, new Settling(), parent);
    phases.add(PhaseResult.once("create", store.open()));
    boolean restarts = engine.capabilities().contains(Capability.PERSISTENT);
    for (PhaseSpec spec : plan.phases()) {
      costs.before(spec, store::background);
      if (costs.replaces(spec)) {
        store.close();
        costs.replaced();
      }
      store.prepare(spec);
      if (ramps(spec)) {
        PhaseSpec ramp = spec.sized(0, RAMP_SECONDS).withRate(null).withBackground(null);
        long other = Seeds.derive(plan.seed(), "ramp"); // not the keys that are read then
        List<PhaseResult> _ = phase(spec, other, workset, population, values).run(ramp);
      }
      List<PhaseResult> results = phase(spec, plan.seed(), workset, population, values).run(spec);
      phases.addAll(results);
      costs.after(spec, new Usage(-1, 0, results.getFirst().cost().readBytes(), -1, 0));
      if (restarts && spec.operation().loads()) {
        restarts = false;
        store.close();
        costs.closed();
        phases.add(PhaseResult.once("open", store.open()));
      }
    }
    costs.settle(store::background);
    store.close();
    phases.add(PhaseResult.once("close", store.closeNanos()));
    costs.ended();
    return new TrialResult(plan.number(), plan.seed(), null, phases, costs.card());
  }

  private PlayedPhase phase(
      PhaseSpec spec, long seed, Workset workset, Population population, ValueFile values) {
    return new PlayedPhase(
        player,
        store,
        workset,
        population,
        seed,
        values,
        Path.of(plan.directory()),
        totals,
        share -> parent.accept(new Message.Progress(spec.name(), share)));
  }

  /** Whether a phase only reads: then the store's caches should be as they are in use. */
  private boolean ramps(PhaseSpec spec) {
    boolean once = spec.operation().whole() || spec.operation().is(Operation.Trait.OPENS);
    return plan.warmUpSeconds() > 0 && !spec.writes() && !spec.cold() && !once;
  }
}
