package io.kvstadium.bench.fake;

import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.PhaseResult;
import org.jspecify.annotations.Nullable;

/** Results of phases with other figures. */
public final class Phases {
  private Phases() {}

  /** A copy with other counts and costs. */
  public static PhaseResult with(PhaseResult of, int threads, long entries, long bytes, Cost cost) {
    return of.with(draft -> {
      draft.threads = threads;
      draft.entries = entries;
      draft.bytes = bytes;
      draft.cost = cost;
    });
  }

  /** A copy with other latencies, each of so many operations. */
  public static PhaseResult with(PhaseResult of, @Nullable String histogram, int batch) {
    return of.with(draft -> {
      draft.histogram = histogram;
      draft.batch = batch;
    });
  }
}
