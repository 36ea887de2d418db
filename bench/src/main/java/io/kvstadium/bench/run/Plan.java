package io.kvstadium.bench.run;

import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Suite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A suite made ready for this machine.
 *
 * @param suite with its configurations spelled out and every phase measured
 * @param warmUpSeconds of each trial
 * @param calibrations the round before the trials, where a rate is a share of a maximum
 * @param trials in the order in which they run; that comes from the seed alone
 * @param leftOut configurations that cannot run; they are not in the suite
 * @param findings what is to be said of the user's own data, and of configurations that do not run
 *     as the suite says
 * @param seconds a rough estimate of how long it will take
 */
public record Plan(
    Suite suite,
    double warmUpSeconds,
    List<PlannedTrial> calibrations,
    List<PlannedTrial> trials,
    List<LeftOut> leftOut,
    List<Finding> findings,
    double seconds) {
  public Plan {
    calibrations = List.copyOf(calibrations);
    trials = List.copyOf(trials);
    leftOut = List.copyOf(leftOut);
    findings = List.copyOf(findings);
  }

  /** With more to say. */
  public Plan with(List<Finding> more) {
    List<Finding> all = Stream.concat(findings.stream(), more.stream()).toList();
    return new Plan(suite, warmUpSeconds, calibrations, trials, leftOut, all, seconds);
  }

  /**
   * A configuration that cannot run.
   *
   * @param experiment the name of the one in which it cannot
   */
  public record LeftOut(String experiment, Configuration configuration, String reason) {
    /** A line for each reason, with the names of all configurations that it holds for. */
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

  /**
   * Makes the trials.
   *
   * @param resolved one for each configuration that has trials of its own; number and seed are not
   *     looked at
   */
  static Plan of(
      Suite suite,
      double warmUpSeconds,
      List<PlannedTrial> resolved,
      List<LeftOut> leftOut,
      List<Finding> findings,
      double seconds,
      long seed) {
    List<PlannedTrial> calibrations = new ArrayList<>();
    List<PlannedTrial> trials = new ArrayList<>();
    for (int e = 0; e < suite.experiments().size(); e++) {
      int number = e;
      String name = suite.experiments().get(e).name();
      long seeds = Seeds.derive(seed, name + " trials");
      List<PlannedTrial> own =
          resolved.stream().filter(each -> each.experiment() == number).toList();
      own.stream()
          .map(each -> each.withPhases(Calibration.phases(each.phases())))
          .filter(each -> !each.phases().isEmpty())
          .forEach(each -> calibrations.add(each.numbered(0, Seeds.derive(seeds, 0))));
      for (Schedule.Slot slot : Schedule.of(own.size(), suite.trials(), Seeds.derive(seed, name))) {
        trials.add(
            own.get(slot.configuration())
                .numbered(slot.number(), Seeds.derive(seeds, slot.number())));
      }
    }
    // Rounds of all experiments before the next round of any: an interrupted run has something of
    // each.
    trials.sort(
        Comparator.comparingInt(PlannedTrial::number).thenComparingInt(PlannedTrial::experiment));
    return new Plan(suite, warmUpSeconds, calibrations, trials, leftOut, findings, seconds);
  }
}
