package io.kvstadium.advise;

import io.kvstadium.advise.Advice.Basis;
import io.kvstadium.advise.Advice.Flip;
import io.kvstadium.advise.Advice.Gain;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.suite.Configuration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer without each of its settings, and with half the caches, in what time is left. */
final class Variations {
  private static final String EXPERIMENT = "all keys";
  private static final String WITHOUT = " without ";
  private static final String HALF = " with half the caches";
  private static final double SECONDS = 1.5;
  private static final String FILE = "settings.json";

  private final Question question;
  private final Map<String, Candidate> halves = new LinkedHashMap<>();
  private Choice choice;

  Variations(Question question) {
    this.question = question;
    this.choice = new Choice(Map.of(), Map.of(), null, question.needs());
  }

  /**
   * Measures in rounds.
   *
   * @param until seconds since the start
   */
  void measure(Candidate best, List<Candidate> last, double until) {
    List<Configuration> configurations = new ArrayList<>();
    if (!best.settings().isEmpty()) {
      configurations.add(best.on(1, question.level()));
      best.settings()
          .keySet()
          .forEach(option ->
              configurations.add(
                  best.without(option)
                      .on(1, question.level())
                      .named(best.name() + WITHOUT + option)));
    }
    if (last.size() > 1 && last.stream().anyMatch(Candidate::hasAmounts)) {
      last.forEach(each -> {
        halves.put(each.name() + HALF, each);
        configurations.add(each.on(0.5, question.level()).named(each.name() + HALF));
      });
    }
    if (configurations.isEmpty()) {
      return;
    }
    Work work = question.workload().small(1, SECONDS);
    Plan plan = question.plan(work, configurations).warmedUpFor(Halving.WARM_UP_SECONDS);
    Results results =
        question.measure(
            "what the settings bring", FILE, work, plan, TimedRounds.leaveOneOut(plan, until));
    Measured measured = Measured.of(results.experiments().getFirst(), question.needs());
    choice = new Choice(Map.of(EXPERIMENT, measured), Map.of(), null, question.needs());
  }

  /** What a setting brought. */
  Gain gain(Candidate best, String option) {
    return choice.gain(best.name(), best.name() + WITHOUT + option);
  }

  /** Whether half the caches lead to another answer. */
  List<Flip> flips(Candidate best, List<Candidate> last) {
    String change = "half the caches and buffers";
    if (last.stream().noneMatch(Candidate::hasAmounts)) {
      return List.of(
          new Flip(change, "these engines leave caching to the system", Basis.NOT_MEASURED));
    }
    String own = best.name() + HALF;
    String first = choice.order().stream().filter(halves::containsKey).findFirst().orElse(own);
    boolean compared = own.equals(first) || choice.gain(own, first).low() != null;
    if (!choice.ran(own) || choice.rounds() < 2 || !compared) {
      return List.of(new Flip(change, "there was no time", Basis.NOT_MEASURED));
    }
    Candidate other = halves.get(first);
    String answer =
        other == null || other.equals(best)
            ? "the same"
            : other.name() + ", " + choice.gain(first, own).words();
    return List.of(new Flip(change, answer, Basis.MEASURED));
  }

  /**
   * Whether twice the data lead to another answer, if speeds go on as they did from the smaller
   * share of the data to all.
   */
  static Flip twice(List<Halving.Stage> stages, Candidate best, List<Candidate> last) {
    String change = "twice the data, and caches";
    Halving.Stage all = stages.getLast();
    Halving.Stage part =
        stages.stream().filter(each -> each.share() < all.share()).reduce((_, b) -> b).orElse(null);
    if (part == null) {
      return new Flip(change, "there is too little data to tell", Basis.NOT_MEASURED);
    }
    Map<Candidate, Double> projected = new LinkedHashMap<>();
    double steps = Math.log(2) / Math.log(all.share() / part.share());
    for (Candidate each : last) {
      Double here = speed(all, each);
      Double before = speed(part, each);
      if (here != null && before != null) {
        projected.put(each, here * Math.pow(here / before, steps));
      }
    }
    if (projected.size() < 2 || !projected.containsKey(best)) {
      return new Flip(change, "too few were measured on a part of the data", Basis.NOT_MEASURED);
    }
    Candidate first =
        projected.entrySet().stream()
            .max(Comparator.comparingDouble(Map.Entry::getValue))
            .orElseThrow()
            .getKey();
    return new Flip(change, first.equals(best) ? "the same" : first.name(), Basis.PROJECTED);
  }

  private static @Nullable Double speed(Halving.Stage stage, Candidate candidate) {
    Outcome own = stage.outcomes().get(candidate);
    return own == null || !(own.speed() > 0) ? null : own.speed();
  }
}
