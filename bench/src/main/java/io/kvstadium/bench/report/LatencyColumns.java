package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of tables of latencies. Only where a sample is one operation are there percentiles
 * and a maximum; of batches there is the mean of an operation, and dashes.
 */
final class LatencyColumns {
  /** Those that only a page has room for are marked as such. */
  static final List<Column<Latencies>> ALL = columns();

  private LatencyColumns() {}

  private static List<Column<Latencies>> columns() {
    List<Column<Latencies>> columns = new ArrayList<>();
    columns.add(Column.of("mean", own -> Units.time(own.meanPerOperation())));
    for (double level : Latencies.LONG_TABLE) {
      Medium[] media = Latencies.TABLE.contains(level) ? new Medium[0] : new Medium[] {Medium.PAGE};
      columns.add(Column.of(Units.level(level), own -> time(own.at(level)), media));
    }
    columns.add(Column.of("max", own -> time(own.single() ? own.maxNanos() : null)));
    return List.copyOf(columns);
  }

  private static String time(@Nullable Long nanos) {
    return nanos == null ? Table.MISSING : Units.time(nanos);
  }
}
