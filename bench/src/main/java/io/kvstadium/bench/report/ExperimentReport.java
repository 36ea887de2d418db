package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ExperimentResult;
import java.util.List;

/**
 * What one experiment showed.
 *
 * @param experiment as measured
 * @param groups one for each group, in the suite's order
 * @param absences what is missing and why
 * @param costs of each configuration of which anything is known
 * @param published the tables of the experiment's form; of a sweep, those of all its points, in the
 *     section of the first
 */
public record ExperimentReport(
    ExperimentResult experiment,
    List<ComparisonGroup> groups,
    List<Absence> absences,
    List<Costs> costs,
    List<PublishedTable> published) {
  public ExperimentReport {
    groups = List.copyOf(groups);
    absences = List.copyOf(absences);
    costs = List.copyOf(costs);
    published = List.copyOf(published);
  }
}
