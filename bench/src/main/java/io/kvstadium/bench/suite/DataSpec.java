package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.GeneratedWorkset;
import io.kvstadium.bench.data.KeySpec;
import io.kvstadium.bench.data.SizeLaw;
import io.kvstadium.bench.data.ValueSpec;

/**
 * What generated entries look like. (With {@code --data} only the seed of the order remains.)
 *
 * @param records how many
 * @param key form of the keys, as {@link io.kvstadium.bench.data.KeySpec#parse} reads it: {@code
 *     random-bytes:16}, {@code digits:8}, {@code uint64} …
 * @param order in which they are loaded: {@code sequential} or {@code random}
 * @param value form of the values: {@code bytes} or {@code text}
 * @param valueSize size of the values in bytes, as {@link io.kvstadium.bench.data.SizeLaw#parse}
 *     reads it: {@code 100}, {@code 50..150} (uniform) or {@code 50+-5} (normal)
 * @param compressibility the share of a value's bytes that a compressor can remove, 0 to 0.95
 */
public record DataSpec(
    long records,
    String key,
    String order,
    String value,
    String valueSize,
    double compressibility) {
  /** With so many records. */
  public DataSpec withRecords(long newRecords) {
    return new DataSpec(newRecords, key, order, value, valueSize, compressibility);
  }

  /** With values of such a size. */
  public DataSpec withValueSize(String newSize) {
    return new DataSpec(records, key, order, value, newSize, compressibility);
  }

  /** With values that a compressor can shrink by this share. */
  public DataSpec withCompressibility(double share) {
    return new DataSpec(records, key, order, value, valueSize, share);
  }

  /** Loaded in the order of indexes. */
  public DataSpec inSequence() {
    return new DataSpec(records, key, "sequential", value, valueSize, compressibility);
  }

  /** About how many bytes of keys and values there will be. */
  public long approximateBytes() {
    return Math.round(
        records * (KeySpec.parse(key).meanLength() + SizeLaw.parse(valueSize).mean()));
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
    ValueSpec.Form form = value.equals("text") ? ValueSpec.Form.TEXT : ValueSpec.Form.BYTES;
    return new GeneratedWorkset(
        KeySpec.parse(key),
        new ValueSpec(form, SizeLaw.parse(valueSize), compressibility),
        records,
        extra,
        order.equals("sequential")
            ? GeneratedWorkset.Order.SEQUENTIAL
            : GeneratedWorkset.Order.RANDOM,
        seed);
  }
}
