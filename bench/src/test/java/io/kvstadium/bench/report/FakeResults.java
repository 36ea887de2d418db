package io.kvstadium.bench.report;

import io.kvstadium.bench.fake.Phases;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.OperationLatency;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Request;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.SweepPoint;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.store.Durability;
import io.kvstadium.store.WriteStalls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Results as a real run would give them, made from a seed. */
public final class FakeResults {
  /** What a key in an engine's message could do to a page that does not escape it. */
  public static final String HOSTILE =
      "key '</script><script>document.title=\"owned\"</script>' & <b>\u2028</b> was not found";

  private static final List<String> COMMON =
      List.of("open", "load", "read", "update", "scan", "close");
  private static final List<String> CRUD =
      List.of("create", "write", "read", "read (transaction)", "scan", "update", "delete", "close");

  private final Random random;

  private FakeResults(long seed) {
    this.random = new Random(seed);
  }

  /** Three engines, one skipped, one failed trial, and the eight configurations of crud. */
  public static Results full() {
    return Full.RESULTS;
  }

  /** Made once, because a million latencies take time. */
  private static final class Full {
    static final Results RESULTS = make();

    private static Results make() {
      FakeResults fake = new FakeResults(7);
      return fake.results(List.of(fake.common(5), fake.crud()));
    }
  }

  /** As {@link #full}, with every read of rocksdb slower by a factor. */
  public static Results slowed(double factor) {
    Results full = full();
    List<ExperimentResult> experiments =
        full.experiments().stream().map(experiment -> slowed(experiment, factor)).toList();
    return named(full.withExperiments(experiments), "0.2.0", full.suite());
  }

  private static ExperimentResult slowed(ExperimentResult experiment, double factor) {
    return new ExperimentResult(
        experiment.plan(),
        experiment.data(),
        experiment.configurations().stream()
            .map(each -> each.name().equals("rocksdb") ? slowed(each, factor) : each)
            .toList());
  }

  private static ConfigurationResult slowed(ConfigurationResult own, double factor) {
    List<TrialResult> trials = new ArrayList<>();
    for (TrialResult trial : own.trials()) {
      List<PhaseResult> phases =
          trial.phases().stream()
              .map(phase ->
                  phase.name().equals("read")
                      ? phase(
                          phase.name(),
                          phase.operations(),
                          Math.round(phase.nanos() * factor),
                          phase.threads(),
                          phase.histogram())
                      : phase)
              .toList();
      trials.add(
          new TrialResult(trial.number(), trial.seed(), trial.failure(), phases, trial.card()));
    }
    return with(own.plan(), own, trials);
  }

  /** A copy with another plan and other trials. */
  public static ConfigurationResult with(
      Configuration plan, ConfigurationResult own, List<TrialResult> trials) {
    return new ConfigurationResult(
        plan,
        own.title(),
        own.version(),
        own.description(),
        own.effective(),
        own.settings(),
        own.evidence(),
        own.capabilities(),
        own.skipped(),
        trials);
  }

  /** A configuration with one phase of given speeds, one per trial. */
  public static ConfigurationResult speeds(String name, String phase, double... perSecond) {
    List<TrialResult> trials = new ArrayList<>();
    for (int i = 0; i < perSecond.length; i++) {
      long nanos = Math.round(1e9 * 100_000 / perSecond[i]);
      trials.add(trial(i + 1, null, List.of(phase(phase, 100_000, nanos, 1, null))));
    }
    return configuration(name, name, "equal", "process", trials);
  }

  /** Results of one experiment with the given configurations. */
  public static Results of(ConfigurationResult... configurations) {
    return new FakeResults(1)
        .results(
            List.of(
                experiment(
                    "reads",
                    "Which reads fastest?",
                    null,
                    0,
                    Map.of("records", "100,000"),
                    List.of("read"),
                    List.of(configurations))));
  }

  /** The same machine and data with other experiments and seconds. */
  public static Results of(List<ExperimentResult> experiments) {
    return new FakeResults(1).results(experiments);
  }

  /** The same for another version or suite. */
  public static Results named(Results own, String stadium, String suite) {
    return copy(own, stadium, suite, own.audit(), own.complete());
  }

  /** The same with another audit, or none. */
  public static Results audited(Results own, @Nullable Audit audit) {
    return copy(own, own.stadium(), own.suite(), audit, own.complete());
  }

  /** The same for a run that did not finish. */
  static Results interrupted(Results own) {
    return copy(own, own.stadium(), own.suite(), own.audit(), false);
  }

  private static Results copy(
      Results own, String stadium, String suite, @Nullable Audit audit, boolean complete) {
    return new Results(
        own.schema(),
        stadium,
        request(suite),
        own.started(),
        own.seconds(),
        complete,
        own.machine(),
        own.findings(),
        audit,
        own.experiments());
  }

  /**
   * Three engines' inserts and gets at several numbers of records, and an engine that is missing.
   */
  public static List<ExperimentResult> sweep(String name, long... records) {
    FakeResults fake = new FakeResults(3);
    List<String> phases = List.of("open", "insert", "select", "close");
    List<ExperimentResult> points = new ArrayList<>();
    for (long count : records) {
      double slower = Math.log10((double) count);
      double[] fast = {1e6, 4e5 / slower, 9e5 / slower, 4e5};
      double[] slow = {9e6, 5e4 / slower, 2e5 / slower, 1e6};
      double[] alike = {9e6, 4.9e4 / slower, 2e5 / slower, 1e6};
      SweepPoint point = new SweepPoint(name, "records", (double) count);
      points.add(
          experiment(
              point.title(),
              "How much slower is an SQL database?",
              point,
              0,
              Map.of("records", Long.toString(count)),
              phases,
              List.of(
                  configuration("bdb", "bdb", "equal", "process", fake.trials(3, phases, fast, 0)),
                  configuration("h2", "h2", "equal", "process", fake.trials(3, phases, slow, 0)),
                  configuration(
                      "mysql", "mysql", "equal", "process", fake.trials(3, phases, alike, 2)),
                  skipped("tkrzw", "no such engine"))));
    }
    return points;
  }

  /** A configuration without trials. */
  public static ConfigurationResult skipped(String name, String why) {
    return new ConfigurationResult(
        plan(name, name, Map.of(), "equal", "process"),
        name,
        "1",
        "",
        Durability.PROCESS,
        "",
        null,
        List.of(),
        why,
        List.of());
  }

  private static Configuration plan(
      String name, String engine, Map<String, String> options, String group, String durability) {
    return new Configuration(
        name, engine, options, Durability.of(durability), Access.SINGLE, group);
  }

  /** An experiment of phases whose operations do not matter. */
  public static ExperimentResult experiment(
      String name,
      String question,
      @Nullable SweepPoint point,
      long memory,
      Map<String, ?> data,
      List<String> phases,
      List<ConfigurationResult> configurations) {
    List<PhaseSpec> specs =
        phases.stream()
            .filter(phase -> !List.of("create", "open", "close").contains(phase))
            .map(phase -> PhaseSpec.of(phase, Operation.GET))
            .toList();
    DataSpec shape = DataSpec.of(1_000, "uint64", "100");
    return new ExperimentResult(
        new Experiment(name, question, point, memory, Aim.NONE, shape, specs, List.of()),
        new LinkedHashMap<>(data),
        configurations);
  }

  /** A trial of given phases. */
  public static TrialResult trial(int number, @Nullable String failure, List<PhaseResult> phases) {
    return new TrialResult(
        number,
        1000 + number,
        failure,
        phases,
        new CostCard(
            new CostCard.Sizes(130_000_000, 100_000_000, 120_000_000, 100_000_000),
            new CostCard.Settling(3_000_000_000L, true, List.of()),
            new CostCard.Memory(80_000_000, 40_000_000, 150_000_000),
            new CostCard.Traffic(5_000_000, 320_000_000, 110_000_000),
            List.of(
                new CostCard.Stalled(
                    "load",
                    2_000_000_000L,
                    -1,
                    List.of(new WriteStalls.Cause("checkpoints", 2, "set more"))))));
  }

  /** The same trial of a store of so many bytes, which was not held up. */
  public static TrialResult onDisk(long bytes, TrialResult own) {
    CostCard card = own.card();
    CostCard.Sizes sizes = new CostCard.Sizes(bytes, bytes, bytes, bytes);
    return new TrialResult(
        own.number(),
        own.seed(),
        own.failure(),
        own.phases(),
        new CostCard(sizes, card.settling(), card.memory(), card.traffic(), List.of()));
  }

  /** A phase without errors. */
  public static PhaseResult phase(
      String name, long operations, long nanos, int threads, @Nullable String histogram) {
    return Phases.with(
        Phases.with(
            PhaseResult.of(name, operation(name), operations, nanos),
            threads,
            operations,
            operations * 108,
            new Cost(nanos * threads, nanos / 100, operations * 64, 0, -1, -1, null)),
        histogram,
        1);
  }

  private static String operation(String phase) {
    return switch (phase) {
      case "load", "write" -> "insert";
      case "bulk load" -> "load";
      case "read", "read (transaction)", "select" -> "get";
      default -> phase;
    };
  }

  /** A configuration of one of the known engines. */
  public static ConfigurationResult configuration(
      String name, String engine, String group, String durability, List<TrialResult> trials) {
    String title =
        switch (engine) {
          case "lmdb" -> "LMDB";
          case "rocksdb" -> "RocksDB";
          case "sqlite" -> "SQLite";
          default -> engine;
        };
    Map<String, String> options = new LinkedHashMap<>();
    options.put("cache", "64m");
    options.put("tables", "1");
    return new ConfigurationResult(
        plan(name, engine, options, group, durability),
        title,
        "1.2.3",
        "An engine.",
        Durability.of(durability),
        engine.equals("sqlite") ? "journal_mode=WAL, synchronous=NORMAL" : "sync=false, wal=true",
        "tortured (kill 12 rounds), argued (docs/durability.md)",
        engine.equals("sqlite") ? List.of("snapshots", "online backups") : List.of("snapshots"),
        null,
        trials);
  }

  private static Request request(String suite) {
    return new Request(
        new Suite(suite, "", 5, 0, 1L << 29, List.of()),
        Settings.of(Path.of("/results"), "stadium run quick --trials 5")
            .with(copy -> copy.seed = 42),
        null);
  }

  private Results results(List<ExperimentResult> experiments) {
    return new Results(
        Results.SCHEMA,
        "0.1.0",
        request("quick"),
        "2026-11-20T22:13:00+01:00",
        312.5,
        true,
        new Machine(
            "AMD Ryzen 7 5800X 8-Core Processor",
            8,
            34_359_738_368L,
            "Linux 6.12.57",
            "Eclipse Adoptium 25.0.3+9",
            "ext4",
            "nvme0n1 (Samsung SSD 980 PRO)"),
        List.of(
            new Finding(
                Finding.Level.WARNING,
                "environment",
                "the CPU governor is 'powersave': set it to 'performance' for steadier figures"),
            new Finding(
                Finding.Level.NOTE,
                "lmdb",
                "gives power where process was asked: it has no level between")),
        new Audit(58, 11, 21, 9_400, 90, 2_100, Map.of()),
        experiments);
  }

  /** The same at power, whatever was asked for. */
  static ConfigurationResult stronger(ConfigurationResult own) {
    return believed(own, Durability.POWER, own.evidence());
  }

  /** The same with another level in force, and the evidence of that. */
  static ConfigurationResult believed(
      ConfigurationResult own, Durability effective, @Nullable String evidence) {
    return new ConfigurationResult(
        own.plan(),
        own.title(),
        own.version(),
        own.description(),
        effective,
        own.settings(),
        evidence,
        own.capabilities(),
        own.skipped(),
        own.trials());
  }

  private ExperimentResult common(int trials) {
    double[] rocksdb = {38e6, 4.1e5, 6.1e5, 3.6e5, 9.0e3, 22e6};
    double[] lmdb = {1.2e6, 3.4e5, 2.4e6, 1.9e5, 2.1e4, 4e5};
    double[] sqlite = {5e6, 1.2e5, 2.2e5, 1.1e5, 8.9e3, 9e5};
    List<ConfigurationResult> list = new ArrayList<>();
    for (String group : List.of("equal", "default")) {
      String durability = group.equals("equal") ? "process" : "engine-default";
      String suffix = group.equals("equal") ? "" : " as shipped";
      list.add(
          configuration(
              "rocksdb" + suffix,
              "rocksdb",
              group,
              durability,
              trials(trials, COMMON, rocksdb, 0)));
      ConfigurationResult own =
          configuration(
              "lmdb" + suffix,
              "lmdb",
              group,
              durability,
              trials(trials, COMMON, lmdb, group.equals("equal") ? 3 : 0));
      list.add(group.equals("equal") ? stronger(own) : own);
      list.add(
          configuration(
              "sqlite" + suffix, "sqlite", group, durability, trials(trials, COMMON, sqlite, 0)));
    }
    list.add(skipped("speedb", "no native library for linux-aarch64: run it on x86-64"));
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("records", "1,000,000");
    data.put("keys", "8 bytes, big-endian");
    data.put("values", "100 bytes, half compressible");
    data.put("reads", "uniform");
    return experiment(
        "point-reads",
        "Which store serves random reads of small values fastest?",
        null,
        0,
        data,
        COMMON,
        list);
  }

  private ExperimentResult crud() {
    Map<String, Double> totals = new LinkedHashMap<>();
    totals.put("sqlite journal", 68180.0);
    totals.put("sqlite journal, one transaction", 304.0);
    totals.put("sqlite wal", 1623.0);
    totals.put("sqlite wal, one transaction", 419.0);
    totals.put("rocksdb raw api", 317.0);
    totals.put("rocksdb", 334.0);
    totals.put("rocksdb, pessimistic transaction", 277.0);
    totals.put("rocksdb, one batch", 157.0);
    List<ConfigurationResult> list = new ArrayList<>();
    totals.forEach((name, total) -> {
      double rate = 10_000 / (total * 1e-3 / 5);
      double[] times =
          new double[] {12e6, rate, rate * 3, rate * 3.2, rate / 100, rate * 0.9, rate, 3e6};
      String engine = name.substring(0, name.indexOf(' ') < 0 ? name.length() : name.indexOf(' '));
      list.add(
          configuration(
              name,
              engine.replace(",", ""),
              "default",
              "engine-default",
              trials(3, CRUD, times, 0)));
    });
    return experiment(
        "crud",
        "SQLite is my bottleneck; is RocksDB worth a migration?",
        null,
        0,
        Map.of("records", "10,000"),
        CRUD,
        list);
  }

  /**
   * Trials whose conditions are common to all phases; the one numbered {@code failed} has failed.
   */
  private List<TrialResult> trials(int count, List<String> names, double[] speeds, int failed) {
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      // the conditions are the same for all configurations, as for paired trials
      double moment = Math.exp(0.05 * new Random(number).nextGaussian());
      List<PhaseResult> phases = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        double noise = moment * Math.exp(0.03 * random.nextGaussian());
        boolean single =
            Set.of("create", "open").contains(names.get(i)) || names.get(i).equals("close");
        if (single) {
          phases.add(phase(names.get(i), 1, Math.round(speeds[i] * noise), 1, null));
        } else {
          long operations = names.get(i).equals("scan") ? 2_000 : 10_000;
          double mean = 1e9 / speeds[i] * noise;
          phases.add(
              phase(
                  names.get(i),
                  operations,
                  Math.round(mean * operations),
                  1,
                  histogram(mean, operations)));
        }
      }
      trials.add(
          number == failed
              ? trial(number, HOSTILE, phases.subList(0, 2))
              : trial(number, null, phases));
    }
    return trials;
  }

  private String histogram(double mean, long samples) {
    return encoded(
        LongStream.range(0, samples)
            .map(_ -> {
              double tail = random.nextInt(300) == 0 ? 8 + 30 * random.nextDouble() : 1;
              double nanos = mean * 0.9 * tail * Math.exp(0.3 * random.nextGaussian());
              return Math.max(1, Math.round(nanos));
            }));
  }

  /** Latencies as encoded in results. */
  public static String encoded(LongStream nanos) {
    Histogram histogram = new Histogram(3);
    histogram.setAutoResize(true);
    nanos.forEachOrdered(histogram::recordValue);
    return EncodedHistogram.of(histogram);
  }

  /** Three trials of a mix in which every tenth update takes so long, with so much on disk. */
  static ConfigurationResult tailed(long tail, long disk) {
    List<TrialResult> trials = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      LongStream all = LongStream.range(0, 10_000).map(i -> i % 50 == 0 ? tail : 2_000);
      LongStream updates = LongStream.range(0, 2_000).map(i -> i % 10 == 0 ? tail : 2_000);
      LongStream gets = LongStream.range(0, 8_000).map(_ -> 2_000);
      PhaseResult mixed =
          phase("mixed", 10_000, 40_000_000, 1, encoded(all))
              .with(draft ->
                  draft.byOperation =
                      List.of(
                          new OperationLatency("get", 8_000, encoded(gets), null),
                          new OperationLatency("update", 2_000, encoded(updates), null)));
      trials.add(onDisk(disk, trial(number, null, List.of(mixed))));
    }
    return configuration("x", "x", "equal", "process", trials);
  }
}
