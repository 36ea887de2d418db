package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Trend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Finds what a reader must know to trust, or distrust, the figure of one cell. */
final class Warnings {
  /** From this share of the store's files on, a cold phase did not begin cold. */
  static final double WARM_SHARE = 0.05;

  private static final String COLD = "run as root, so that the page cache can be emptied";

  private final List<Warning> warnings = new ArrayList<>();

  private Warnings() {}

  static List<Warning> of(Trials trials, @Nullable Pacing pacing, @Nullable Audit audit) {
    Warnings found = new Warnings();
    if (audit != null) {
      found.harness(trials, audit);
    }
    found.collection(trials);
    found.warm(trials);
    found.steadiness(trials);
    if (pacing != null) {
      found.pacing(pacing);
    }
    return found.warnings;
  }

  private void add(boolean applies, String word, String message, String advice) {
    if (applies) {
      warnings.add(new Warning(word, message, advice));
    }
  }

  /** The harness costs each thread its share, so it is set against the time of a thread. */
  private void harness(Trials trials, Audit audit) {
    double harness =
        share(
            trials.phases().stream()
                .filter(phase -> phase.operations() > 1 && phase.pace() == null)
                .mapToDouble(phase ->
                    (phase.batch() > 1 ? audit.batchedNanos() : audit.timedNanos())
                        / (phase.nanosPerOperation() * phase.threads())));
    add(
        harness > Report.HARNESS_SHARE,
        "harness-limited",
        "the harness itself is " + Units.percent(harness) + " of this figure",
        "expect differences between engines to be larger than shown");
  }

  private void collection(Trials trials) {
    double collection =
        share(trials.phases().stream().mapToDouble(p -> (double) p.cost().gcNanos() / p.nanos()));
    add(
        collection > Report.COLLECTION_SHARE,
        "garbage collection",
        "garbage collection took " + Units.percent(collection) + " of the time",
        "give trials more heap in the suite");
  }

  private void warm(Trials trials) {
    List<Caches> cold = new ArrayList<>();
    for (PhaseResult phase : trials.phases()) {
      if (phase.caches() != null) {
        cold.add(phase.caches());
      }
    }
    double resident = cold.stream().mapToDouble(Caches::resident).max().orElse(-1);
    boolean undropped = cold.stream().anyMatch(each -> each.dropped().equals("none"));
    if (resident > WARM_SHARE) {
      add(
          true,
          "warm",
          Units.percent(resident) + " of the files was in memory when it began",
          COLD);
    } else if (undropped && resident < 0) {
      add(true, "warm", "the page cache could not be emptied, and what it held is unknown", COLD);
    }
  }

  /** Whether a phase still got faster or slower. */
  private void steadiness(Trials trials) {
    Trend trend = Trend.of(Throughput.series(trials));
    add(
        trend.state() == Trend.State.NOT_STEADY,
        "not steady",
        "its throughput changed by "
            + (trend.change() < 0 ? "−" : "+")
            + Units.percent(Math.abs(trend.change()))
            + " over its second half",
        "let the phase run longer");
  }

  private void pacing(Pacing pacing) {
    add(
        !pacing.heldAlways(),
        "not held",
        "held in "
            + pacing.held()
            + " of "
            + pacing.trials()
            + " trials; achieved "
            + Units.rate(pacing.achieved()),
        "ask for a lower rate");
    add(
        pacing.late(),
        "pacer late",
        "the pacer itself was "
            + Units.time(pacing.latenessNanos())
            + " late, "
            + Units.percent(pacing.lateShare())
            + " of the median response time",
        "ask for a lower rate, or leave a core free");
  }

  private static double share(DoubleStream shares) {
    double[] sorted = shares.toArray();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }
}
