package io.kvstadium.bench.run;

import io.kvstadium.bench.data.Dataset;
import io.kvstadium.bench.data.DatasetIndex;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.sql.SqlDataset;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.trial.Source;
import io.kvstadium.store.Engines;
import java.util.List;
import java.util.Map;

/**
 * What a first pass over the user's own data shows: that it can be read to its end, and its shape.
 *
 * @param shape like generated data of the same number and median sizes, for plans and warm-ups
 * @param described what it is, for the user; see {@link io.kvstadium.bench.result.Facts}
 * @param findings what a reader of the report should know
 */
record UserData(DataSpec shape, Map<String, Object> described, List<Finding> findings) {
  private static final int SHORTEST_KEY = 8;
  private static final int LONGEST_KEY = 256;
  private static final int LONGEST_VALUE = 1 << 20;

  /**
   * Reads everything once.
   *
   * @param engines which may bring the driver of a database
   * @throws io.kvstadium.store.BadArgumentException with file and line of what is malformed
   */
  static UserData read(Source source, Engines engines, long seed) {
    boolean fresh = source.copy() == null && SqlDataset.names(source.path());
    Dataset dataset = fresh ? table(source, engines) : source.dataset();
    DatasetIndex index = DatasetIndex.build(dataset, DatasetIndex.Limits.DEFAULT, seed);
    long key = Math.clamp(index.keyLengths().median(), SHORTEST_KEY, LONGEST_KEY);
    long value = Math.clamp(index.valueLengths().median(), 1, LONGEST_VALUE);
    return new UserData(
        DataSpec.of(index.count(), "random-bytes:" + key, Long.toString(value)),
        index.describe(),
        index.findings());
  }

  /** The table that a source names. */
  static SqlDataset table(Source source, Engines engines) {
    return SqlDataset.open(
        source.path(), source.table(), source.value(), source.options(), engines);
  }
}
