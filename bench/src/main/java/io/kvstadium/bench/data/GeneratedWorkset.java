package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Entries generated from a seed. Takes about 1 MiB regardless of their number. */
public final class GeneratedWorkset implements Workset {
  /** The order in which entries are loaded. */
  public enum Order {
    /** By index; for the numeric key forms that is the order of the keys. */
    SEQUENTIAL,
    /** In a random order. */
    RANDOM
  }

  /**
   * Beyond this many entries, keys that are not numbers are not sorted: it takes about 100 bytes
   * each.
   */
  private static final int MAX_SORTED = 2_000_000;

  /** A histogram of the user's own sizes can be very long. */
  private static final int MAX_SHOWN = 80;

  private final Keys keys;
  private final Values values;
  private final Order order;
  private final long seed;

  /**
   * @param count how many entries are loaded, from 1
   * @param extra how many more can be inserted after that; the loaded ones do not depend on it
   * @param seed of the trial; the same for all configurations that are compared
   */
  public GeneratedWorkset(
      KeySpec keys, ValueSpec values, long count, long extra, Order order, long seed) {
    long max = 1L << Values.INDEX_BITS;
    if (extra < 0 || count > max || extra > max - count) {
      throw new BadArgumentException(
          count
              + " entries and "
              + extra
              + " to insert: give 0 or more, and at most 2^"
              + Values.INDEX_BITS
              + " in all");
    }
    this.keys = new Keys(keys, count, count + extra, seed);
    this.values = new Values(values, seed);
    this.order = order;
    this.seed = seed;
  }

  @Override
  public long count() {
    return keys.count();
  }

  @Override
  public long size() {
    return keys.count();
  }

  @Override
  public long room() {
    return keys.room();
  }

  @Override
  public EntryIterator entries() {
    return inOrder(
        (order == Order.SEQUENTIAL ? new Distribution.Sequential() : new Distribution.Shuffled())
            .over(count(), seed, Seeds.derive(seed, "load order")));
  }

  @Override
  public @Nullable EntryIterator sortedEntries() {
    if (keys.spec().form().ascending()) {
      return inOrder(new Distribution.Sequential().over(count(), seed, seed));
    }
    int[] sorted = sorted();
    if (sorted == null) {
      return null;
    }
    PrimitiveIterator.OfInt indexes = Arrays.stream(sorted).iterator();
    return inOrder(indexes::nextInt);
  }

  @Override
  public @Nullable LongUnaryOperator keyOrder() {
    if (keys.spec().form().ascending()) {
      return LongUnaryOperator.identity();
    }
    int[] sorted = sorted();
    return sorted == null ? null : rank -> sorted[(int) rank];
  }

  /** Indexes in the order of their keys. */
  private int @Nullable [] sorted() {
    if (count() > MAX_SORTED) {
      return null;
    }
    byte[][] all = new byte[(int) count()][];
    Arrays.setAll(all, keys::key);
    return IntStream.range(0, all.length)
        .boxed()
        .sorted((i, j) -> Arrays.compareUnsigned(all[i], all[j]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private EntryIterator inOrder(Indexes indexes) {
    return new EntryIterator() {
      private long left = count();

      @Override
      public boolean hasNext() {
        return left > 0;
      }

      @Override
      public Entry<byte[], byte[]> next() {
        if (left == 0) {
          throw new NoSuchElementException();
        }
        left--;
        long i = indexes.next();
        return new Entry<>(key(i), value(i, 0));
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public byte[] key(long i) {
    return keys.key(i);
  }

  @Override
  public byte[] value(long i, long generation) {
    return values.value(i, generation);
  }

  @Override
  public int valueLength(long i, long generation) {
    return values.length(i, generation);
  }

  @Override
  public boolean matches(long i, long generation, byte[] value) {
    return values.matches(i, generation, value);
  }

  @Override
  public Map<String, Object> describe() {
    ValueSpec spec = values.spec();
    Map<String, Object> shape = new LinkedHashMap<>();
    shape.put("source", "generated");
    shape.put("entries", count());
    shape.put("key form", keys.spec().form().text());
    int shortest = keys.spec().minLength();
    int longest = keys.spec().maxLength();
    shape.put("key bytes", shortest == longest ? (Object) longest : shortest + ".." + longest);
    shape.put("value form", spec.form() == ValueSpec.Form.TEXT ? "text" : "bytes");
    shape.put("value bytes", sizes(spec.sizes()));
    shape.put("compressible", Math.round(spec.compressibility() * 100) + " %");
    shape.put("load order", order == Order.SEQUENTIAL ? "sequential" : "random");
    shape.put("seed", seed);
    return shape;
  }

  private static Object sizes(SizeDistribution sizes) {
    if (sizes instanceof SizeDistribution.Fixed fixed) {
      return fixed.bytes();
    }
    String text = sizes.toString();
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN - 1) + "…";
  }
}
