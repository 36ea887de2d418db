package io.kvstadium.bench.plan;

import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.List;
import java.util.stream.Stream;

/**
 * One trial of a plan, with everything that was resolved for it.
 *
 * @param experiment its index in the suite
 * @param phases those that the configuration can run, as it can
 * @param missing the others, with the reason
 * @param number from 1
 * @param seed what its keys, values and orders are made from; equal for equal numbers
 */
public record PlannedTrial(
    int experiment,
    Configuration configuration,
    List<PhaseSpec> phases,
    List<String> missing,
    int number,
    long seed) {
  public PlannedTrial {
    phases = List.copyOf(phases);
    missing = List.copyOf(missing);
  }

  /** The trials of its configuration that there are, of any number. */
  public Stream<TrialResult> in(Results results) {
    return results.experiments().get(experiment).configurations().stream()
        .filter(each -> each.name().equals(configuration.name()))
        .flatMap(each -> each.trials().stream());
  }

  PlannedTrial numbered(int newNumber, long newSeed) {
    return new PlannedTrial(experiment, configuration, phases, missing, newNumber, newSeed);
  }
}
