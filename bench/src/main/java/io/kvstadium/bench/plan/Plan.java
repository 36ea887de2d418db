package io.kvstadium.bench.plan;

import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.text.Finding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A suite made ready for this machine.
 *
 * @param asked the suite as it was asked for
 * @param suite with its configurations spelled out
 * @param warmUpSeconds of each trial
 * @param entrants one for each configuration that has its own trials, by experiment; {@link #round}
 *     makes trials of them
 * @param leftOut configurations that cannot run; they are not in the suite
 * @param legacy engines that are not measured because nobody named them
 * @param findings what a reader must know about the user's own data, and about configurations that
 *     do not run as the suite says
 * @param seed of all orders, and of the trials' seeds
 */
public record Plan(
    Suite asked,
    Suite suite,
    double warmUpSeconds,
    List<PlannedTrial> entrants,
    List<LeftOut> leftOut,
    Set<String> legacy,
    List<Finding> findings,
    long seed) {
  /** The most rounds under a budget. */
  private static final int MAX_ROUNDS = 50;

  public Plan {
    entrants = List.copyOf(entrants);
    leftOut = List.copyOf(leftOut);
    legacy = Collections.unmodifiableSet(new LinkedHashSet<>(legacy));
    findings = List.copyOf(findings);
  }

  /** The plan of a suite that is ready: each configuration runs all phases as they are. */
  public static Plan of(Suite suite, double warmUpSeconds, long seed) {
    List<PlannedTrial> entrants = new ArrayList<>();
    for (int e = 0; e < suite.experiments().size(); e++) {
      Experiment experiment = suite.experiments().get(e);
      for (Configuration each : experiment.configurations()) {
        entrants.add(new PlannedTrial(e, each, experiment.phases(), List.of(), 1, seed));
      }
    }
    return new Plan(suite, suite, warmUpSeconds, entrants, List.of(), Set.of(), List.of(), seed);
  }

  public Plan with(List<Finding> more) {
    List<Finding> all = Stream.concat(findings.stream(), more.stream()).toList();
    return new Plan(asked, suite, warmUpSeconds, entrants, leftOut, legacy, all, seed);
  }

  /** Returns a copy whose trials warm up for other seconds. */
  public Plan warmedUpFor(double seconds) {
    return new Plan(asked, suite, seconds, entrants, leftOut, legacy, findings, seed);
  }

  /** Why legacy engines are not measured. */
  public static String withoutLegacy(Set<String> legacy) {
    return "legacy engines are measured only if --engines names them: " + String.join(", ", legacy);
  }

  /** Whether a budget decides how many trials there are. */
  public boolean hasBudget() {
    return suite.budget() > 0;
  }

  /** How many rounds there are, or may be at most under a budget. */
  public int rounds() {
    return hasBudget() ? MAX_ROUNDS : suite.trials();
  }

  /** Whether it is one of the engine that its reader uses today. */
  public boolean isInUse(PlannedTrial trial) {
    Aim.Current current = suite.experiments().get(trial.experiment()).aim().current();
    return current != null && current.engine().equals(trial.configuration().engine());
  }

  /**
   * Returns one trial of each entrant, experiment after experiment, in a random order that depends
   * on the seed alone.
   *
   * @param number from 1
   */
  public List<PlannedTrial> round(int number) {
    List<PlannedTrial> round = new ArrayList<>();
    for (int e = 0; e < suite.experiments().size(); e++) {
      int experiment = e;
      String name = suite.experiments().get(e).name();
      long trialSeed = Seeds.derive(Seeds.derive(seed, name + " trials"), number);
      List<PlannedTrial> own =
          new ArrayList<>(
              entrants.stream()
                  .filter(each -> each.experiment() == experiment)
                  .map(each -> each.numbered(number, trialSeed))
                  .toList());
      Collections.shuffle(own, new Random(Seeds.derive(Seeds.derive(seed, name), number)));
      round.addAll(own);
    }
    return round;
  }

  /**
   * A configuration that cannot run.
   *
   * @param experiment the name of the one in which it cannot
   */
  public record LeftOut(String experiment, Configuration configuration, String reason) {
    /** Returns a line for each reason, with the names of all configurations that it applies to. */
    public static List<String> lines(List<LeftOut> all) {
      Map<String, Set<String>> names = new LinkedHashMap<>();
      all.forEach(each ->
          names
              .computeIfAbsent(each.reason, _ -> new LinkedHashSet<>())
              .add(each.configuration.name()));
      return names.entrySet().stream()
          .map(each -> String.join(", ", each.getValue()) + ": " + each.getKey())
          .toList();
    }
  }
}
