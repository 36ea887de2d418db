package io.kvstadium.bench.trial;

import io.kvstadium.bench.measure.Meter;
import io.kvstadium.bench.measure.Observer;
import io.kvstadium.bench.measure.RateLimiter;
import io.kvstadium.bench.measure.RateSearch;
import io.kvstadium.bench.measure.Replayer;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.source.ReplayTrace;
import io.kvstadium.bench.result.Divergence;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Replay;
import io.kvstadium.store.Store;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
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
      List<Meter> meters = replayer.meters(System.nanoTime());
      replayer.run(
          0, (long) (plan.warmUpSeconds() * 1e9), _ -> {}, meters, reporting("warm-up", meters));
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

  PhaseResult run(
      PhaseSpec spec, StoreLifecycle lifecycle, TrialTotals totals, CostRecorder costs) {
    Rate rate = spec.rate();
    if (rate != null && rate.searches()) {
      return new RateSearch(
              spec,
              rate,
              at -> List.of(once(at, lifecycle, totals, null)),
              () -> null, // each try has a new store
              share -> progress(spec.name(), share))
          .run();
    }
    return once(spec, lifecycle, totals, costs);
  }

  /**
   * @param costs of one replay; of the tries of a search, there is no count
   */
  private PhaseResult once(
      PhaseSpec spec, StoreLifecycle lifecycle, TrialTotals totals, @Nullable CostRecorder costs) {
    Target target = lifecycle.anew();
    Replayer replayer = new Replayer(trace, store(target));
    replayer.prepare(Long.MAX_VALUE, _ -> progress(spec.name(), 0));
    Rate rate = spec.rate();
    RateLimiter limiter = new RateLimiter(trace.threads());
    WriteCounts writes = new WriteCounts(spec, target, plan.storeDirectory("store"));
    Usage before = Usage.now();
    Replayer.Outcomes outcomes;
    List<Meter> meters;
    Observer observer = new Observer(target::backgroundJobs, totals);
    try (observer) {
      meters = replayer.meters(observer.origin());
      outcomes =
          replayer.run(
              rate == null ? 0 : rate.perSecond() / replay.perSecond(),
              spec.seconds() > 0 ? (long) (spec.seconds() * 1e9) : Long.MAX_VALUE / 4,
              limiter::await,
              meters,
              reporting(spec.name(), meters));
    }
    Usage used = Usage.now().since(before);
    Divergence divergence = keepsNothing() ? null : outcomes.divergence();
    if (divergence != null && divergence.share() > Divergence.MAX_SHARE) {
      diverged = "phase " + spec.name() + " is not what was recorded: " + divergence;
    }
    PhaseResult result =
        Meter.phase(spec, meters, outcomes.nanos(), 1, used, observer)
            .with(of -> of.divergence = divergence);
    totals.wrote(meters.stream().mapToLong(each -> each.checks().writtenBytes).sum());
    return costs == null ? result : writes.ended(result, costs);
  }

  private IntConsumer reporting(String phase, List<Meter> meters) {
    return lane -> {
      long calls = meters.get(lane).operations();
      if (calls % PROGRESS_EVERY == 0) {
        progress(phase, Math.min(1, (double) calls * trace.threads() / trace.calls()));
      }
    };
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
}
