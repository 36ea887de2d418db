package io.kvstadium.browse.look;

import io.kvstadium.browse.look.Listing.Found;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.zip.Deflater;

/** What a table is made of: lengths, the largest entries, space by prefix, what compresses. */
public final class Anatomy {
  private static final byte[] SEPARATORS = ":/|\0".getBytes(StandardCharsets.US_ASCII);
  private static final int LARGEST = 20;
  private static final int PREFIXES = 5_000;
  private static final int SHOWN = 60;
  private static final int COMPRESSED = 4_000;

  /** Lengths from a power of two to the next, and how many entries have them. */
  public record Bucket(long from, long to, double entries) {}

  /** A prefix, and what the entries that begin with it take. */
  public record Share(String id, double entries, double bytes) {}

  /** A large entry. */
  public record Large(String id, long bytes) {}

  /**
   * The answer.
   *
   * @param compressible the share of the values' bytes that DEFLATE saves in their first 2 KiB
   */
  public record Answer(
      boolean exact,
      double entries,
      double keyBytes,
      double valueBytes,
      List<Bucket> keys,
      List<Bucket> values,
      List<Large> largest,
      List<Share> prefixes,
      double compressible) {}

  private final Map<Integer, Double> keys = new HashMap<>();
  private final Map<Integer, Double> values = new HashMap<>();
  private final Map<String, double[]> prefixes = new HashMap<>();
  private final PriorityQueue<Large> largest =
      new PriorityQueue<>(Comparator.comparingLong(Large::bytes));
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
  private double entries;
  private double keyBytes;
  private double valueBytes;
  private double plain;
  private double packed;
  private int compressed;

  /** Adds an entry, which stands for as many as its weight. */
  public void add(Found entry, double weight) {
    long length = entry.value().length();
    entries += weight;
    keyBytes += weight * entry.key().length;
    valueBytes += weight * length;
    keys.merge(bucket(entry.key().length), weight, Double::sum);
    values.merge(bucket(length), weight, Double::sum);
    if (largest.size() < LARGEST || largest.element().bytes() < length) {
      largest.add(new Large(Hex.of(entry.key()), length));
      if (largest.size() > LARGEST) {
        largest.remove();
      }
    }
    int end = Prefixes.end(entry.key(), 0, SEPARATORS);
    byte[] start =
        Arrays.copyOf(entry.key(), end < 0 ? Math.min(1, entry.key().length) : Math.min(end, 64));
    String prefix = Hex.of(start);
    if (prefixes.size() < PREFIXES || prefixes.containsKey(prefix)) {
      double[] sums = prefixes.computeIfAbsent(prefix, _ -> new double[2]);
      sums[0] += weight;
      sums[1] += weight * (entry.key().length + length);
    }
    if (compressed < COMPRESSED && entry.value().bytes().length > 0) {
      compressed++;
      compress(entry.value().bytes(), weight);
    }
  }

  /** Values are compressed one by one, as no engine does: blocks of several compress better. */
  private void compress(byte[] bytes, double weight) {
    byte[] into = new byte[bytes.length + 64];
    deflater.reset();
    deflater.setInput(bytes);
    deflater.finish();
    plain += weight * bytes.length;
    packed += weight * Math.min(bytes.length, deflater.deflate(into));
  }

  private static int bucket(long length) {
    return Long.SIZE - Long.numberOfLeadingZeros(length);
  }

  /** What was added so far. Must be the last call if {@code last}. */
  public Answer answer(boolean exact, boolean last) {
    if (last) {
      deflater.end();
    }
    return new Answer(
        exact,
        entries,
        keyBytes,
        valueBytes,
        buckets(keys),
        buckets(values),
        largest.stream().sorted(Comparator.comparingLong(Large::bytes).reversed()).toList(),
        prefixes.entrySet().stream()
            .map(each -> new Share(each.getKey(), each.getValue()[0], each.getValue()[1]))
            .sorted(Comparator.comparingDouble(Share::bytes).reversed())
            .limit(SHOWN)
            .toList(),
        plain == 0 ? 0 : 1 - packed / plain);
  }

  private static List<Bucket> buckets(Map<Integer, Double> counts) {
    List<Bucket> buckets = new ArrayList<>();
    int first = counts.keySet().stream().min(Integer::compare).orElse(1);
    int last = counts.keySet().stream().max(Integer::compare).orElse(0);
    for (int i = first; i <= last; i++) {
      long from = i == 0 ? 0 : 1L << (i - 1);
      buckets.add(new Bucket(from, i == 0 ? 0 : (1L << i) - 1, counts.getOrDefault(i, 0.0)));
    }
    return buckets;
  }
}
