package io.kvstadium.bench.trial;

import io.kvstadium.bench.measure.Counters;
import io.kvstadium.bench.measure.Observer;
import io.kvstadium.bench.measure.RateLimiter;
import io.kvstadium.bench.measure.RateSearch;
import io.kvstadium.bench.measure.Replayer;
import io.kvstadium.bench.measure.Target;
import io.kvstadium.bench.measure.ThroughputRecorder;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.WorkerGroup;
import io.kvstadium.bench.measure.source.ReplayTrace;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.Divergence;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Replay;
import io.kvstadium.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A phase that replays a trace: on a new store that holds what was there when the recording began.
 * A search does so for each rate that it tries.
 */
final class ReplayPhase {
  private static final int WARM_UP_ENTRIES = 100_000;
  private static final String NULL_ENGINE = "null";
  private static final int PROGRESS_EVERY = 1 << 16;

  private final TrialPlan plan;
  private final Opening opening;
  private final Consumer<Message> parent;
  private final Replay replay;
  private final ReplayTrace trace;
  private @Nullable String diverged;

  private ReplayPhase(TrialPlan plan, Opening opening, Consumer<Message> parent, Replay replay) {
    this.plan = plan;
    this.opening = opening;
    this.parent = parent;
    this.replay = replay;
    this.trace = ReplayTrace.read(Path.of(replay.trace()));
  }

  /** That of a plan, or {@code null} if it has none. */
  static @Nullable ReplayPhase of(TrialPlan plan, Opening opening, Consumer<Message> parent) {
    return plan.phases().stream()
        .map(PhaseSpec::replay)
        .filter(Objects::nonNull)
        .findFirst()
        .map(replay -> new ReplayPhase(plan, opening, parent, replay))
        .orElse(null);
  }

  /** What is replayed. */
  Map<String, Object> describe() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("source", "trace " + Path.of(replay.trace()).getFileName());
    facts.put("calls", trace.calls());
    facts.put("threads", trace.threads());
    facts.put("keys", trace.keys());
    facts.put("entries before", trace.startEntries());
    facts.put("recorded per second", Math.round(replay.perSecond()));
    return facts;
  }

  /** Replays for a while on a store that is thrown away, so that the code is compiled. */
  void warmUp() {
    Path directory = plan.storeDirectory("warm-up");
    try (StoreLifecycle lifecycle = new StoreLifecycle(opening, plan.configuration(), directory)) {
      Replayer replayer = new Replayer(trace, store(lifecycle.target()));
      replayer.prepare(WARM_UP_ENTRIES, _ -> progress("warm-up", 0));
      replayer.run(
          0, (long) (plan.warmUpSeconds() * 1e9), _ -> {}, new Lanes(System.nanoTime(), "warm-up"));
    }
    opening.destroy(plan.configuration(), directory);
  }

  private static Store store(Target target) {
    Store store = target.store();
    if (store == null) {
      throw new IllegalStateException("a trace is replayed with access = single");
    }
    return store;
  }

  /** Runs it. */
  PhaseResult run(PhaseSpec spec, StoreLifecycle lifecycle, TrialTotals totals) {
    Rate rate = spec.rate();
    if (rate != null && rate.searches()) {
      return new RateSearch(
              spec,
              rate,
              at -> List.of(once(at, lifecycle, totals)),
              () -> null, // each try has a new store
              share -> progress(spec.name(), share))
          .run();
    }
    return once(spec, lifecycle, totals);
  }

  private PhaseResult once(PhaseSpec spec, StoreLifecycle lifecycle, TrialTotals totals) {
    Target target = lifecycle.anew();
    Replayer replayer = new Replayer(trace, store(target));
    replayer.prepare(Long.MAX_VALUE, _ -> progress(spec.name(), 0));
    Rate rate = spec.rate();
    double perSecond = rate == null ? 0 : rate.perSecond();
    RateLimiter limiter = new RateLimiter(trace.threads());
    Usage before = Usage.now();
    Replayer.Outcomes outcomes;
    Lanes lanes;
    Observer observer = new Observer(target::backgroundJobs, totals);
    try (observer) {
      lanes = new Lanes(observer.origin(), spec.name());
      outcomes =
          replayer.run(
              perSecond / replay.perSecond(),
              spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE / 4,
              limiter::await,
              lanes);
    }
    Usage used = Usage.now().since(before);
    if (outcomes.wrong() != null) {
      throw new TrialFailure("phase " + spec.name() + ": " + outcomes.wrong(), null);
    }
    Divergence divergence = keepsNothing() ? null : outcomes.divergence();
    if (divergence != null && divergence.share() > Divergence.MAX_SHARE) {
      diverged = "phase " + spec.name() + " is not what was recorded: " + divergence;
    }
    totals.wrote(outcomes.writtenBytes());
    Histogram latencies = Lanes.sum(lanes.service);
    return new PhaseResult(
        spec.name(),
        spec.operation().word(),
        latencies.getTotalCount(),
        outcomes.nanos(),
        trace.threads(),
        outcomes.entries(),
        outcomes.bytes(),
        1,
        new Cost(
            perSecond == 0 ? used.cpuNanos() : -1,
            used.gcNanos(),
            -1,
            used.readBytes(),
            -1,
            used.compileNanos(),
            null),
        EncodedHistogram.of(latencies),
        rate == null ? null : lanes.openLoop(perSecond, rate.limit()),
        ThroughputRecorder.merge(lanes.throughput, observer),
        divergence,
        null);
  }

  private boolean keepsNothing() {
    return plan.configuration().engine().equals(NULL_ENGINE);
  }

  /**
   * Called when its results are noted.
   *
   * @throws TrialFailure if too many of them differ from the recorded ones
   */
  void refuseDivergence() {
    if (diverged != null) {
      throw new TrialFailure(diverged, null);
    }
  }

  private void progress(String phase, double share) {
    parent.accept(new Message.Progress(phase, share));
  }

  /** What the calls of each lane took. */
  private final class Lanes implements Replayer.CallListener {
    private final String phase;
    final List<Histogram> service = new ArrayList<>();
    final List<Histogram> response = new ArrayList<>();
    final List<Histogram> lateness = new ArrayList<>();
    final List<ThroughputRecorder> throughput = new ArrayList<>();
    final long[] unstarted = new long[trace.threads()];

    Lanes(long origin, String phase) {
      this.phase = phase;
      for (int lane = 0; lane < trace.threads(); lane++) {
        service.add(new Histogram(Counters.SIGNIFICANT_DIGITS));
        response.add(new Histogram(Counters.SIGNIFICANT_DIGITS));
        lateness.add(new Histogram(Counters.SIGNIFICANT_DIGITS));
        throughput.add(new ThroughputRecorder(origin));
      }
    }

    @Override
    public void call(int lane, long intended, boolean free, long began, long ended) {
      service.get(lane).recordValue(ended - began);
      if (intended != 0) {
        response.get(lane).recordValue(Math.max(0, ended - intended));
      }
      if (free) {
        lateness.get(lane).recordValue(Math.max(0, began - intended));
      }
      throughput.get(lane).add(ended, 1, ended - began);
      long calls = service.get(lane).getTotalCount();
      if (calls % PROGRESS_EVERY == 0) {
        progress(phase, Math.min(1, (double) calls * trace.threads() / trace.calls()));
      }
    }

    @Override
    public void unstarted(int lane, long late) {
      response.get(lane).recordValue(Math.max(0, late));
      unstarted[lane]++;
    }

    private static Histogram sum(List<Histogram> all) {
      Histogram sum = new Histogram(Counters.SIGNIFICANT_DIGITS);
      all.forEach(sum::add);
      return sum;
    }

    OpenLoop openLoop(double perSecond, Rate.@Nullable Limit limit) {
      return WorkerGroup.openLoop(
          perSecond, limit, LongStream.of(unstarted).sum(), sum(response), sum(lateness));
    }
  }
}
