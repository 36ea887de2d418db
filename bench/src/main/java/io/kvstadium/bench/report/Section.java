package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ExperimentResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one experiment showed.
 *
 * @param experiment as measured
 * @param divisions one for each group, in the suite's order
 * @param absences what is missing and why
 * @param costs of each configuration of which anything is known
 * @param asPublished the second table form, or {@code null} if the experiment does not want it
 */
public record Section(
    ExperimentResult experiment,
    List<Division> divisions,
    List<Absence> absences,
    List<Costs> costs,
    @Nullable AsPublished asPublished) {
  public Section {
    divisions = List.copyOf(divisions);
    absences = List.copyOf(absences);
    costs = List.copyOf(costs);
  }
}
