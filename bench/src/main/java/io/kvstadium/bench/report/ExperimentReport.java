package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.SweepPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one experiment showed.
 *
 * @param groups one for each group, in the suite's order
 * @param answer whether to change engines, or {@code null} if that was not asked
 * @param absences what is missing and why
 * @param costs of each configuration with any known costs
 * @param published the tables of the experiment's form; of a sweep, those of all its points, in the
 *     section of the first
 */
record ExperimentReport(
    ExperimentResult experiment,
    List<ComparisonGroup> groups,
    @Nullable MigrationAnswer answer,
    List<Absence> absences,
    List<Costs> costs,
    List<PublishedTable> published) {

  /** Its value in its sweep; NaN if it belongs to none. */
  double value() {
    SweepPoint point = experiment.point();
    return point == null ? Double.NaN : point.value();
  }
}
