package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.SweepPoint;
import java.util.List;

/**
 * What one experiment showed.
 *
 * @param groups one for each group, in the suite's order
 * @param absences what is missing and why
 * @param costs of each configuration of which anything is known
 * @param published the tables of the experiment's form; of a sweep, those of all its points, in the
 *     section of the first
 */
record ExperimentReport(
    ExperimentResult experiment,
    List<ComparisonGroup> groups,
    List<Absence> absences,
    List<Costs> costs,
    List<PublishedTable> published) {

  /** Where it stands in its sweep; NaN if in none. */
  double value() {
    SweepPoint point = experiment.point();
    return point == null ? Double.NaN : point.value();
  }
}
