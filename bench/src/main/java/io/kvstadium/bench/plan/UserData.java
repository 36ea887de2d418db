package io.kvstadium.bench.plan;

import io.kvstadium.bench.data.DatasetIndex;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.transfer.source.EntrySource;
import java.util.List;
import java.util.Map;

/**
 * What a first pass over the user's own data shows: that it can be read to its end, and its shape.
 *
 * @param shape like generated data of the same number and median sizes, for plans and warm-ups
 * @param longestKey in bytes
 * @param described what it is, for the user; see {@link io.kvstadium.bench.result.Facts}
 * @param findings what a reader of the report should know
 */
public record UserData(
    DataSpec shape, long longestKey, Map<String, Object> described, List<Finding> findings) {
  private static final int SHORTEST_KEY = 8;
  private static final int LONGEST_KEY = 256;
  private static final int LONGEST_VALUE = 1 << 20;

  /**
   * Reads everything once.
   *
   * @throws io.kvstadium.store.StadiumException with file and line of what is malformed
   */
  public static UserData read(EntrySource source, long seed) {
    DatasetIndex index = DatasetIndex.build(source, DatasetIndex.Limits.DEFAULT, seed);
    long key = Math.clamp(index.keyLengths().median(), SHORTEST_KEY, LONGEST_KEY);
    long value = Math.clamp(index.valueLengths().median(), 1, LONGEST_VALUE);
    return new UserData(
        DataSpec.of(index.count(), "random-bytes:" + key, Long.toString(value)),
        index.keyLengths().max(),
        index.describe(),
        index.findings());
  }
}
