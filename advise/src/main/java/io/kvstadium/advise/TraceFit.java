package io.kvstadium.advise;

import io.kvstadium.bench.measure.source.ReplayTrace;
import io.kvstadium.bench.measure.source.TraceParts;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Planner;
import io.kvstadium.bench.plan.ReplaySuite;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.trace.KeyHash;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.trace.stat.Distribution;
import io.kvstadium.trace.stat.TraceStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * A suite of some hundred bytes that imitates a trace, and what it is compared with: the replay of
 * the same operations, the last ones of the trace, on the entries that were there before them.
 */
public final class TraceFit {
  private static final int ROUNDS = 3;
  private static final int MAX_OPERATIONS = 400_000;
  private static final double MIN_SHARE = 0.001;
  private static final int MAX_THREADS = 16;

  /** Sizes are of one length, or uniform, if their middle is as close to the mean as this. */
  private static final double NEAR = 0.1;

  private final Path part;
  private final ReplayTrace trace;
  private final TraceStatistics statistics = new TraceStatistics();
  private final Distribution values = new Distribution();
  private final Set<Long> present = new HashSet<>();
  private final Map<Integer, Long> lastRead = new HashMap<>();
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final List<String> missing = new ArrayList<>();

  /**
   * Reads a trace.
   *
   * @param directory for the part of it that is replayed
   */
  public TraceFit(Path file, Path directory) {
    TraceParts parts = new TraceParts(file);
    long from = Math.max(0, parts.operations() - MAX_OPERATIONS);
    part = directory.resolve("part.trace");
    parts.write(new TraceParts.Part(from, parts.operations(), 1, 0), part);
    trace = ReplayTrace.read(part);
    try (TraceReader reader = new TraceReader(Files.newInputStream(part))) {
      long before = TraceParts.before(reader.header());
      for (Operation next = reader.next(); next != null; next = reader.next()) {
        if (before-- > 0) {
          present.add(hash(next));
          values.add(next.length());
        } else {
          statistics.add(next);
          count(next);
        }
      }
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + part + " (" + e + ")", e);
    }
    double all = operations();
    counts.values().removeIf(count -> count < MIN_SHARE * all);
    if (counts.isEmpty()) {
      throw new BadArgumentException(
          file + ": none of its operations has a counterpart in suites: use bench --trace");
    }
    if (trace.startEntries() == 0 && !counts.containsKey("insert")) {
      throw new BadArgumentException(
          file
              + ": it has no operation on an entry that was there, nor one that makes an entry, so"
              + " that a suite would have no data: record for longer, or use bench --trace");
    }
    noteMissing();
  }

  private static long hash(Operation operation) {
    byte[] key = operation.key();
    return key == null ? 0 : KeyHash.of(KeyHash.seed(operation.table()), key);
  }

  private void count(Operation next) {
    boolean done = next.outcome() == Outcome.OK || next.outcome() == Outcome.UNKNOWN;
    boolean missed = next.outcome() == Outcome.MISS;
    long hash = hash(next);
    Long read = lastRead.remove(next.thread());
    switch (next.kind()) {
      case GET, CONTAINS -> {
        if (done || missed) {
          add("get", 1);
          lastRead.put(next.thread(), hash);
        }
      }
      case PUT, PUT_EXPIRING -> {
        if (done) {
          values.add(next.length());
          add(present.add(hash) ? "insert" : "update", 1);
        }
      }
      case PUT_IF -> {
        boolean computed = read != null && read == hash;
        if (done && present.add(hash)) {
          values.add(next.length());
          add("insert", 1);
        } else if (done) {
          values.add(next.length());
          add("compute", 1);
          add("get", computed ? -1 : 0); // its first part
        } else if (missed) {
          add("get", 1);
        }
      }
      case DELETE, DELETE_IF -> {
        if (done) {
          present.remove(hash);
          add("delete", 1);
        }
      }
      case SCAN -> add("scan", 1);
      default -> {}
    }
  }

  private void add(String operation, long count) {
    counts.merge(operation, count, Long::sum);
  }

  private long operations() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private void noteMissing() {
    double hits = statistics.hitRatio();
    if (hits < 1 - MIN_SHARE) {
      missing.add(String.format(Locale.ROOT, "that %.0f %% of the gets miss", 100 * (1 - hits)));
    }
    if (statistics.kinds().containsKey(Kind.BEGIN)) {
      missing.add("transactions");
    }
    if (statistics.kinds().containsKey(Kind.BATCH)) {
      missing.add("batches and gets of several keys, which are single operations here");
    }
    if (statistics.kinds().containsKey(Kind.DELETE_RANGE)) {
      missing.add("removals of ranges");
    }
    if (statistics.tables().size() > 1) {
      missing.add(statistics.tables().size() + " tables, which are one here");
    }
  }

  /** What suites cannot say of it. */
  public List<String> missing() {
    return missing;
  }

  /** Shares that add up to 1. */
  private String mix() {
    double all = operations();
    String most = Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    double left = 1;
    StringBuilder mix = new StringBuilder();
    for (Map.Entry<String, Long> each : counts.entrySet()) {
      if (!each.getKey().equals(most)) {
        double share = Math.round(1e4 * each.getValue() / all) / 1e4;
        left -= share;
        mix.append(String.format(Locale.ROOT, ", %s = %.4f", each.getKey(), share));
      }
    }
    return String.format(Locale.ROOT, "%s = %.4f%s", most, left, mix);
  }

  /** The suite's text. */
  public String toml() {
    double[] zipf = statistics.zipf();
    String distribution =
        zipf == null || zipf[0] < 0.05
            ? "uniform"
            : String.format(Locale.ROOT, "zipfian:%.2f", Math.min(zipf[0], 2));
    String scans =
        counts.containsKey("scan") ? "scan_length = \"" + sizes(statistics.scanned()) + "\"\n" : "";
    int threads = Math.min(trace.busyThreads(), MAX_THREADS);
    return """
    # Imitates %,d operations of a trace, by stadium trace fit.%s
    name = "fitted"
    description = "what an application did, about"

    [[experiment]]
    name = "fitted"

    [experiment.data]
    records = %d
    key = "random-bytes:%d"
    value_size = "%s"

    [[experiment.phase]]
    name = "load"
    operation = "insert"
    batch = 1000

    [[experiment.phase]]
    name = "run"
    operation = "mixed"
    mix = { %s }
    distribution = "%s"
    %sthreads = %d
    operations = %d
    """
        .formatted(
            operations(),
            missing.isEmpty() ? "" : "\n# Not in it: " + String.join("; ", missing) + ".",
            Math.max(threads, trace.startEntries()),
            Math.clamp(trace.meanKey(), 8, 256),
            sizes(values),
            mix(),
            distribution,
            scans,
            threads,
            operations());
  }

  /** Sizes with the same mean: all alike, uniform, or, where a few are large, exponential. */
  private static String sizes(Distribution of) {
    long low = of.quantile(0.05);
    long high = of.quantile(0.95);
    double mean = Math.max(1, of.mean());
    return high <= (1 + NEAR) * low || of.total() == 0
        ? Long.toString(Math.round(mean))
        : Math.abs((low + high) / 2.0 / mean - 1) <= NEAR
            ? low + ".." + high
            : String.format(
                Locale.ROOT, "pareto:%.0f,0,%d,%d", Math.max(1, mean - low), low, of.max());
  }

  /**
   * How an engine does.
   *
   * @param replayed operations per second in the replay
   * @param imitated in the suite
   */
  public record Fit(String engine, double replayed, double imitated) {
    /** How far off the suite is: 0.2 for a fifth, either way. */
    public double off() {
      return Math.max(replayed / imitated, imitated / replayed) - 1;
    }
  }

  /**
   * Measures the replay and the suite, alternately.
   *
   * @param settings with the engines, and the directory of the campaign
   * @throws java.util.concurrent.CancellationException if the runner was stopped
   */
  public List<Fit> compare(Path suite, Runner runner, Settings settings) {
    Suite replay = ReplaySuite.of(part, "max", null);
    Suite imitation = SuiteFile.find(suite.toString());
    long heap = Math.max(replay.heap(), imitation.heap());
    Suite both =
        new Suite(
            "fit",
            "",
            ROUNDS,
            0,
            heap,
            List.of(replay.experiments().getFirst(), imitation.experiments().getFirst()));
    Plan plan =
        new Planner(runner.languages(), settings).plan(both).warmedUpFor(Halving.WARM_UP_SECONDS);
    plan.leftOut().stream()
        .findFirst()
        .ifPresent(each -> {
          throw cannot(each.configuration().name(), each.reason());
        });
    Results results = runner.run(plan);
    if (!results.complete()) {
      throw new CancellationException();
    }
    double perCall = (double) operations() / trace.calls();
    Map<String, Double> replayed = rates(results.experiments().getFirst());
    Map<String, Double> imitated = rates(results.experiments().getLast());
    List<Fit> fits = new ArrayList<>();
    replayed.forEach((name, rate) ->
        fits.add(new Fit(name, rate * perCall, Objects.requireNonNull(imitated.get(name)))));
    return fits;
  }

  /** Of the last phase, which is all but the load. */
  private static Map<String, Double> rates(ExperimentResult experiment) {
    String phase = experiment.plan().phases().getLast().name();
    Map<String, Double> rates = new LinkedHashMap<>();
    for (ConfigurationResult each : experiment.configurations()) {
      each.trials().stream()
          .map(TrialResult::failure)
          .filter(Objects::nonNull)
          .findFirst()
          .ifPresent(why -> {
            throw cannot(each.name(), why);
          });
      rates.put(each.name(), Figures.RATE.of(Trials.of(each, phase).samples()));
    }
    return rates;
  }

  private static BadArgumentException cannot(String engine, String why) {
    return new BadArgumentException(engine + " cannot be compared: " + why);
  }
}
