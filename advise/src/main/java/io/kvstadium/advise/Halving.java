package io.kvstadium.advise;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
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

  /** The turn of those for which there may be no time. */
  private static final int LATER = 2;

  /** As many engines are compared to the end. */
  private static final int ENGINES = 2;

  /** Of these at most so many of one engine. */
  private static final int OF_ONE_ENGINE = 2;

  private static final int MIN_RECORDS = 10_000;
  private static final int MAX_PARTS = 16;
  private static final double[] SECONDS = {0.8, 1.2, 2};
  private static final double[] UNTIL = {0.5, 0.75, 1};
  private static final double GROWTH = 1.5;
  private static final int MAX_ROUNDS = 3;

  private final Question question;
  private final List<Stage> stages = new ArrayList<>();
  private final Set<String> untried = new LinkedHashSet<>();
  private final Set<String> refused = new LinkedHashSet<>();
  private final Set<Candidate> leading = new LinkedHashSet<>();
  private final @Nullable Candidate current;
  private double perTrial;

  /**
   * @param share of the data
   * @param figures of each candidate that was tried
   */
  record Stage(double share, Map<Candidate, Figures> figures) {}

  /**
   * @param current what is in use, or {@code null}
   */
  Halving(Question question, @Nullable Candidate current) {
    this.question = question;
    this.current = current;
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
    double begin = question.elapsed().getAsDouble();
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
      Map<Candidate, Figures> figures = measure(present, oneOf, SECONDS[stage], end);
      List<Candidate> order = order(figures, 1.0 / oneOf);
      if (order.isEmpty() || stage == SECONDS.length - 1) {
        present = order;
        break;
      }
      double rest = begin + (until - begin) * UNTIL[stage + 1] - question.elapsed().getAsDouble();
      int fitting = (int) (rest / (perTrial * GROWTH));
      int kept = Math.clamp(Math.min((order.size() + 1) / 2, fitting), LAST, Integer.MAX_VALUE);
      List<Candidate> better = new ArrayList<>(order.subList(0, Math.min(kept, order.size())));
      if (stage == 0) {
        better.addAll(0, together(figures, better));
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
  private static List<Candidate> together(Map<Candidate, Figures> figures, List<Candidate> better) {
    Map<Candidate, Double> speeds = new LinkedHashMap<>();
    figures.forEach((candidate, own) -> {
      if (better.stream()
          .anyMatch(each -> each.engine().name().equals(candidate.engine().name()))) {
        speeds.put(candidate, own.speed());
      }
    });
    return Candidate.combined(speeds);
  }

  private Map<Candidate, Figures> measure(
      List<Candidate> candidates, int oneOf, double seconds, double until) {
    Work work = question.workload().small(oneOf, seconds);
    Map<String, Candidate> byName = new LinkedHashMap<>();
    List<Configuration> configurations = new ArrayList<>();
    candidates.forEach(each -> {
      if (byName.put(each.name(), each) == null) {
        configurations.add(each.on(work.share(), question.level()));
      }
    });
    Plan plan = work.plan(question.engines(), configurations, question.level(), 0);
    Map<Candidate, List<Figures>> figures = new LinkedHashMap<>();
    refused.addAll(Plan.LeftOut.lines(plan.leftOut()));
    Set<String> missing = new LinkedHashSet<>();
    plan.entrants().forEach(each -> missing.add(each.configuration().name()));
    double begin = question.elapsed().getAsDouble();
    int trials = 0;
    for (int round = 1; round <= MAX_ROUNDS; round++) {
      double roundBegin = question.elapsed().getAsDouble();
      List<PlannedTrial> order = new ArrayList<>(plan.round(round));
      // stable, so that each kind stays in random order
      order.sort(Comparator.comparingInt(each -> turn(candidate(byName, each), stages.isEmpty())));
      for (PlannedTrial trial : order) {
        String name = trial.configuration().name();
        boolean always = round == 1 && turn(candidate(byName, trial), stages.isEmpty()) < LATER;
        if (question.elapsed().getAsDouble() > until && trials >= LAST && !always) {
          continue;
        }
        question
            .progress()
            .accept(
                "%s of the keys, %d of %d: %s"
                    .formatted(
                        oneOf == 1 ? "all" : "1/" + oneOf,
                        Math.min(trials + 1, order.size()),
                        order.size(),
                        name));
        Candidate candidate = candidate(byName, trial);
        figures
            .computeIfAbsent(candidate, _ -> new ArrayList<>())
            .add(question.runner().run(trial, plan, work));
        missing.remove(name);
        trials++;
      }
      double took = question.elapsed().getAsDouble() - roundBegin;
      if (question.elapsed().getAsDouble() + took > until) {
        break;
      }
    }
    untried.addAll(missing);
    perTrial = (question.elapsed().getAsDouble() - begin) / Math.max(1, trials);
    Map<Candidate, Figures> typical = new LinkedHashMap<>();
    figures.forEach((candidate, own) -> typical.put(candidate, Figures.typical(own)));
    stages.add(new Stage(work.share(), typical));
    return typical;
  }

  /**
   * What is in use comes first, and so do engines as they come: at the first stage before any
   * setting of any of them, later those that lead.
   */
  private int turn(Candidate candidate, boolean first) {
    boolean asItComes = candidate.settings().isEmpty() && (first || leading.contains(candidate));
    return candidate.equals(current) ? 0 : asItComes ? 1 : LATER;
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
  private List<Candidate> order(Map<Candidate, Figures> figures, double share) {
    List<Candidate> order = new ArrayList<>(figures.keySet());
    order.removeIf(each -> figures(figures, each).failure() != null);
    order.sort(Comparator.comparingDouble(each -> -figures(figures, each).speed()));
    List<Candidate> best = new ArrayList<>(order);
    best.removeIf(each -> !figures(figures, each).meets(question.needs(), share));
    order.removeAll(best);
    best.addAll(order);
    return best;
  }

  private static Figures figures(Map<Candidate, Figures> figures, Candidate candidate) {
    return Objects.requireNonNull(figures.get(candidate));
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
