package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Mixing;
import io.kvstadium.store.Entry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/**
 * The user's own data. The load streams all of it; reads, updates and deletes work on the keys that
 * its index has sampled. Loaded values are verified by length and a 64-bit hash. Updates write
 * values of other entries that the index holds.
 */
public final class DatasetWorkset implements Workset {
  private final EntryFile dataset;
  private final DatasetIndex index;
  private final Sample[] samples;

  /** The samples whose values updates write. */
  private final int[] pool;

  /**
   * For each sample, where in the pool its updates start: after its own value, if that is there.
   */
  private final int[] start;

  /**
   * @param index the index of that file
   */
  public DatasetWorkset(EntryFile dataset, DatasetIndex index) {
    this.dataset = dataset;
    this.index = index;
    List<Sample> list = index.samples();
    this.samples = list.toArray(new Sample[0]);
    this.start = new int[samples.length];
    int[] held = new int[samples.length];
    int n = 0;
    for (int i = 0; i < samples.length; i++) {
      start[i] = -1;
      if (samples[i].value != null) {
        start[i] = n;
        held[n++] = i;
      }
    }
    this.pool = Arrays.copyOf(held, n);
    for (int i = 0; i < samples.length; i++) {
      if (start[i] < 0) {
        start[i] = (int) Mixing.reduce(samples[i].valueHash, n);
      }
    }
  }

  @Override
  public long count() {
    return index.count();
  }

  @Override
  public long size() {
    return samples.length;
  }

  @Override
  public EntryIterator entries() {
    return dataset.entries();
  }

  @Override
  public LongUnaryOperator keyOrder() {
    int[] sorted =
        IntStream.range(0, samples.length)
            .boxed()
            .sorted((i, j) -> Arrays.compareUnsigned(samples[i].key, samples[j].key))
            .mapToInt(Integer::intValue)
            .toArray();
    return place -> sorted[(int) place];
  }

  @Override
  public byte[] key(long i) {
    return sample(i).key.clone();
  }

  @Override
  public byte[] value(long i, long generation) {
    return (generation == 0 ? loaded(i) : updated(i, generation)).clone();
  }

  @Override
  public int valueLength(long i, long generation) {
    return generation == 0 ? sample(i).valueLength : updated(i, generation).length;
  }

  @Override
  public boolean matches(long i, long generation, byte[] value) {
    if (generation > 0) {
      return Arrays.equals(updated(i, generation), value);
    }
    Sample sample = sample(i);
    return value.length == sample.valueLength && Mixing.hash(value) == sample.valueHash;
  }

  private Sample sample(long i) {
    return samples[Math.toIntExact(i)];
  }

  /** The number of the key that was loaded with the value of a generation. */
  public int origin(long i, long generation) {
    int own = Math.toIntExact(i);
    return generation == 0 ? own : pool[(int) ((start[own] + generation) % pool.length)];
  }

  /** The place of a key's entry among all that are loaded. */
  public long ordinal(int i) {
    return samples[i].ordinal;
  }

  public EntryFile dataset() {
    return dataset;
  }

  private byte[] updated(long i, long generation) {
    return Objects.requireNonNull(samples[origin(i, generation)].value);
  }

  private byte[] loaded(long i) {
    Sample sample = sample(i);
    byte[] value = sample.value;
    if (value != null) {
      return value;
    }
    Entry<byte[], byte[]> entry = dataset.entryAt(sample.ordinal);
    if (entry == null || !Arrays.equals(entry.key(), sample.key)) {
      throw new IllegalStateException(
          dataset.name() + " has changed since it was indexed: run again, and leave it alone");
    }
    return entry.value();
  }

  @Override
  public Map<String, Object> describe() {
    Map<String, Object> shape = index.describe();
    shape.put("keys asked for", Integer.toString(samples.length));
    shape.put("load order", "as in the data");
    return shape;
  }
}
