package io.kvstadium.bench.fake;

import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.PhaseResult;
import org.jspecify.annotations.Nullable;

/** Results of phases with other figures. */
public final class Phases {
  private Phases() {}

  /** A copy with other counts and costs. */
  public static PhaseResult with(PhaseResult of, int threads, long entries, long bytes, Cost cost) {
    return new PhaseResult(
        of.name(),
        of.operation(),
        of.operations(),
        of.nanos(),
        threads,
        entries,
        bytes,
        of.batch(),
        cost,
        of.histogram(),
        of.openLoop(),
        of.timeline(),
        of.divergence());
  }

  /** A copy with other latencies, each of so many operations. */
  public static PhaseResult with(PhaseResult of, @Nullable String histogram, int batch) {
    return new PhaseResult(
        of.name(),
        of.operation(),
        of.operations(),
        of.nanos(),
        of.threads(),
        of.entries(),
        of.bytes(),
        batch,
        of.cost(),
        histogram,
        of.openLoop(),
        of.timeline(),
        of.divergence());
  }
}
