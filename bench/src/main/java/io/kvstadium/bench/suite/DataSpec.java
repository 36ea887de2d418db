package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.GeneratedWorkset;
import io.kvstadium.bench.data.GeneratedWorkset.Order;
import io.kvstadium.bench.data.KeySpec;
import io.kvstadium.bench.data.ValueSpec;
import io.kvstadium.bench.data.draw.SizeDistribution;

/**
 * What generated entries look like. (With {@code --data}, only the seed of the order is used.)
 *
 * @param records how many
 * @param order the order in which they are loaded
 */
public record DataSpec(long records, KeySpec keys, Order order, ValueSpec values) {
  /**
   * Makes entries of bytes that a compressor can halve, loaded in random order.
   *
   * @param keys as read by {@link KeySpec#parse}
   * @param sizes of values, as read by {@link SizeDistribution#parse}
   */
  public static DataSpec of(long records, String keys, String sizes) {
    return new DataSpec(
        records, KeySpec.parse(keys), Order.RANDOM, ValueSpec.bytes(SizeDistribution.parse(sizes)));
  }

  /** Returns a copy with the given number of records. */
  public DataSpec withRecords(long newRecords) {
    return new DataSpec(newRecords, keys, order, values);
  }

  /** Returns a copy that is loaded in the order of indexes. */
  public DataSpec inSequence() {
    return new DataSpec(records, keys, Order.SEQUENTIAL, values);
  }

  /** The approximate number of bytes of keys and values. */
  public long approximateBytes() {
    return Math.round(records * (keys.meanLength() + values.sizes().mean()));
  }

  /** The entries themselves. */
  public GeneratedWorkset workset(long seed) {
    return workset(seed, 0);
  }

  /**
   * The entries themselves.
   *
   * @param extra how many more can be inserted
   */
  public GeneratedWorkset workset(long seed, long extra) {
    return new GeneratedWorkset(keys, values, records, extra, order, seed);
  }
}
