package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.Divergence;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.stats.Trend;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import org.jspecify.annotations.Nullable;

/** Why a figure should be taken with care, and what to do about it: what matters most is first. */
public enum Warning {
  DIVERGED("not quite as recorded", "above 1 % there is no figure"),
  FEW(
      "few operations",
      "give the phase more seconds in a suite file of your own, or take more trials"),
  JIT("JIT still active", "let the phase run longer: its figure still changes"),
  HARNESS("harness-limited", "engines differ by more than the figures show"),
  APART("threads not always in the store", "read it as the figure of that many threads"),
  COLLECTION(
      "garbage collection", "give trials more heap: in a suite file of your own, heap = \"1g\""),
  WARM("not cold", "measure with --out in a directory on a local disk"),
  NOT_STEADY("not steady", "let the phase run longer"),
  NOT_HELD("rate not held", "ask for a lower rate"),
  LATE("rate limiter late", "ask for a lower rate, or leave a core free");

  /** From this share of a figure on, the harness is considered to limit it. */
  private static final double HARNESS_SHARE = 0.1;

  /** Threads that are in the store for less of the time contend less than as many callers would. */
  private static final double BUSY_SHARE = 0.8;

  /** From this share of a phase's time on, garbage collection is pointed out. */
  private static final double COLLECTION_SHARE = 0.1;

  /** From this share of a phase's time on, the JIT compiler is part of what was measured. */
  private static final double COMPILATION_SHARE = 0.1;

  /**
   * If the last third of a phase was faster than all of it by less than this factor, the JIT
   * compiler did not decide the figure. What slows a phase down is not compiled code.
   */
  private static final double END_FACTOR = 1.1;

  /** Below this number a figure is made by a few slow operations. */
  private static final long FEW_OPERATIONS = 100;

  private final String word;
  private final String advice;

  Warning(String word, String advice) {
    this.word = word;
    this.advice = advice;
  }

  /** A short form, such as {@code harness-limited}. */
  public String word() {
    return word;
  }

  /** What to do, as a sentence without a full stop. */
  public String advice() {
    return advice;
  }

  /**
   * A warning about one figure.
   *
   * @param detail what was found, as a sentence without a full stop
   */
  public record Found(Warning warning, String detail) {
    public String text() {
      return warning.word + ": " + detail + "; " + warning.advice;
    }
  }

  /**
   * Everything that a reader must know to trust, or distrust, the figure of one cell.
   *
   * @param cold whether nothing was to be cached when it began
   */
  public static List<Found> of(
      Trials trials,
      Samples samples,
      @Nullable OpenLoopFigures openLoop,
      @Nullable Audit audit,
      boolean cold) {
    List<Found> found = new ArrayList<>();
    trials.each(PhaseResult::divergence).stream()
        .filter(each -> each.share() > 0)
        .max(Comparator.comparingDouble(Divergence::share))
        .ifPresent(most -> found.add(DIVERGED.because(most + " from the recording")));
    double harness = audit == null ? 0 : harness(trials, audit);
    if (harness > HARNESS_SHARE) {
      found.add(HARNESS.because("the harness itself is " + percent(harness) + " of this figure"));
    }
    double busy = Figures.BUSY_SHARE.of(samples);
    int threads = trials.phases().stream().mapToInt(PhaseResult::threads).max().orElse(1);
    if (threads > 1 && busy < BUSY_SHARE) {
      found.add(
          APART.because(
              String.format(
                  Locale.ROOT,
                  "%.1f of %d at once, while the others made and checked data",
                  busy * threads,
                  threads)));
    }
    double collection = Figures.GC_SHARE.of(samples);
    if (collection > COLLECTION_SHARE) {
      found.add(COLLECTION.because("it took " + percent(collection) + " of the time"));
    }
    double compilation = Figures.JIT_SHARE.of(samples);
    double end = Throughput.endFactor(trials);
    if (compilation > COMPILATION_SHARE
        && trials.all(p -> p.operations() > 1)
        && !(end <= END_FACTOR)) { // or not known
      String reach =
          Double.isNaN(end)
              ? ""
              : String.format(Locale.ROOT, "; the last third was ×%.2f faster than the whole", end);
      found.add(JIT.because("it worked for " + percent(compilation) + " of the time" + reach));
    }
    LongSummaryStatistics operations =
        trials.phases().stream().mapToLong(PhaseResult::operations).summaryStatistics();
    if (operations.getMin() < FEW_OPERATIONS
        && operations.getMax() > 1
        && Trials.workload(trials.phase())) {
      found.add(
          FEW.because(
              operations.getMin() == operations.getMax()
                  ? "%d in each trial".formatted(operations.getMin())
                  : "%d to %d in a trial".formatted(operations.getMin(), operations.getMax())));
    }
    if (cold && !trials.all(p -> p.cost().readBytes() > 0)) {
      found.add(WARM.because("in some trial nothing was read from the device, as far as is known"));
    }
    double trend = Trend.of(Throughput.series(trials));
    if (trend != 0) {
      String change = (trend < 0 ? "−" : "+") + percent(Math.abs(trend));
      found.add(NOT_STEADY.because("throughput changed by " + change + " over its second half"));
    }
    if (openLoop != null && !openLoop.heldAlways()) {
      String achieved = Units.rate(openLoop.achieved());
      found.add(
          NOT_HELD.because(
              "held in %d of %d trials; achieved %s"
                  .formatted(openLoop.held(), openLoop.trials(), achieved)));
    }
    if (openLoop != null && openLoop.late()) {
      String late = Units.time(openLoop.latenessNanos());
      found.add(
          LATE.because(
              "by %s, %s of the median response time"
                  .formatted(late, percent(openLoop.lateShare()))));
    }
    return List.copyOf(found);
  }

  private Found because(String detail) {
    return new Found(this, detail);
  }

  private static String percent(double share) {
    return Units.percent(share);
  }

  /** The harness costs each thread its share, so it is compared with the time of one thread. */
  private static double harness(Trials trials, Audit audit) {
    return Samples.median(
        trials.phases().stream()
            .mapToDouble(phase -> {
              double nanos = phase.batch() > 1 ? audit.batchedNanos() : audit.timedNanos();
              return phase.operations() > 1 && phase.openLoop() == null
                  ? nanos / (phase.nanosPerOperation() * phase.threads())
                  : -1;
            }));
  }
}
