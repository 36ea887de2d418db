package io.kvstadium.trace.stat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * How many bytes of other entries were used between two uses of the same entry: what a cache with
 * LRU replacement must hold to have it. From a sample of keys of bounded size, whose distances are
 * scaled up: SHARDS with a fixed size and its adjustment (Waldspurger, Park, Garthwaite, Ahmad:
 * Efficient MRC Construction with SHARDS, FAST 2015).
 */
final class ReuseDistances {
  private static final double ALL = 0x1p63;

  /** Ages of entries when they are read, in nanoseconds. */
  static final long[] AGES = {
    1_000_000_000L, 10_000_000_000L, 60_000_000_000L, 600_000_000_000L, 3_600_000_000_000L
  };

  /** A key of the sample. */
  private static final class Node {
    int position;
    long bytes;
    long written = -1;
  }

  private final int maxKeys;
  private final TreeMap<Long, Node> sample = new TreeMap<>();
  private final long[] tree; // Fenwick: the bytes by the position of their last use
  private int nextPosition = 1;

  /** Keys with smaller hashes are in the sample. */
  private long threshold = Long.MAX_VALUE;

  private final Distribution distances = new Distribution();
  private final double[] ages = new double[AGES.length + 2];
  private double firstReads;
  private double sampledReads;
  private long reads;

  ReuseDistances(int maxKeys) {
    this.maxKeys = maxKeys;
    this.tree = new long[4 * maxKeys + 1];
  }

  /**
   * An entry was read.
   *
   * @param value bytes of its value; -1 if unknown, which leaves it as it was
   */
  void read(long hash, int key, long value, long time) {
    reads++;
    if (hash >= threshold) {
      return;
    }
    sampledReads++;
    Node node = sample.get(hash);
    if (node == null) {
      firstReads++;
      ages[AGES.length + 1]++;
      use(hash, new Node(), key + Math.max(0, value));
    } else {
      long bytes = value < 0 ? node.bytes : key + value;
      long between = sum(tree.length - 1) - sum(node.position);
      distances.add((long) ((between + bytes) / rate()), 1);
      ages[age(node, time)]++;
      use(hash, node, bytes);
    }
  }

  private static int age(Node node, long time) {
    if (node.written < 0) {
      return AGES.length + 1;
    }
    int index = 0;
    while (index < AGES.length && time - node.written >= AGES[index]) {
      index++;
    }
    return index;
  }

  /** An entry was written. */
  void write(long hash, long bytes, long time) {
    if (hash < threshold) {
      Node node = sample.getOrDefault(hash, new Node());
      node.written = time;
      use(hash, node, bytes);
    }
  }

  /** An entry was removed. */
  void remove(long hash) {
    Node node = sample.remove(hash);
    if (node != null) {
      add(node.position, -node.bytes);
    }
  }

  private void use(long hash, Node node, long bytes) {
    if (nextPosition == tree.length) {
      compact();
    }
    if (node.position > 0) {
      add(node.position, -node.bytes);
    } else {
      sample.put(hash, node);
    }
    node.position = nextPosition++;
    node.bytes = bytes;
    add(node.position, bytes);
    if (sample.size() > maxKeys) {
      double before = rate();
      var last = sample.pollLastEntry();
      threshold = last.getKey();
      add(last.getValue().position, -last.getValue().bytes);
      double factor = rate() / before;
      distances.scale(factor);
      for (int i = 0; i < ages.length; i++) {
        ages[i] *= factor;
      }
      firstReads *= factor;
      sampledReads *= factor;
    }
  }

  /** Numbers the positions anew. */
  private void compact() {
    List<Node> nodes = new ArrayList<>(sample.values());
    nodes.sort(Comparator.comparingInt(node -> node.position));
    Arrays.fill(tree, 0);
    nextPosition = 1;
    for (Node node : nodes) {
      node.position = nextPosition++;
      add(node.position, node.bytes);
    }
  }

  private void add(int position, long bytes) {
    for (int i = position; i < tree.length; i += i & -i) {
      tree[i] += bytes;
    }
  }

  private long sum(int position) {
    long sum = 0;
    for (int i = position; i > 0; i -= i & -i) {
      sum += tree[i];
    }
    return sum;
  }

  private double rate() {
    return threshold / ALL;
  }

  /** The share of reads that are the first use of their key. */
  double firstReadShare() {
    return sampledReads == 0 ? 0 : firstReads / sampledReads;
  }

  /** The bytes of entries from which this share of the reads that are no first ones come. */
  long bytesFor(double share) {
    // SHARDS-adj: a few popular keys in or out of the sample would shift the curve
    double expected = reads * rate();
    double adjustment = Math.max(expected - sampledReads, -distances.total() / 2);
    return distances.quantile(share, adjustment);
  }

  boolean hasRepeatedReads() {
    return distances.total() > 0;
  }

  /**
   * The share of reads by the age of their entry; the last one was written before the recording.
   */
  double[] ages() {
    double[] shares = ages.clone();
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= Math.max(1e-9, sampledReads);
    }
    return shares;
  }
}
