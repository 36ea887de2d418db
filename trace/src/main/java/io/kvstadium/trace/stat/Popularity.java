package io.kvstadium.trace.stat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the uses of keys, in bounded memory: when there are too many, the least used are
 * forgotten, as in lossy counting (Manku, Motwani 2002). A key whose share of all uses is more than
 * one in {@code maxKeys} is counted nearly exactly.
 */
final class Popularity {
  /** A key and how often it was used. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record HotKey(String table, byte[] key, long uses) {}

  private static final class Count {
    final String table;
    final byte[] key;
    long uses;

    Count(String table, byte[] key) {
      this.table = table;
      this.key = key;
    }
  }

  private final int maxKeys;
  private final Map<Long, Count> counts = new HashMap<>();
  private long total;

  Popularity(int maxKeys) {
    this.maxKeys = maxKeys;
  }

  void add(long hash, String table, byte[] key) {
    total++;
    counts.computeIfAbsent(hash, _ -> new Count(table, key)).uses++;
    if (counts.size() > 2 * maxKeys) {
      long[] uses = uses();
      long least = uses[uses.length - maxKeys];
      counts.values().removeIf(count -> count.uses <= least);
    }
  }

  private long[] uses() {
    return counts.values().stream().mapToLong(count -> count.uses).sorted().toArray();
  }

  List<HotKey> hottest(int number) {
    return counts.values().stream()
        .sorted(Comparator.comparingLong((Count count) -> count.uses).reversed())
        .limit(number)
        .map(count -> new HotKey(count.table, count.key, count.uses))
        .toList();
  }

  /** The share of all uses that the most used keys have. */
  double share(int hottest) {
    long[] uses = uses();
    long sum = Arrays.stream(uses).skip(Math.max(0, uses.length - hottest)).sum();
    return (double) sum / Math.max(1, total);
  }

  /**
   * The exponent of the Zipf distribution that fits best, and the coefficient of determination: a
   * least-squares line through log uses over log rank, at ranks that grow by a half, as far as keys
   * were used ten times; {@code null} where fewer than five ranks are.
   */
  double @Nullable [] zipf() {
    long[] uses = uses();
    double n = 0;
    double sx = 0;
    double sy = 0;
    double sxx = 0;
    double sxy = 0;
    double syy = 0;
    for (int rank = 1;
        rank <= uses.length && uses[uses.length - rank] >= 10;
        rank = Math.max(rank + 1, rank * 3 / 2)) {
      double x = Math.log(rank);
      double y = Math.log((double) uses[uses.length - rank]);
      n++;
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
      syy += y * y;
    }
    if (n < 5) {
      return null;
    }
    double covariance = n * sxy - sx * sy;
    double spreadX = n * sxx - sx * sx;
    double spreadY = n * syy - sy * sy;
    return new double[] {
      -covariance / spreadX, spreadY < 1e-9 ? 1 : covariance * covariance / (spreadX * spreadY)
    };
  }
}
