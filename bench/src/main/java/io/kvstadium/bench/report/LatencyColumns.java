package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of tables of latencies. Only where a sample is one operation are there percentiles
 * and a maximum; of batches there is the mean of an operation, and dashes.
 */
final class LatencyColumns {
  static final List<Column<Latencies>> SHORT = of(Latencies.TABLE);
  static final List<Column<Latencies>> LONG = of(Latencies.LONG_TABLE);

  private LatencyColumns() {}

  private static List<Column<Latencies>> of(List<Double> levels) {
    List<Column<Latencies>> columns = new ArrayList<>();
    columns.add(new Column<>("mean", own -> Units.time(own.meanPerOperation())));
    for (double level : levels) {
      columns.add(
          new Column<>(
              Units.level(level),
              own -> {
                Long nanos = own.at(level);
                return nanos == null ? CostTexts.UNKNOWN : Units.time(nanos);
              }));
    }
    columns.add(
        new Column<>("max", own -> own.single() ? Units.time(own.maxNanos()) : CostTexts.UNKNOWN));
    return columns;
  }

  /** Says why there is no more than the mean, or nothing if there is. */
  static String note(Latencies latencies) {
    return latencies.single()
        ? ""
        : latencies.batch() + " operations were timed together, so that only their mean is known";
  }
}
