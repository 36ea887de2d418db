package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.PhaseResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Finds what a reader must know to trust, or distrust, the figure of one cell. */
final class Marks {
  /** From this share of the store's files on, a cold phase did not begin cold. */
  static final double WARM_SHARE = 0.05;

  private final List<Mark> marks = new ArrayList<>();

  private Marks() {}

  static List<Mark> of(Trials trials, @Nullable Pacing pacing, @Nullable Audit audit) {
    Marks found = new Marks();
    if (audit != null) {
      found.harness(trials, audit);
    }
    found.collection(trials);
    found.warm(trials);
    Mark course = Steadiness.of(Throughput.series(trials));
    if (course != null) {
      found.marks.add(course);
    }
    if (pacing != null) {
      found.pacing(pacing);
    }
    long errors = trials.phases().stream().mapToLong(PhaseResult::errors).sum();
    found.add(errors > 0, "errors", errors + " operations failed and were not timed");
    return found.marks;
  }

  private void add(boolean applies, String word, String explanation) {
    if (applies) {
      marks.add(new Mark(word, explanation));
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
        "the harness itself is " + Units.percent(harness) + " of this figure");
  }

  private void collection(Trials trials) {
    double collection =
        share(trials.phases().stream().mapToDouble(p -> (double) p.cost().gcNanos() / p.nanos()));
    add(
        collection > Report.COLLECTION_SHARE,
        "garbage collection",
        "garbage collection took " + Units.percent(collection) + " of the time");
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
      add(true, "warm", Units.percent(resident) + " of the files was in memory when it began");
    } else if (undropped && resident < 0) {
      add(true, "warm", "the page cache could not be emptied, and what it held is not known");
    }
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
            + Units.rate(pacing.achieved()));
    add(
        pacing.late(),
        "pacer late",
        "the pacer itself was "
            + Units.time(pacing.latenessNanos())
            + " late, "
            + Units.percent(pacing.lateShare())
            + " of the median response time");
  }

  private static double share(DoubleStream shares) {
    double[] sorted = shares.toArray();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }
}
