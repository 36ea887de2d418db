package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Timeline;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.SweepPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Results with everything that a run can have: rates, searches, sweeps, timelines and cold phases.
 */
public final class RichResults {
  static final Rate.Limit LIMIT = Rate.Limit.parse("p99 < 2ms");

  static final List<String> ENGINES =
      List.of(
          "rocksdb",
          "lmdb",
          "sqlite",
          "speedb",
          "xodus",
          "mvstore",
          "leveldb",
          "mdbx",
          "berkeley",
          "h2",
          "chronicle",
          "sparkey");

  private static final List<String> PHASES =
      List.of(
          "open",
          "load",
          "read",
          "update",
          "scan",
          "mixed",
          "delete",
          "read (zipfian)",
          "reverse",
          "background updates");

  private final Random random = new Random(11);

  private RichResults() {}

  /** Twelve engines at a fixed rate and in a search, a cold phase, and a sweep of four points. */
  public static Results all() {
    RichResults rich = new RichResults();
    List<ExperimentResult> experiments = new ArrayList<>();
    experiments.add(rich.rates());
    for (double records : new double[] {10_000, 100_000, 1_000_000, 10_000_000}) {
      experiments.add(rich.point(records));
    }
    return of(experiments);
  }

  /**
   * The given number of configurations and phases, with five trials each, and everything in each.
   */
  static Results many(int configurations, int count) {
    RichResults rich = new RichResults();
    List<String> phases = PHASES.subList(0, count);
    List<ConfigurationResult> list = new ArrayList<>();
    for (int i = 0; i < configurations; i++) {
      double mean = 800 * Math.exp(0.1 * i);
      String engine = ENGINES.get(i % ENGINES.size());
      List<TrialResult> trials = new ArrayList<>();
      for (int number = 1; number <= 5; number++) {
        List<PhaseResult> results = new ArrayList<>();
        results.add(FakeResults.phase("open", 1, Math.round(mean * 1e4), 1, null));
        for (String phase : phases.subList(1, phases.size())) {
          results.add(rich.phase(phase, mean * (1 + phase.length() / 5.0), 20_000, 300));
        }
        trials.add(FakeResults.trial(number, null, results));
      }
      list.add(
          FakeResults.configuration(engine + " variant " + i, engine, "equal", "process", trials));
    }
    return of(List.of(experiment("many", null, 0, phases, list)));
  }

  /** A phase at a fixed rate. */
  static PhaseResult paced(
      double wanted, double achieved, boolean held, String response, String lateness) {
    return FakeResults.phase("paced", 20_000, Math.round(20_000 * 1e9 / achieved), 2, response)
        .with(new OpenLoop(wanted, held, response, lateness, LIMIT, List.of()), null);
  }

  /** A histogram of the given number of latencies around a mean, in nanoseconds. */
  static String histogram(Random random, double mean, int samples) {
    Histogram histogram = new Histogram(3);
    histogram.setAutoResize(true);
    for (int i = 0; i < samples; i++) {
      double tail = random.nextInt(300) == 0 ? 8 + 30 * random.nextDouble() : 1;
      histogram.recordValue(
          Math.max(1, Math.round(mean * 0.9 * tail * Math.exp(0.3 * random.nextGaussian()))));
    }
    return EncodedHistogram.of(histogram);
  }

  /** A timeline of equal intervals of 50 ms. */
  static Timeline timeline(Random random, double perSecond, int intervals, boolean tells) {
    List<Long> operations = new ArrayList<>();
    List<Long> busy = new ArrayList<>();
    List<Long> gc = new ArrayList<>();
    List<Integer> compactions = new ArrayList<>();
    for (int i = 0; i < intervals; i++) {
      boolean compacts = tells && i % 40 > 28;
      double slow = compacts ? 0.6 : 1;
      operations.add(Math.round(perSecond * 0.04 * slow * Math.exp(0.08 * random.nextGaussian())));
      busy.add(40_000_000L);
      gc.add(i % 37 == 5 ? 2_000_000L : 0L);
      compactions.add(tells ? (compacts ? 2 : 0) : -1);
    }
    return new Timeline(50_000_000, operations, busy, gc, compactions);
  }

  private static Results of(List<ExperimentResult> experiments) {
    Results base = FakeResults.of(experiments);
    return FakeResults.named(base, base.stadium(), "everything");
  }

  private static ExperimentResult experiment(
      String name,
      @Nullable SweepPoint point,
      long memory,
      List<String> phases,
      List<ConfigurationResult> configurations) {
    return FakeResults.experiment(
        name,
        "Which store serves " + (point == null ? name : point.sweep()) + " best?",
        point,
        memory,
        Map.of("records", "1,000,000"),
        phases,
        configurations);
  }

  private ExperimentResult rates() {
    List<ConfigurationResult> list = new ArrayList<>();
    for (String engine : ENGINES) {
      double mean = 1_500 * Math.exp(0.25 * list.size());
      boolean held = list.size() < 10;
      List<TrialResult> trials = new ArrayList<>();
      for (int number = 1; number <= 5; number++) {
        double own = mean * Math.exp(0.02 * random.nextGaussian());
        PhaseResult cold = phase("cold read", own, 20_000, 200);
        PhaseResult paced =
            paced(
                50_000,
                held ? 50_000 : 31_000,
                held,
                histogram(random, own * (held ? 3 : 400), 20_000),
                histogram(random, list.isEmpty() ? 900 : 90, 5_000));
        PhaseResult search = search(own);
        trials.add(FakeResults.trial(number, null, List.of(cold, paced, search)));
      }
      list.add(FakeResults.configuration(engine, engine, "equal", "process", trials));
    }
    return experiment(
        "reads at a rate", null, 512L << 20, List.of("cold read", "paced", "search"), list);
  }

  private PhaseResult search(double mean) {
    double best = 1e8 / mean;
    List<OpenLoop.Try> tries = new ArrayList<>();
    for (double share : new double[] {2, 1, 1.41, 1.19, 1.09}) {
      tries.add(new OpenLoop.Try(best * share, share <= 1, Math.round(1.6e6 * share * share)));
    }
    String response = histogram(random, mean * 20, 20_000);
    return FakeResults.phase("search", 20_000, Math.round(20_000 * 1e9 / best), 2, response)
        .with(
            new OpenLoop(best, true, response, histogram(random, 80, 5_000), LIMIT, tries),
            timeline(random, best, 60, false));
  }

  private ExperimentResult point(double records) {
    List<ConfigurationResult> list = new ArrayList<>();
    for (String engine : ENGINES.subList(0, 4)) {
      double growth = engine.equals("lmdb") ? 0.05 : 0.15;
      double mean = (600 + 200 * list.size()) * Math.pow(records / 1e4, growth);
      List<TrialResult> trials = new ArrayList<>();
      for (int number = 1; number <= 3; number++) {
        trials.add(
            FakeResults.trial(
                number,
                null,
                List.of(
                    FakeResults.phase("open", 1, Math.round(mean * 1e4 * number), 1, null),
                    phase("read", mean * Math.exp(0.05 * random.nextGaussian()), 10_000, 80))));
      }
      list.add(FakeResults.configuration(engine, engine, "equal", "process", trials));
    }
    SweepPoint point = new SweepPoint("growth", "records", records);
    return experiment(point.title(), point, 0, List.of("open", "read"), list);
  }

  private PhaseResult phase(String name, double mean, int operations, int intervals) {
    double own = mean * Math.exp(0.02 * random.nextGaussian());
    return FakeResults.phase(
            name, operations, Math.round(own * operations), 1, histogram(random, own, operations))
        .with(null, timeline(random, 1e9 / own, intervals, name.length() % 2 == 0));
  }
}
