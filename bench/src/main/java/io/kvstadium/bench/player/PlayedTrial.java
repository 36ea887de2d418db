package io.kvstadium.bench.player;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.measure.Counters;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.measure.ThroughputRecorder;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.EncodedHistogram;
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
import org.HdrHistogram.Histogram;
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
      costs.after(spec, new Usage(-1, 0, phases.getLast().cost().readBytes(), -1));
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
    Histogram latencies = new Histogram(Counters.SIGNIFICANT_DIGITS);
    long origin = System.nanoTime();
    ThroughputRecorder throughput = new ThroughputRecorder(origin);
    long mostNanos = spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE;
    long readBefore = DeviceIo.read(Long.toString(player.pid()));
    long nanos = 0;
    long done = 0;
    long entries = 0;
    long read = 0;
    long written = 0;
    long cpu = 0;
    int size = FIRST_OPERATIONS;
    progress(spec.name(), 0);
    while (nanos < mostNanos && operations.write(trace, size) > 0) {
      long offset = System.nanoTime();
      Message.Played played = player.does(task(spec, values, mostNanos - nanos));
      operations.played(played.operations());
      PhaseRun.check(spec.name(), played.wrong(), played.misses(), done + played.operations());
      played
          .latencies()
          .forEach(each -> latencies.recordValueWithCount(each.getFirst(), each.getLast()));
      played
          .intervals()
          .forEach(each -> throughput.add(offset + each.getFirst(), each.get(1), each.getLast()));
      nanos += played.nanos();
      done += played.operations();
      entries += played.entries();
      read += played.readBytes();
      written += played.writtenBytes();
      cpu += played.cpuNanos();
      totals.look(Long.toString(player.pid()));
      double perSecond = 1e9 * done / Math.max(1, nanos);
      double seconds = Math.min(SECONDS, 1.1 * (mostNanos - nanos) / 1e9);
      size = (int) Math.clamp(perSecond * seconds, 1, MAX_OPERATIONS);
      progress(spec.name(), Math.min(1, (double) nanos / mostNanos));
    }
    PhaseRun.check(spec.name(), null, 0, done);
    Files.deleteIfExists(trace);
    operations.end(done, written);
    totals.wrote(written);
    boolean whole = spec.operation() == Operation.SCAN_ALL;
    long readAfter = DeviceIo.read(Long.toString(player.pid()));
    long count = whole ? Math.max(1, entries) : done;
    return new PhaseResult(
        spec.name(),
        spec.operation().word(),
        count,
        Math.max(1, nanos),
        1,
        entries,
        read + written,
        whole ? (int) Math.min(count, Integer.MAX_VALUE) : spec.shape().batch(),
        new Cost(
            cpu,
            -1,
            -1,
            readBefore < 0 || readAfter < 0 ? -1 : readAfter - readBefore,
            -1,
            -1,
            null),
        whole ? null : EncodedHistogram.of(latencies),
        null,
        whole ? null : throughput.timeline(),
        null,
        null);
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
