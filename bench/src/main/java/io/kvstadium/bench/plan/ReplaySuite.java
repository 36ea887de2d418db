package io.kvstadium.bench.plan;

import io.kvstadium.bench.measure.source.ReplayTrace;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Replay;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A suite of one phase, which replays a trace. */
public final class ReplaySuite {
  private static final int TRIALS = 5;
  private static final double SEARCH_SECONDS = 30;
  private static final Pattern FACTOR = Pattern.compile("(?:x|×)?(\\d{1,6}(?:\\.\\d{1,6})?)x?");

  /** Heap of a trial besides what the trace takes. */
  private static final long HEAP = 512L << 20;

  private static final long BYTES_PER_OPERATION = 64;
  private static final long BYTES_PER_KEY = 160;

  /** Of a value: made, given to the engine, read, compared. */
  private static final long COPIES = 4;

  /** Larger ones fit into no trial's heap. */
  private static final long MAX_VALUE = 512L << 20;

  private ReplaySuite() {}

  /**
   * Makes one.
   *
   * @param speed {@code max}, {@code recorded}, a factor such as {@code 4x}, or {@code search}
   * @param limit what must hold in a search, or {@code null}
   * @throws BadArgumentException if one of them cannot be used
   */
  public static Suite of(Path file, String speed, Rate.@Nullable Limit limit) {
    ReplayTrace trace = ReplayTrace.read(file);
    double recorded = trace.calls() / trace.seconds();
    Rate rate = rate(speed, limit, recorded);
    Replay replay = new Replay(file.toAbsolutePath().toString(), trace.needs(), recorded);
    PhaseSpec phase =
        PhaseSpec.of("replay", Operation.REPLAY)
            .withThreads(Math.max(1, trace.threads()))
            .sized(0, rate != null && rate.searches() ? SEARCH_SECONDS : 0)
            .withRate(rate)
            .withReplay(replay);
    long key = Math.clamp(trace.meanKey(), 8, 256);
    DataSpec data =
        DataSpec.of(
            Math.max(1, trace.startEntries()),
            "random-bytes:" + key,
            Long.toString(Math.clamp(trace.meanValue(), 1, 1 << 20)));
    String question =
        String.format(
            Locale.ROOT,
            "%,d calls of %d %s on %,d keys, %,d of which are there before; recorded at %,.0f/s",
            trace.calls(),
            trace.threads(),
            trace.threads() == 1 ? "thread" : "threads",
            trace.keys(),
            trace.startEntries(),
            recorded);
    String left = left(trace);
    Experiment experiment =
        Experiment.of("replay", question + left, data, List.of(phase), List.of());
    if (trace.longestValue() > MAX_VALUE) {
      throw new BadArgumentException(
          String.format(
              Locale.ROOT,
              "%s: it has a value of %,d bytes, and a replay takes values of up to %,d: record"
                  + " without it, or with record_sample",
              file,
              trace.longestValue(),
              MAX_VALUE));
    }
    long heap =
        HEAP
            + BYTES_PER_OPERATION * trace.operations()
            + BYTES_PER_KEY * trace.keys()
            + COPIES * trace.longestValue();
    return new Suite(
        "replay", "What an application did", TRIALS, 0, heap >> 20 << 20, List.of(experiment));
  }

  /** What of the trace is not replayed. */
  private static String left(ReplayTrace trace) {
    StringBuilder text = new StringBuilder();
    trace
        .skipped()
        .forEach((kind, count) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "; not replayed: %,d %s that failed or have no counterpart",
                    count,
                    kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))));
    if (trace.isTruncated()) {
      text.append(
          String.format(
              Locale.ROOT,
              "; only the first %,d operations are replayed",
              ReplayTrace.MAX_OPERATIONS));
    }
    return text.toString();
  }

  private static @Nullable Rate rate(String speed, Rate.@Nullable Limit bound, double recorded) {
    String given = speed.trim().toLowerCase(Locale.ROOT);
    Matcher factor = FACTOR.matcher(given);
    if (given.equals("search")) {
      if (bound == null) {
        throw new BadArgumentException("--speed search needs a limit: add --limit \"p99 < 2ms\"");
      }
      return new Rate(0, bound);
    } else if (given.equals("max")) {
      if (bound != null) {
        throw new BadArgumentException("--limit has no effect with --speed max: use search");
      }
      return null;
    } else if (given.equals("recorded")) {
      return new Rate(recorded, bound);
    } else if (factor.matches() && Double.parseDouble(factor.group(1)) > 0) {
      return new Rate(recorded * Double.parseDouble(factor.group(1)), bound);
    }
    throw new BadArgumentException(
        "--speed " + speed + ": write max, recorded, a factor such as 4x, or search");
  }
}
