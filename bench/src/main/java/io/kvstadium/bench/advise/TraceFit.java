package io.kvstadium.bench.advise;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.replay.TraceParts;
import io.kvstadium.bench.run.Executor;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Settings;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.trace.stat.Distribution;
import io.kvstadium.trace.stat.TraceStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A suite of some hundred bytes that imitates a trace. */
public final class TraceFit {
  private static final int ROUNDS = 3;
  private static final double SECONDS = 3;
  private static final double MIN_SHARE = 0.001;
  private static final int MAX_THREADS = 16;

  private final Path file;
  private final TraceParts parts;
  private final TraceStatistics statistics = new TraceStatistics();
  private final Map<String, Double> mix = new LinkedHashMap<>();
  private final List<String> missing = new ArrayList<>();

  /** Reads a trace. */
  public TraceFit(Path file) {
    this.file = file;
    this.parts = new TraceParts(file);
    try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
      for (Operation next = reader.next(); next != null; next = reader.next()) {
        statistics.add(next);
      }
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + " (" + e + ")", e);
    }
    mix();
  }

  private long count(Kind... kinds) {
    long count = 0;
    for (Kind kind : kinds) {
      TraceStatistics.OfKind of = statistics.kinds().get(kind);
      count += of == null ? 0 : of.count() - of.misses() - of.failed();
    }
    return count;
  }

  private void mix() {
    long puts = count(Kind.PUT, Kind.PUT_EXPIRING);
    long inserts = Math.min(puts, parts.keys() - parts.existing());
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("get", count(Kind.GET, Kind.CONTAINS));
    counts.put("update", puts - inserts);
    counts.put("insert", inserts);
    counts.put("delete", Math.min(count(Kind.DELETE, Kind.DELETE_IF), inserts));
    counts.put("scan", count(Kind.SCAN));
    counts.put("read-modify-write", count(Kind.PUT_IF));
    double all = counts.values().stream().mapToLong(Long::longValue).sum();
    counts.values().removeIf(count -> count < MIN_SHARE * all);
    double kept = counts.values().stream().mapToLong(Long::longValue).sum();
    if (kept == 0) {
      throw new BadArgumentException(
          file + ": none of its operations has a counterpart in suites: use bench --trace");
    }
    counts.forEach((operation, count) -> mix.put(operation, Math.round(1e4 * count / kept) / 1e4));
    String most = mix.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    double others =
        mix.values().stream().mapToDouble(Double::doubleValue).sum() - mix.getOrDefault(most, 0.0);
    mix.put(most, 1 - others); // so that they add up to 1
    double hits = statistics.hitRatio();
    if (hits < 1 - MIN_SHARE) {
      missing.add(String.format(Locale.ROOT, "gets that miss, %.0f %%", 100 * (1 - hits)));
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

  /** The suite's text. */
  public String toml() {
    double[] zipf = statistics.zipf();
    String distribution =
        zipf == null || zipf[0] < 0.05
            ? "uniform"
            : String.format(Locale.ROOT, "zipfian:%.2f", Math.min(zipf[0], 2));
    String operations =
        mix.entrySet().stream()
            .map(each -> String.format(Locale.ROOT, "%s = %.4f", each.getKey(), each.getValue()))
            .collect(Collectors.joining(", "));
    String scans =
        mix.containsKey("scan") ? "scan_length = \"" + range(statistics.scanned(), 1) + "\"\n" : "";
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
    seconds = 5
    """
        .formatted(
            statistics.operations(),
            missing.isEmpty() ? "" : "\n# Not in it: " + String.join("; ", missing) + ".",
            Math.max(1, Math.max(parts.existing(), parts.keys() / 2)),
            Math.clamp(statistics.keyBytes().quantile(0.5), 8, 256),
            range(statistics.valueBytes(), parts.bytes() / parts.keys()),
            operations,
            distribution,
            scans,
            Math.clamp(statistics.threads(), 1, MAX_THREADS));
  }

  /** The middle nine tenths. */
  private static String range(Distribution of, long usual) {
    long low = of.total() == 0 ? usual : Math.max(1, of.quantile(0.05));
    long high = of.total() == 0 ? usual : Math.max(1, of.quantile(0.95));
    return high <= 1.1 * low ? Long.toString(high) : low + ".." + high;
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

  /** Measures the replay and the suite, alternately. */
  public List<Fit> compare(
      Path suite, List<String> names, Engines engines, Executor executor, Settings settings) {
    Needs needs = new Needs(null, 0, 0, 0);
    TrialRunner runner = new TrialRunner(executor, settings.out(), needs);
    Work replay = new TraceWorkload(file, settings).small(1, SECONDS);
    Work imitation =
        new SuiteWorkload(SuiteFile.find(suite.toString()), settings).small(1, SECONDS);
    List<Fit> fits = new ArrayList<>();
    for (String name : names) {
      Configuration own =
          new Candidate(engines.engine(name).info(), Map.of()).on(1, Durability.PROCESS);
      List<Figures> replayed = new ArrayList<>();
      List<Figures> imitated = new ArrayList<>();
      for (int round = 1; round <= ROUNDS; round++) {
        replayed.add(run(runner, replay, own, engines, round));
        imitated.add(run(runner, imitation, own, engines, round));
      }
      Figures a = Figures.typical(replayed);
      Figures b = Figures.typical(imitated);
      String failure = a.failure() == null ? b.failure() : a.failure();
      if (failure != null) {
        throw new BadArgumentException(name + " cannot be compared: " + failure);
      }
      fits.add(new Fit(name, a.rate(), b.rate()));
    }
    return fits;
  }

  private static Figures run(
      TrialRunner runner, Work work, Configuration configuration, Engines engines, int round) {
    Plan plan = work.plan(engines, List.of(configuration), Durability.PROCESS, 0);
    PlannedTrial trial = plan.round(round).getFirst();
    return runner.run(trial, plan, work);
  }
}
