package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Trend;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a figure should be taken with care.
 *
 * @param word a short form for where there is no room, such as {@code harness-limited}
 * @param message what was found, as a sentence without a full stop
 * @param advice what to do about it, likewise
 */
record Warning(String word, String message, String advice) {
  /** From this share of a figure on, the harness is considered to limit it. */
  private static final double HARNESS_SHARE = 0.1;

  /** From this share of a phase's time on, garbage collection is pointed out. */
  private static final double COLLECTION_SHARE = 0.1;

  /** From this share of a phase's time on, the compiler is part of what was measured. */
  private static final double COMPILATION_SHARE = 0.1;

  /** From this share of the store's files on, a cold phase did not begin cold. */
  private static final double WARM_SHARE = 0.05;

  /** Message and advice. */
  String text() {
    return message + ": " + advice;
  }

  /** Everything that a reader must know to trust, or distrust, the figure of one cell. */
  static List<Warning> of(Trials trials, @Nullable Pacing pacing, @Nullable Audit audit) {
    List<Warning> found = new ArrayList<>();
    if (audit != null) {
      harness(found, trials, audit);
    }
    double collection = trials.median(p -> (double) p.cost().gcNanos() / p.nanos());
    add(
        found,
        collection > COLLECTION_SHARE,
        "garbage collection",
        "garbage collection took " + Units.percent(collection) + " of the time",
        trials.configuration().inLanguage().equals("java")
            ? "give trials more heap in the suite"
            : "some of it comes from making the data, which is not timed");
    double compilation = trials.median(p -> (double) p.cost().compileNanos() / p.nanos());
    add(
        found,
        compilation > COMPILATION_SHARE && trials.all(p -> p.operations() > 1),
        "compiling",
        "the Java compiler worked for " + Units.percent(compilation) + " of the time",
        "let the phase run longer: it may still get faster");
    warm(found, trials);
    Trend trend = Trend.of(Throughput.series(trials));
    add(
        found,
        trend.state() == Trend.State.NOT_STEADY,
        "not steady",
        "its throughput changed by %s%s over its second half"
            .formatted(trend.change() < 0 ? "−" : "+", Units.percent(Math.abs(trend.change()))),
        "let the phase run longer");
    if (pacing != null) {
      pacing(found, pacing);
    }
    return List.copyOf(found);
  }

  private static void add(
      List<Warning> found, boolean applies, String word, String message, String advice) {
    if (applies) {
      found.add(new Warning(word, message, advice));
    }
  }

  /** The harness costs each thread its share, so it is compared with the time of one thread. */
  private static void harness(List<Warning> found, Trials trials, Audit audit) {
    double share =
        trials.median(phase -> {
          double nanos = phase.batch() > 1 ? audit.batchedNanos() : audit.timedNanos();
          return phase.operations() > 1 && phase.pace() == null
              ? nanos / (phase.nanosPerOperation() * phase.threads())
              : -1;
        });
    add(
        found,
        share > HARNESS_SHARE,
        "harness-limited",
        "the harness itself is " + Units.percent(share) + " of this figure",
        "expect differences between engines to be larger than shown");
  }

  private static void warm(List<Warning> found, Trials trials) {
    List<Caches> cold = trials.each(PhaseResult::caches);
    double resident = cold.stream().mapToDouble(Caches::resident).max().orElse(-1);
    boolean undropped = cold.stream().anyMatch(each -> each.dropped().equals("none"));
    add(
        found,
        resident > WARM_SHARE || (undropped && resident < 0),
        "warm",
        resident < 0
            ? "the page cache could not be emptied, and what it held is unknown"
            : Units.percent(resident) + " of the files was in memory when it began",
        "run as root, so that the page cache can be emptied");
  }

  private static void pacing(List<Warning> found, Pacing pacing) {
    add(
        found,
        !pacing.heldAlways(),
        "not held",
        "held in %d of %d trials; achieved %s"
            .formatted(pacing.held(), pacing.trials(), Units.rate(pacing.achieved())),
        "ask for a lower rate");
    add(
        found,
        pacing.late(),
        "pacer late",
        "the pacer itself was %s late, %s of the median response time"
            .formatted(Units.time(pacing.latenessNanos()), Units.percent(pacing.lateShare())),
        "ask for a lower rate, or leave a core free");
  }
}
