package io.kvstadium.bench.trial;

import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.store.WriteStalls;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the device and the engine count while a phase writes; made just before it begins. */
final class WriteCounts {
  private final PhaseSpec spec;
  private final Target target;
  private final Path store;
  private final long flushes;
  private final @Nullable WriteStalls stalls;
  private final long begin;

  WriteCounts(PhaseSpec spec, Target target, Path store) {
    this.spec = spec;
    this.target = target;
    this.store = store;
    this.flushes = flushes(spec, store);
    this.stalls = spec.writes() ? target.stalls() : null;
    this.begin = System.nanoTime();
  }

  /**
   * How often the device has flushed its own cache, or -1. It is the device's own count, which
   * includes what others ask for meanwhile. It would say nothing about a phase that only reads, has
   * a background load, or searches for a rate.
   */
  private static long flushes(PhaseSpec spec, Path store) {
    Rate rate = spec.rate();
    boolean counts =
        spec.writes() && spec.background() == null && (rate == null || !rate.searches());
    return counts && Files.isDirectory(store) ? DeviceIo.flushes(store) : -1;
  }

  /** Called when the phase has ended; returns its result with the flushes. */
  PhaseResult ended(PhaseResult result, CostRecorder costs) {
    long nanos = System.nanoTime() - begin;
    costs.stalled(spec, nanos, stalls, stalls == null ? null : target.stalls());
    long after = flushes < 0 ? -1 : flushes(spec, store);
    return after < 0 ? result : result.with(of -> of.cost = of.cost.withFlushes(after - flushes));
  }
}
