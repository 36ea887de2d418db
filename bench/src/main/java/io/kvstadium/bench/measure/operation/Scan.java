package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.measure.source.OperationSource;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys and values of entries from a key on; the first value, the last key and the number are
 * kept for the checks.
 */
final class Scan extends TimedOperation implements BiConsumer<byte[], byte[]> {
  private final int[] lengths;
  private final int[] counts;
  private final byte[] @Nullable [] lastKeys;
  private long bytes;

  // of the one that runs
  private byte @Nullable [] firstKey;
  private byte @Nullable [] first;
  private byte @Nullable [] last;

  Scan(Slots slots) {
    super(slots);
    this.lengths = new int[slots.capacity()];
    this.counts = new int[slots.capacity()];
    this.lastKeys = new byte[slots.capacity()] @Nullable [];
  }

  @Override
  public void prepare(int k, OperationSource source) {
    slots.key(k, source.index());
    lengths[k] = source.scanLength();
  }

  @Override
  public void run(Target target, int k) {
    first = null;
    firstKey = null;
    last = null;
    counts[k] = target.scan(keys[k], lengths[k], this);
    if (firstKey != null && Arrays.equals(firstKey, keys[k])) {
      results[k] = first;
    }
    lastKeys[k] = last;
  }

  @Override
  public void run(Target target, int from, int to) {
    for (int k = from; k < to; k++) {
      run(target, k);
    }
  }

  @Override
  public void accept(byte[] key, byte[] value) {
    if (firstKey == null) {
      firstKey = key;
      first = value;
    }
    last = key;
    bytes += key.length + value.length;
  }

  @Override
  public void check(int k, Checks checks) {
    checks.entries += counts[k];
    checks.bytes += bytes; // of all that have run
    bytes = 0;
    slots.check(k, slots.take(k), checks);
    Supplier<byte @Nullable []> greatest = slots.greatest;
    if (greatest != null && counts[k] < lengths[k] && !atTheEnd(k, greatest.get())) {
      checks.wrong(
          "a scan from key number "
              + slots.indexes[k]
              + " ended after "
              + counts[k]
              + " entries, before the last one of the table");
    }
  }

  private boolean atTheEnd(int k, byte @Nullable [] end) {
    byte[] reached = lastKeys[k];
    return reached == null
        ? end == null || Arrays.compareUnsigned(end, keys[k]) < 0
        : Arrays.equals(reached, end);
  }
}
