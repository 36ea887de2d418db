package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Mixing;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.store.Entry;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chooses entries at random in one pass: those whose key has the smallest hash. Unlike a random
 * reservoir, this takes each distinct key with the same probability however often it occurs, and
 * recognizes an entry when a later one overwrites it. The values of those with the very smallest
 * hashes are kept, as many as fit.
 */
final class Sampler {
  private final int maxKeys;
  private final long maxValueBytes;
  private final long salt;
  private final TreeMap<Long, Sample> samples = new TreeMap<>();
  private final TreeMap<Long, Sample> holders = new TreeMap<>();
  private long valueBytes;

  /** Values are kept only below this priority, which sinks whenever they do not fit. */
  private long holdBelow = Long.MAX_VALUE;

  Sampler(int maxKeys, long maxValueBytes, long seed) {
    this.maxKeys = maxKeys;
    this.maxValueBytes = maxValueBytes;
    this.salt = Seeds.derive(seed, "sample");
  }

  void offer(Entry<byte[], byte[]> entry, long keyHash, long ordinal) {
    long priority = Mixing.mix(keyHash ^ salt);
    if (samples.size() == maxKeys && priority > samples.lastKey()) {
      return;
    }
    Sample sample = samples.computeIfAbsent(priority, p -> new Sample(p, entry.key()));
    if (!Arrays.equals(sample.key, entry.key())) {
      // Two keys with the same hash, once in 2^64 pairs: the first stays.
      return;
    }
    sample.ordinal = ordinal;
    sample.valueLength = entry.value().length;
    sample.valueHash = Mixing.hash(entry.value());
    release(sample);
    if (samples.size() > maxKeys) {
      Map.Entry<Long, Sample> last = samples.pollLastEntry();
      release(last.getValue());
      if (last.getValue() == sample) {
        return;
      }
    }
    if (priority < holdBelow) {
      hold(sample, entry.value());
    }
  }

  private void hold(Sample sample, byte[] value) {
    sample.value = value;
    valueBytes += value.length;
    holders.put(sample.priority, sample);
    while (valueBytes > maxValueBytes && holders.size() > 1) {
      Sample last = holders.lastEntry().getValue();
      holdBelow = last.priority;
      release(last);
    }
  }

  private void release(Sample sample) {
    byte[] value = sample.value;
    if (value != null) {
      valueBytes -= value.length;
      sample.value = null;
      holders.remove(sample.priority);
    }
  }

  /** The samples in the order of the data. */
  List<Sample> inDataOrder() {
    return samples.values().stream().sorted(Comparator.comparingLong(s -> s.ordinal)).toList();
  }
}
