package io.kvstadium.bench.suite;

import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a user can add to a suite: phases at a fixed rate, cold reads. */
public final class Additions {
  /** If a search has less time, each of its tries is too short to trust. */
  private static final double SEARCH_SECONDS = 10;

  private static final double RATE_SECONDS = 10;

  private Additions() {}

  /**
   * Adds to the suite a twin at a fixed rate after each phase of single operations without a rate:
   * first comes the maximum, then the fixed rate.
   *
   * @param rate {@code 5000}, {@code 20k} or {@code search}
   * @param limit such as {@code p99 < 2ms}, or {@code null}
   * @throws BadArgumentException if the rate is invalid, or no phase can have a twin
   */
  public static Suite atRate(Suite suite, String rate, @Nullable String limit) {
    String given = rate.trim();
    Rate.Limit bound = limit == null ? null : Rate.Limit.parse(limit);
    if (given.equals("search") && bound == null) {
      throw new BadArgumentException("--rate search needs a limit: add --limit \"p99 < 2ms\"");
    }
    return atRate(suite, Rate.parse(given, bound));
  }

  /** The same with a rate that has been read. */
  public static Suite atRate(Suite suite, Rate at) {
    String suffix = at.searches() ? " at highest rate" : " at " + at.words();
    List<Experiment> experiments = new ArrayList<>();
    boolean any = false;
    for (Experiment experiment : suite.experiments()) {
      List<PhaseSpec> phases = new ArrayList<>();
      for (PhaseSpec phase : experiment.phases()) {
        phases.add(phase);
        if (canHaveRate(phase)) {
          phases.add(twin(phase, at, suffix));
          any = true;
        }
      }
      refuseTaken(phases);
      experiments.add(experiment.withPhases(phases));
    }
    if (!any) {
      throw new BadArgumentException(
          "--rate: the suite "
              + suite.name()
              + " has no phase that could also run at a fixed rate: it needs get, update, mixed,"
              + " multi-get, scan or read-modify-write, one by one");
    }
    return suite.withExperiments(experiments);
  }

  private static boolean canHaveRate(PhaseSpec phase) {
    return phase.rate() == null
        && phase.operation().is(Operation.Trait.RATED)
        && phase.shape().batch() == 1; // a batch has no rate
  }

  private static PhaseSpec twin(PhaseSpec phase, Rate rate, String suffix) {
    double seconds = phase.seconds();
    if (rate.searches()) {
      seconds = Math.max(SEARCH_SECONDS, seconds);
    } else if (seconds == 0) {
      // as many operations as without a rate could take hours at a low one
      seconds = RATE_SECONDS;
    }
    PhaseSpec background = phase.background();
    return phase
        .suffixed(suffix)
        .sized(0, seconds)
        .withRate(rate)
        .withBackground(background == null ? null : background.suffixed(suffix));
  }

  private static void refuseTaken(List<PhaseSpec> phases) {
    List<String> names = new ArrayList<>();
    for (PhaseSpec phase : phases) {
      if (names.contains(phase.name())) {
        throw new BadArgumentException(
            "--rate: the suite already has a phase '" + phase.name() + "': rename it");
      }
      names.add(phase.name());
    }
  }

  /**
   * Returns the suite with a cold start before every phase that only reads.
   *
   * @throws BadArgumentException if there is no such phase
   */
  public static Suite cold(Suite suite) {
    List<Experiment> experiments = new ArrayList<>();
    boolean any = false;
    for (Experiment experiment : suite.experiments()) {
      List<PhaseSpec> phases = new ArrayList<>();
      for (PhaseSpec phase : experiment.phases()) {
        boolean reads = !phase.writes() && !phase.operation().is(Operation.Trait.OPENS);
        any |= reads;
        phases.add(reads ? phase.withCold(true) : phase);
      }
      experiments.add(experiment.withPhases(phases));
    }
    if (!any) {
      throw new BadArgumentException(
          "--cold: the suite "
              + suite.name()
              + " has no phase that only reads and could begin cold: leave it out");
    }
    return suite.withExperiments(experiments);
  }
}
