package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.suite.SweepPoint;
import java.util.List;

/**
 * What one experiment showed.
 *
 * @param stadium version of Stadium that measured it
 * @param groups one for each group, in the suite's order
 * @param absences what is missing and why
 * @param costs of each configuration with any known costs
 */
public record ExperimentReport(
    ExperimentResult experiment,
    String stadium,
    List<ComparisonGroup> groups,
    List<Absence> absences,
    List<Costs> costs) {

  /** Its value in its sweep; NaN if it belongs to none. */
  public double value() {
    SweepPoint point = experiment.plan().point();
    return point == null ? Double.NaN : point.value();
  }
}
