package io.kvstadium.bench.player;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.measure.Meter;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.operation.Checks;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.CostRecorder;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.Settling;
import io.kvstadium.bench.trial.Trial;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.bench.trial.WorksetSource;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does what a plan says in another language: writes the operations of its phases as traces, which a
 * {@link Player} plays. Phases are those of a {@link Trial}, except that nothing is warmed up.
 */
public final class PlayedTrial {
  /** Operations of a phase's first trace: nobody knows yet how long one takes. */
  private static final int FIRST_OPERATIONS = 2_000;

  private static final int MAX_OPERATIONS = 300_000;

  /** About how long a trace takes: the player is silent meanwhile. */
  private static final double SECONDS = 4;

  private final TrialPlan plan;
  private final EngineInfo engine;
  private final Player player;
  private final Consumer<Message> parent;
  private final Configuration configuration;
  private final Path store;
  private final Path trace;
  private final TrialTotals totals = new TrialTotals();
  private final List<PhaseResult> phases = new ArrayList<>();
  private Durability level;
  private boolean open;
  private boolean fresh = true;
  private long closeNanos;

  /**
   * @param engine of the player
   * @param parent is told of progress
   */
  public PlayedTrial(TrialPlan plan, EngineInfo engine, Player player, Consumer<Message> parent) {
    this.plan = plan;
    this.engine = engine;
    this.player = player;
    this.parent = parent;
    this.configuration = plan.configuration();
    this.store = plan.storeDirectory("store");
    this.trace = plan.storeDirectory("phase.trace");
    this.level = configuration.durability();
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
        new CostRecorder(store, workset, population, totals, new Settling(), parent);
    phases.add(PhaseResult.once("create", open()));
    boolean restarts = engine.capabilities().contains(Capability.PERSISTENT);
    for (PhaseSpec spec : plan.phases()) {
      costs.before(spec, this::background);
      prepare(spec);
      PhaseRun run = new PhaseRun(spec, workset, population, plan.seed(), 1, totals, _ -> {});
      try (PhaseTrace operations = new PhaseTrace(run, spec, values)) {
        phases.add(play(spec, operations, values));
      }
      costs.after(spec, new Usage(-1, 0, phases.getLast().cost().readBytes(), -1, 0));
      if (restarts && spec.operation().loads()) {
        restarts = false;
        close();
        costs.closed();
        phases.add(PhaseResult.once("open", open()));
      }
    }
    costs.settle(this::background);
    close();
    phases.add(PhaseResult.once("close", closeNanos));
    costs.ended();
    return new TrialResult(plan.number(), plan.seed(), null, phases, costs.card());
  }

  /** Has the store in the state that a phase wants. */
  private void prepare(PhaseSpec spec) throws IOException {
    Durability wanted = spec.durability() == null ? configuration.durability() : spec.durability();
    boolean anew = spec.startsAnew() && !fresh;
    boolean closed = spec.operation() == Operation.OPEN_GET;
    if (wanted != level || anew || closed) {
      close();
    }
    level = wanted;
    if (anew) {
      FileTrees.remove(store);
    }
    if (!open && !closed) {
      open();
    }
    fresh = false;
  }

  private PhaseResult play(PhaseSpec spec, PhaseTrace operations, ValueFile values)
      throws IOException {
    long origin = System.nanoTime();
    Meter meter = new Meter(List.of(), origin);
    Checks checks = meter.checks();
    boolean whole = spec.operation() == Operation.SCAN_ALL;
    long mostNanos = spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE;
    long readBefore = DeviceIo.read(Long.toString(player.pid()));
    long cpu = 0;
    long done = 0;
    int size = FIRST_OPERATIONS;
    progress(spec.name(), 0);
    while (meter.nanos() < mostNanos && operations.write(trace, size) > 0) {
      long offset = System.nanoTime();
      Message.Played played = player.does(task(spec, values, mostNanos - meter.nanos()));
      operations.played(played.operations());
      done += played.operations();
      meter.add(whole ? Math.max(1, played.entries()) : played.operations(), played.nanos());
      if (!whole) {
        played.latencies().forEach(each -> meter.took(each.getFirst(), each.getLast()));
        played
            .intervals()
            .forEach(each -> meter.ended(offset + each.getFirst(), each.get(1), each.getLast()));
      }
      checks.entries += played.entries();
      checks.bytes += played.readBytes() + played.writtenBytes();
      checks.writtenBytes += played.writtenBytes();
      checks.misses += played.misses();
      if (played.wrong() != null) {
        checks.wrong(played.wrong());
      }
      meter.check(spec.name());
      cpu += played.cpuNanos();
      totals.look(Long.toString(player.pid()));
      double perSecond = 1e9 * done / Math.max(1, meter.nanos());
      double seconds = Math.min(SECONDS, 1.1 * (mostNanos - meter.nanos()) / 1e9);
      size = (int) Math.clamp(perSecond * seconds, 1, MAX_OPERATIONS);
      progress(spec.name(), Math.min(1, (double) meter.nanos() / mostNanos));
    }
    Files.deleteIfExists(trace);
    operations.end(done, checks.writtenBytes);
    totals.wrote(checks.writtenBytes);
    long readAfter = DeviceIo.read(Long.toString(player.pid()));
    long read = readBefore < 0 || readAfter < 0 ? -1 : readAfter - readBefore;
    Usage used = new Usage(cpu, -1, read, -1, System.nanoTime() - origin);
    return Meter.phase(spec, List.of(meter), meter.nanos(), spec.shape().batch(), used, null);
  }

  private Map<String, Object> task(PhaseSpec spec, ValueFile values, long nanos) {
    Map<String, Object> task = new HashMap<>();
    if (open) {
      task.put("task", "play");
    } else {
      task.putAll(task("play_opening", configuration.reopened()));
    }
    task.put("trace", trace.toAbsolutePath().toString());
    task.put("values", values.file().toAbsolutePath().toString());
    task.put("seconds", spec.seconds() > 0 ? nanos / 1e9 : 0);
    return task;
  }

  private Map<String, Object> task(String name, Configuration as) {
    DurabilityMapping given = engine.durability().get(level);
    Map<String, Object> task = new HashMap<>();
    task.put("task", name);
    task.put("engine", as.engine());
    task.put("directory", store.toAbsolutePath().toString());
    task.put("options", as.options());
    task.put("durability", (given == null ? level : given.effective()).word());
    task.put("access", as.access().word());
    return task;
  }

  private long open() {
    long nanos = player.does(task("open", configuration)).nanos();
    open = true;
    return nanos;
  }

  /** A second call does nothing. */
  private void close() {
    if (open) {
      open = false;
      closeNanos = player.does(Map.of("task", "close")).nanos();
    }
  }

  private @Nullable BackgroundWork background() {
    Message.Played now = open ? player.does(Map.of("task", "background")) : null;
    return now == null || now.jobs() == null
        ? null
        : new BackgroundWork(now.jobs(), now.pendingBytes());
  }

  private void progress(String phase, double share) {
    parent.accept(new Message.Progress(phase, share));
  }
}
