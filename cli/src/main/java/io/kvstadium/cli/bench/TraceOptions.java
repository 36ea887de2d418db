package io.kvstadium.cli.bench;

import io.kvstadium.bench.plan.ReplaySuite;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** A recording to replay, instead of a suite. */
final class TraceOptions {
  /** What a recording decides itself. */
  static final List<String> WITHOUT_EFFECT =
      List.of("--scale", "--threads", "--rate", "--cold", "--data", "--weights");

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Replays what an application did, from a recording, instead of a suite.")
  private @Nullable Path trace;

  @Option(
      names = "--speed",
      paramLabel = "SPEED",
      description =
          "With --trace: max (as fast as possible), recorded, a factor such as 4x, or search: the"
              + " highest at which --limit holds (default: max).")
  private @Nullable String speed;

  /** The suite that replays it, or {@code null} without {@code --trace}. */
  @Nullable Suite suite(@Nullable String limit, ParseResult parsed) {
    if (trace == null) {
      if (speed != null) {
        throw new BadArgumentException("--speed is that of a replay: add --trace FILE");
      }
      return null;
    }
    if (parsed.hasMatchedPositional(0)) {
      throw new BadArgumentException(
          "--trace replaces the suite: leave out "
              + parsed.matchedPositional(0).originalStringValues());
    }
    Rate.Limit bound = limit == null ? null : Rate.Limit.parse(limit);
    return ReplaySuite.of(trace, speed == null ? "max" : speed, bound);
  }
}
