package io.kvstadium.cli.bench;

import io.kvstadium.bench.suite.Additions;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.Weights;
import io.kvstadium.store.BadArgumentException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is measured beyond the suite, and how much each phase counts. */
final class WorkloadOptions {
  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description =
          "Runs each phase of single operations a second time at a fixed rate: operations per second, such as 20k, or search with --limit.")
  private @Nullable String rate;

  @Option(
      names = "--limit",
      paramLabel = "BOUND",
      description = "With --rate, or --speed search: what must hold, such as \"p99 < 2ms\".")
  private @Nullable String limit;

  @Option(
      names = "--weights",
      paramLabel = "PHASE=N,…",
      description =
          "How much each phase counts in the overall verdict, such as \"read=3,scan 100=1\"; those"
              + " not named do not count (default: all equally).")
  private @Nullable String weights;

  @Option(names = "--cold", description = "Starts every phase that only reads with nothing cached.")
  private boolean cold;

  /** What must hold at a rate, or {@code null}. */
  @Nullable String limit() {
    return limit;
  }

  /** Returns the suite with what the options add. */
  Suite in(Suite asked) {
    if (rate == null && limit != null) {
      throw new BadArgumentException("--limit needs --rate: add a rate, such as --rate 5000");
    }
    Suite withRate = rate == null ? asked : Additions.atRate(asked, rate, limit);
    Suite weighted = weights == null ? withRate : Weights.in(withRate, weights);
    return cold ? Additions.cold(weighted) : weighted;
  }
}
