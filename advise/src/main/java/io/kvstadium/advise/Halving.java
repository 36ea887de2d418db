package io.kvstadium.advise;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.suite.Configuration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Successive halving (K. Jamieson, A. Talwalkar, Non-stochastic Best Arm Identification, AISTATS
 * 2016): all candidates on a small part of the keys, the better half on a larger one, and so on up
 * to all keys. After the first stage, each engine's settings that helped are also tried together.
 */
final class Halving {
  /** How many are left at the end. */
  static final int LAST = 3;

  /** As many engines are compared to the end. */
  private static final int ENGINES = 2;

  /** Of these at most so many of one engine. */
  private static final int OF_ONE_ENGINE = 2;

  private static final int MIN_RECORDS = 10_000;
  private static final int MAX_PARTS = 16;
  private static final double[] SECONDS = {0.8, 1.2, 2};
  private static final double[] UNTIL = {0.5, 0.75, 1};
  private static final double GROWTH = 1.5;

  /** Less than that of a run: these trials only say which ones to go on with. */
  static final double WARM_UP_SECONDS = 0.6;

  private final Question question;
  private final List<Stage> stages = new ArrayList<>();
  private final Set<String> untried = new LinkedHashSet<>();
  private final Set<String> refused = new LinkedHashSet<>();
  private final Set<Candidate> leading = new LinkedHashSet<>();
  private final @Nullable Candidate current;
  private double perTrial;
  private double now; // by the results alone, so that a resumed halving decides the same

  /**
   * @param share of the data
   * @param outcomes of each candidate that was tried
   */
  record Stage(double share, Map<Candidate, Outcome> outcomes) {}

  /**
   * @param current what is in use, or {@code null}
   * @param now seconds of the budget that are over
   */
  Halving(Question question, @Nullable Candidate current, double now) {
    this.question = question;
    this.current = current;
    this.now = now;
  }

  /** What was measured. */
  List<Stage> stages() {
    return stages;
  }

  /** The names of candidates for which there was no time. */
  Set<String> untried() {
    return untried;
  }

  /** Those that could not run, with the reason. */
  Set<String> refused() {
    return refused;
  }

  /** The results of a stage, from 1. */
  static String file(int stage) {
    return "halving-" + stage + ".json";
  }

  /** Seconds of the budget that were over when it ended. */
  double ended() {
    return now;
  }

  /** About how many seconds a trial on all keys takes. */
  double secondsPerTrial() {
    return perTrial;
  }

  /**
   * The best few.
   *
   * @param until seconds since the start
   */
  List<Candidate> best(List<Candidate> all, double until) {
    double begin = now;
    List<Candidate> present = new ArrayList<>(all);
    if (current != null) {
      present.remove(current);
      present.addFirst(current);
    }
    int oneOf =
        Math.clamp(Long.highestOneBit(question.workload().records() / MIN_RECORDS), 1, MAX_PARTS);
    for (int stage = 0; stage < SECONDS.length; stage++) {
      if (stage == SECONDS.length - 1) {
        oneOf = 1;
      }
      double end = begin + (until - begin) * UNTIL[stage];
      Map<Candidate, Outcome> outcomes = measure(present, oneOf, SECONDS[stage], end);
      List<Candidate> order = order(outcomes, 1.0 / oneOf);
      if (order.isEmpty() || stage == SECONDS.length - 1) {
        present = order;
        break;
      }
      double rest = begin + (until - begin) * UNTIL[stage + 1] - now;
      int fitting = (int) (rest / (perTrial * GROWTH));
      int kept = Math.clamp(Math.min((order.size() + 1) / 2, fitting), LAST, Integer.MAX_VALUE);
      List<Candidate> better = new ArrayList<>(order.subList(0, Math.min(kept, order.size())));
      if (stage == 0) {
        better.addAll(0, together(outcomes, better));
      }
      // first what is always compared: a sample of the keys tells little between engines
      Set<Candidate> next = new LinkedHashSet<>(leading(order));
      next.addAll(better);
      present = new ArrayList<>(next);
      oneOf = Math.max(1, oneOf / 4);
      if (fitting < better.size()) {
        stage = SECONDS.length - 2; // there is time for all keys at most
      }
    }
    return last(present);
  }

  /** Settings that helped alone, together, of the engines that are left. */
  private static List<Candidate> together(
      Map<Candidate, Outcome> outcomes, List<Candidate> better) {
    Map<Candidate, Double> speeds = new LinkedHashMap<>();
    outcomes.forEach((candidate, own) -> {
      if (better.stream()
          .anyMatch(each -> each.engine().name().equals(candidate.engine().name()))) {
        speeds.put(candidate, own.speed());
      }
    });
    return Candidate.combined(speeds);
  }

  private Map<Candidate, Outcome> measure(
      List<Candidate> candidates, int oneOf, double seconds, double until) {
    Work work = question.workload().small(oneOf, seconds);
    Map<String, Candidate> byName = new LinkedHashMap<>();
    List<Configuration> configurations = new ArrayList<>();
    candidates.forEach(each -> {
      if (byName.put(each.name(), each) == null) {
        configurations.add(each.on(work.share(), question.level()));
      }
    });
    Plan plan = question.plan(work, configurations).warmedUpFor(WARM_UP_SECONDS);
    refused.addAll(Plan.LeftOut.lines(plan.leftOut()));
    boolean first = stages.isEmpty();
    Results results =
        question.measure(
            (oneOf == 1 ? "all" : "1/" + oneOf) + " of the keys",
            file(stages.size() + 1),
            work,
            plan,
            TimedRounds.halving(plan, until, LAST, each -> turn(candidate(byName, each), first)));
    Map<Candidate, Outcome> outcomes = new LinkedHashMap<>();
    Measured.of(results.experiments().getFirst(), question.needs())
        .outcomes()
        .forEach((name, each) -> outcomes.put(Objects.requireNonNull(byName.get(name)), each));
    int trials = 0;
    for (ConfigurationResult each : results.experiments().getFirst().configurations()) {
      trials += each.trials().size();
      if (each.trials().isEmpty() && each.skipped() == null) {
        untried.add(each.name());
      }
    }
    perTrial = (results.seconds() - now) / Math.max(1, trials);
    now = results.seconds();
    stages.add(new Stage(work.share(), outcomes));
    return outcomes;
  }

  /**
   * What is in use comes first, and so do engines as they come: at the first stage before any
   * setting of any of them, later those that lead.
   */
  private int turn(Candidate candidate, boolean first) {
    boolean asItComes = candidate.settings().isEmpty() && (first || leading.contains(candidate));
    return candidate.equals(current) ? 0 : asItComes ? 1 : TimedRounds.LATER;
  }

  /** What is in use, and the best two engines as they come. */
  private Set<Candidate> leading(List<Candidate> order) {
    leading.clear();
    order.stream().filter(each -> each.equals(current)).forEach(leading::add);
    order.stream()
        .map(each -> each.engine().name())
        .distinct()
        .limit(ENGINES)
        .forEach(engine ->
            order.stream()
                .filter(each -> each.engine().name().equals(engine) && each.settings().isEmpty())
                .forEach(leading::add));
    return leading;
  }

  private static Candidate candidate(Map<String, Candidate> byName, PlannedTrial trial) {
    return Objects.requireNonNull(byName.get(trial.configuration().name()));
  }

  /** Those that have figures, the best first; those that do not meet the needs come last. */
  private List<Candidate> order(Map<Candidate, Outcome> outcomes, double share) {
    List<Candidate> order = new ArrayList<>(outcomes.keySet());
    order.removeIf(each -> outcome(outcomes, each).failure() != null);
    order.sort(Comparator.comparingDouble(each -> -outcome(outcomes, each).speed()));
    List<Candidate> best = new ArrayList<>(order);
    best.removeIf(each -> !outcome(outcomes, each).meets(question.needs(), share));
    order.removeAll(best);
    best.addAll(order);
    return best;
  }

  private static Outcome outcome(Map<Candidate, Outcome> outcomes, Candidate candidate) {
    return Objects.requireNonNull(outcomes.get(candidate));
  }

  /** The best engine, another one, and the best of the rest. */
  private static List<Candidate> last(List<Candidate> order) {
    List<Candidate> last = new ArrayList<>();
    order.stream().limit(1).forEach(last::add);
    order.stream()
        .filter(each -> !each.engine().name().equals(last.getFirst().engine().name()))
        .findFirst()
        .ifPresent(last::add);
    for (Candidate each : order) {
      if (last.contains(each)) {
        continue;
      }
      long same =
          last.stream().filter(own -> own.engine().name().equals(each.engine().name())).count();
      if (last.size() < LAST && same < OF_ONE_ENGINE) {
        last.add(each);
      }
    }
    return last;
  }
}
