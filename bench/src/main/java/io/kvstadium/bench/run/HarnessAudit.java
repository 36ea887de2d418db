package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.Probes;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures what the harness itself costs: the same trials on an engine that does nothing. */
final class HarnessAudit {
  private static final String NULL_ENGINE = "null";
  private static final long HEAP = 256L << 20;
  private static final double SECONDS = 0.7;
  private static final double WARM_UP_SECONDS = 0.8;

  private final Executor executor;
  private final Path directory;

  HarnessAudit(Executor executor, Path directory) {
    this.executor = executor;
    this.directory = directory;
  }

  /** The audit, or {@code null} if the null engine is not installed or a trial failed. */
  @Nullable Audit run(Engines engines, long seed) {
    if (!engines.names().contains(NULL_ENGINE)) {
      return null;
    }
    PhaseResult timed = trial(1, seed);
    PhaseResult batched = trial(TrialPlan.CHUNK, seed);
    if (timed == null || batched == null || timed.histogram() == null) {
      return null;
    }
    Latencies tail = Latencies.merge(List.of(timed.histogram()), 1);
    Long p999 = tail == null ? null : tail.at(0.999);
    return new Audit(
        timed.nanosPerOperation(),
        batched.nanosPerOperation(),
        Probes.timerNanos(),
        p999 == null ? -1 : p999);
  }

  private @Nullable PhaseResult trial(int chunk, long seed) {
    TrialPlan plan =
        new TrialPlan(
            new Configuration(
                NULL_ENGINE, NULL_ENGINE, Map.of(), Durability.NONE, Access.SINGLE, NULL_ENGINE),
            1,
            seed,
            directory.resolve("audit").toString(),
            new DataSpec(100_000, "random-bytes:16", "random", "bytes", "100", 0.5),
            null,
            // updates, for what they write need not be checked: the null engine keeps nothing
            List.of(PhaseSpec.of("update", Operation.UPDATE).sized(0, SECONDS)),
            WARM_UP_SECONDS,
            Map.of("update", chunk),
            false);
    Message.Done done = executor.run(plan, Resources.unlimited(HEAP), message -> {});
    return done.result().failure() != null
        ? null
        : done.result().phases().stream()
            .filter(phase -> phase.name().equals("update"))
            .findFirst()
            .orElse(null);
  }
}
