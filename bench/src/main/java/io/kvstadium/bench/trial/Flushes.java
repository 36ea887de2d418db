package io.kvstadium.bench.trial;

import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How often a phase made the device flush its own cache. It is the device's own count, which
 * includes what others ask for meanwhile. It would say nothing about a phase that only reads, has a
 * background load, or searches for a rate.
 */
final class Flushes {
  private final Path directory;
  private final long before;

  /**
   * Starts counting.
   *
   * @param store the folder that the store is in
   */
  Flushes(PhaseSpec spec, Path store) {
    Rate rate = spec.rate();
    boolean counts = rate == null || !rate.searches();
    this.directory = store;
    this.before = counts && spec.writes() ? now() : -1;
  }

  private long now() {
    return Files.isDirectory(directory) ? DeviceIo.flushes(directory) : -1;
  }

  /** Returns the results with what was counted since, as far as it is known. */
  List<PhaseResult> of(List<PhaseResult> results) {
    long after = before < 0 || results.size() > 1 ? -1 : now();
    return results.stream()
        .map(own ->
            after < 0
                ? own
                : own.with(
                    own.threads(),
                    own.entries(),
                    own.bytes(),
                    own.cost().withFlushes(after - before)))
        .toList();
  }
}
