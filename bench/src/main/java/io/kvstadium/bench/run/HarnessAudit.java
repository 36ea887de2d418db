package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.Probes;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the harness itself costs, in a trial on an engine that does nothing. Operations are
 * timed one by one, in batches, and one by one at a fixed rate.
 */
record HarnessAudit(TrialRun trials) {
  private static final String NULL_ENGINE = "null";
  private static final long HEAP = 256L << 20;
  private static final double SECONDS = 0.5;
  private static final double WARM_UP_SECONDS = 0.6;

  /** Per second, of the phase at a rate: few enough that the limiter sleeps between operations. */
  private static final double RATE = 2_000;

  /** Updates, because what they write need not be checked: the null engine keeps nothing. */
  private static final PhaseSpec UPDATE =
      PhaseSpec.of("update", Operation.UPDATE).sized(0, SECONDS);

  private static final PhaseSpec BATCHED =
      PhaseSpec.of("batched update", Operation.UPDATE).sized(0, SECONDS);

  /**
   * Players time each call, so that operations share one reading of the clock only in batches; and
   * reading traces takes time.
   */
  private static final List<PhaseSpec> PLAYED =
      List.of(
          UPDATE.sized(200_000, SECONDS),
          BATCHED.sized(200_000, SECONDS).withBatch(TrialPlan.CHUNK));

  private static final PhaseSpec AT_RATE =
      PhaseSpec.of("update at a rate", Operation.UPDATE)
          .sized(0, SECONDS)
          .withRate(new Rate(RATE, null));

  /**
   * The audit of the first language, with those of the others.
   *
   * @param progress receives what is being done
   */
  @Nullable Audit run(Languages all, long seed, Consumer<String> progress) {
    Map<String, Audit> audits = new LinkedHashMap<>();
    for (String language : all.asked()) {
      Audit audit = run(all.engines(language), language, all.plays(language), seed, progress);
      if (audit == null) {
        return null;
      }
      audits.put(language, audit);
    }
    Audit first = audits.remove(all.asked().getFirst());
    return first == null ? null : first.with(audits);
  }

  /**
   * The audit, or {@code null} if the null engine is not installed or the trial failed.
   *
   * @param progress receives what is being done
   */
  private @Nullable Audit run(
      Engines engines, String language, Set<String> plays, long seed, Consumer<String> progress) {
    if (!engines.names().contains(NULL_ENGINE)) {
      return null;
    }
    TrialResult result = trial(language, plays, seed, progress);
    PhaseResult timed = phase(result, UPDATE);
    PhaseResult batched = phase(result, BATCHED);
    if (timed == null || batched == null || timed.histogram() == null) {
      return null;
    }
    PhaseResult atRate = phase(result, AT_RATE);
    OpenLoop openLoop = atRate == null ? null : atRate.openLoop();
    Latencies slip = latencies(openLoop == null ? null : openLoop.lateness());
    return new Audit(
        timed.nanosPerOperation(),
        batched.nanosPerOperation(),
        Probes.timerNanos(),
        at(0.999, latencies(timed.histogram())),
        at(0.5, slip),
        at(0.99, slip),
        Map.of());
  }

  private static @Nullable Latencies latencies(@Nullable String histogram) {
    return histogram == null ? null : Latencies.merge(List.of(histogram), 1);
  }

  /** A percentile, or -1 if it is unknown. */
  private static long at(double level, @Nullable Latencies latencies) {
    Long nanos = latencies == null ? null : latencies.at(level);
    return nanos == null ? -1 : nanos;
  }

  private static @Nullable PhaseResult phase(TrialResult trial, PhaseSpec spec) {
    return trial.failure() != null
        ? null
        : trial.phases().stream()
            .filter(phase -> phase.name().equals(spec.name()))
            .findFirst()
            .orElse(null);
  }

  private static List<PhaseSpec> played(Set<String> plays) {
    return plays.contains("rate") ? List.of(PLAYED.getFirst(), PLAYED.getLast(), AT_RATE) : PLAYED;
  }

  private TrialResult trial(
      String language, Set<String> plays, long seed, Consumer<String> progress) {
    boolean java = language.equals(Configuration.JAVA);
    Configuration configuration =
        new Configuration(
            "the harness", NULL_ENGINE, Map.of(), Durability.NONE, Access.SINGLE, NULL_ENGINE);
    Experiment experiment =
        Experiment.of(
            "the harness",
            "",
            DataSpec.of(100_000, "random-bytes:16", "100"),
            java ? List.of(UPDATE, BATCHED, AT_RATE) : played(plays),
            List.of(java ? configuration : configuration.in(language)));
    Plan plan =
        Plan.of(
            new Suite("the harness", "", 1, 0, HEAP, List.of(experiment)), WARM_UP_SECONDS, seed);
    Map<String, Integer> chunks = Map.of(UPDATE.name(), 1, BATCHED.name(), TrialPlan.CHUNK);
    return trials.run(plan, plan.round(1).getFirst(), null, chunks, null, progress).result();
  }
}
