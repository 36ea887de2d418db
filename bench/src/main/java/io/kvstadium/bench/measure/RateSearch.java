package io.kvstadium.bench.measure;

import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.store.BackgroundWork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the highest rate at which a limit holds: first the maximum without any rate, then
 * smaller and smaller steps between a rate that held and one that did not, on a logarithmic scale.
 */
public final class RateSearch {
  /** The search ends when what held and what did not are no farther apart than this factor. */
  private static final double CLOSE_ENOUGH = 1.05;

  private static final int MAX_TRIES = 9;

  /** Without a rate that held, the search gives up below this share of the maximum. */
  private static final double MIN_SHARE = 1.0 / 256;

  private static final double DEFAULT_SECONDS = 10;

  /**
   * What may be left for later grows and shrinks by whole files; a try that leaves more than this
   * share of what it wrote is not sustained.
   */
  private static final double OWED_SHARE = 0.1;

  private static final double FLAT = 2;

  private static final long POLL_NANOS = 50_000_000;

  private final PhaseSpec spec;
  private final Rate rate;
  private final Function<PhaseSpec, List<PhaseResult>> run;
  private final Supplier<@Nullable BackgroundWork> background;
  private final DoubleConsumer progress;

  /**
   * @param spec of the phase; its seconds are shared by the tries
   * @param rate that is looked for, with its limit
   * @param run runs the phase at a rate
   * @param background what the engine has left to do, as far as it reports it
   */
  public RateSearch(
      PhaseSpec spec,
      Rate rate,
      Function<PhaseSpec, List<PhaseResult>> run,
      Supplier<@Nullable BackgroundWork> background,
      DoubleConsumer progress) {
    this.spec = spec;
    this.rate = rate;
    this.run = run;
    this.background = background;
    this.progress = progress;
  }

  /** The phase as it was at the highest rate that held, with all tries. */
  public PhaseResult run() {
    double seconds = (spec.seconds() > 0 ? spec.seconds() : DEFAULT_SECONDS) / (MAX_TRIES + 1);
    PhaseSpec brief = spec.sized(0, seconds);
    double maximum = run.apply(brief.withRate(null)).getFirst().rate();
    double failed = maximum;
    double held = 0;
    PhaseResult best = null;
    PhaseResult last = null;
    List<OpenLoop.Try> tries = new ArrayList<>();
    while (tries.size() < MAX_TRIES
        && failed / Math.max(held, maximum * MIN_SHARE) > CLOSE_ENOUGH) {
      double next = held > 0 ? Math.sqrt(held * failed) : tries.isEmpty() ? failed / 2 : failed / 4;
      rest(seconds);
      last = attempt(brief.withRate(rate.absolute(next)));
      OpenLoop openLoop = openLoop(last);
      tries.add(new OpenLoop.Try(next, openLoop.held(), percentile(openLoop)));
      if (openLoop.held()) {
        held = next;
        best = last;
      } else {
        failed = next;
      }
      progress.accept((double) tries.size() / MAX_TRIES);
    }
    if (last == null) {
      throw new IllegalStateException("a search tries at least once");
    }
    PhaseResult shown = best == null ? last : best;
    OpenLoop openLoop = openLoop(shown);
    return shown.with(
        new OpenLoop(
            held, best != null, openLoop.response(), openLoop.lateness(), openLoop.limit(), tries),
        shown.timeline());
  }

  private PhaseResult attempt(PhaseSpec at) {
    Rate.Limit limit = rate.limit();
    if (limit == null || !limit.sustained()) {
      return run.apply(at).getFirst();
    }
    PhaseSpec half = at.sized(0, at.seconds() / 2);
    PhaseResult first = run.apply(half).getFirst();
    if (!openLoop(first).held()) {
      return first;
    }
    long owed = owed();
    PhaseResult second = run.apply(half).getFirst();
    boolean stays =
        owed() - owed <= OWED_SHARE * second.bytes()
            && percentile(openLoop(second)) <= FLAT * percentile(openLoop(first));
    return stays ? second : second.with(openLoop(second).notHeld(), second.timeline());
  }

  /** How many bytes the engine has left for later, as far as it says. */
  private long owed() {
    BackgroundWork work = background.get();
    return work == null ? 0 : work.pendingBytes();
  }

  /** Lets the engine work off what the try before has left, so that it does not count here. */
  private void rest(double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    BackgroundWork work = background.get();
    while (spec.writes() && work != null && work.jobs() > 0 && System.nanoTime() < end) {
      LockSupport.parkNanos(POLL_NANOS);
      progress.accept(0); // or it would be taken for dead
      work = background.get();
    }
  }

  private long percentile(OpenLoop openLoop) {
    Rate.Limit limit = rate.limit();
    String response = openLoop.response();
    if (limit == null || response == null) {
      return -1;
    }
    return Latencies.percentile(response, limit.level());
  }

  private static OpenLoop openLoop(PhaseResult result) {
    OpenLoop openLoop = result.openLoop();
    if (openLoop == null) {
      throw new IllegalStateException("phase " + result.name() + " ran without a rate");
    }
    return openLoop;
  }
}
