package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Indexes;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A few hundred operations: made untimed, run timed, checked untimed.
 *
 * <p>The timed part reads the clock once per chunk. Everything that it needs stands in arrays by
 * then, and what it reads is only kept.
 */
final class Block {
  /**
   * Operations of a block: enough to make the block's own cost vanish, few enough for the caches.
   */
  static final int CAPACITY = 512;

  /** The generation of a key that was deleted. */
  static final int DELETED = -1;

  private final Workset workset;
  private final Operation operation;
  private final int scanLength;
  private final long[] indexes;
  private final int[] prior;
  private final int[] expected;
  private final byte[][] keys;
  private final byte[] @Nullable [] values;
  private final byte[] @Nullable [] results;
  private final long[] glances = new long[CAPACITY];
  private final long[] latencies;
  private final int[] scanned;
  private final byte[] @Nullable [] lastKeys;
  private int size;
  private int done;
  private int chunks;
  private long scannedBytes;

  Block(Workset workset, Operation operation, int scanLength) {
    this(workset, operation, scanLength, CAPACITY);
  }

  /**
   * @param capacity the most operations, instead of {@link #CAPACITY}
   */
  Block(Workset workset, Operation operation, int scanLength, int capacity) {
    this.workset = workset;
    this.operation = operation;
    this.scanLength = scanLength;
    this.indexes = new long[capacity];
    this.prior = new int[capacity];
    this.expected = new int[capacity];
    this.keys = new byte[capacity][];
    this.values = new byte[capacity] @Nullable [];
    this.results = new byte[capacity] @Nullable [];
    this.latencies = new long[capacity];
    int scans = operation == Operation.SCAN ? capacity : 0;
    this.scanned = new int[scans];
    this.lastKeys = new byte[scans] @Nullable [];
  }

  /**
   * Makes the next operations.
   *
   * @param generations which generation of its value each key has, by index; brought up to date for
   *     what this block will write
   * @param readShare for mixed operations
   */
  void fill(int count, Indexes next, int[] generations, double readShare, SplittableRandom random) {
    size = count;
    for (int k = 0; k < count; k++) {
      int i = Math.toIntExact(next.next());
      indexes[k] = i;
      keys[k] = workset.key(i);
      values[k] = null;
      prior[k] = generations[i];
      if (operation == Operation.UPDATE
          || (operation == Operation.MIXED && random.nextDouble() >= readShare)) {
        generations[i] = Math.max(generations[i], 0) + 1;
        values[k] = workset.value(i, generations[i]);
      } else if (operation == Operation.DELETE) {
        generations[i] = DELETED;
      }
      expected[k] = generations[i];
    }
  }

  /** Takes an entry to insert instead of one that {@link #fill} makes. */
  void take(int k, byte[] key, byte[] value) {
    keys[k] = key;
    values[k] = value;
    size = k + 1;
  }

  /**
   * Runs the operations.
   *
   * @param chunk how many share one reading of the clock
   * @param deadline stops after the chunk that passes this time, on the clock of {@link
   *     System#nanoTime}
   * @return nanoseconds
   */
  long run(Target target, int chunk, long deadline) {
    int k = 0;
    int c = 0;
    long begin = System.nanoTime();
    long before = begin;
    while (k < size) {
      int end = Math.min(k + chunk, size);
      for (; k < end; k++) {
        step(target, k);
      }
      long now = System.nanoTime();
      latencies[c++] = now - before;
      before = now;
      if (now - deadline > 0) {
        break;
      }
    }
    done = k;
    chunks = c;
    return before - begin;
  }

  /** Runs the whole block as atomic batches of {@code batch} entries, each with one latency. */
  long runBatches(Target target, int batch) {
    int c = 0;
    long begin = System.nanoTime();
    long before = begin;
    for (int k = 0; k < size; k += batch) {
      int end = Math.min(k + batch, size);
      target.write(Arrays.asList(keys).subList(k, end), Arrays.asList(values).subList(k, end));
      long now = System.nanoTime();
      latencies[c++] = now - before;
      before = now;
    }
    done = size;
    chunks = c;
    return before - begin;
  }

  private void step(Target target, int k) {
    switch (operation) {
      case GET -> results[k] = target.get(keys[k]);
      case LEND -> glances[k] = target.lend(keys[k]);
      case INSERT, UPDATE -> target.put(keys[k], written(k));
      case DELETE -> target.delete(keys[k]);
      case SCAN -> scan(target, k);
      case MIXED -> {
        byte[] value = values[k];
        if (value == null) {
          results[k] = target.get(keys[k]);
        } else {
          target.put(keys[k], value);
        }
      }
      case LOAD, SCAN_ALL ->
          throw new IllegalStateException(operation.word() + " does not come in blocks");
    }
  }

  private byte[] written(int k) {
    byte[] value = values[k];
    if (value == null) {
      throw new IllegalStateException("operation " + k + " of the block has no value");
    }
    return value;
  }

  /**
   * Reads keys and values; the first value, the last key and the number are kept for the checks.
   */
  private void scan(Target target, int k) {
    try (Cursor cursor = target.scan(Range.all().from(keys[k], true).limit(scanLength))) {
      int seen = 0;
      long bytes = 0;
      byte[] last = null;
      while (cursor.next()) {
        byte[] key = cursor.key();
        last = key;
        byte[] value = cursor.value();
        bytes += key.length + value.length;
        if (seen++ == 0 && Arrays.equals(key, keys[k])) {
          results[k] = value;
        }
      }
      scannedBytes += bytes;
      scanned[k] = seen;
      lastKeys[k] = last;
    }
  }

  /** Checks what the timed part read and adds it up. */
  void check(Tally tally) {
    for (int k = 0; k < done; k++) {
      byte[] value = values[k];
      byte[] result = results[k];
      results[k] = null;
      boolean scan = operation == Operation.SCAN; // which has counted its bytes itself
      tally.bytes += scan ? 0 : keys[k].length;
      if (value != null) {
        tally.bytes += value.length;
      } else if (operation == Operation.LEND) {
        tally.bytes += Math.max(0, glances[k] >> Byte.SIZE);
        tally.checkGlance(workset, indexes[k], expected[k], glances[k]);
      } else if (operation != Operation.DELETE) {
        tally.bytes += scan || result == null ? 0 : result.length;
        tally.check(workset, indexes[k], expected[k], result);
      }
    }
    if (operation == Operation.SCAN) {
      tally.bytes += scannedBytes;
      scannedBytes = 0;
    }
  }

  /**
   * Checks that scans which gave fewer entries than they were asked for had reached the end.
   *
   * @param greatest the greatest key that there is, or {@code null} if there is none; asked only if
   *     there were such scans
   */
  void checkEnds(Tally tally, Supplier<byte @Nullable []> greatest) {
    for (int k = 0; k < done && tally.firstWrong == null; k++) {
      if (scanned[k] < scanLength) {
        byte[] last = lastKeys[k];
        byte[] end = greatest.get();
        boolean complete =
            last == null
                ? end == null || Arrays.compareUnsigned(end, keys[k]) < 0
                : Arrays.equals(last, end);
        if (!complete) {
          tally.firstWrong =
              "a scan from key number "
                  + indexes[k]
                  + " ended after "
                  + scanned[k]
                  + " entries, before the last one of the table";
        }
      }
    }
  }

  /** Undoes in {@code generations} what the deadline kept from being written. */
  void forgetUnwritten(int[] generations) {
    for (int k = size - 1; k >= done; k--) {
      generations[(int) indexes[k]] = prior[k];
    }
  }

  int capacity() {
    return keys.length;
  }

  int done() {
    return done;
  }

  int chunks() {
    return chunks;
  }

  long latency(int chunk) {
    return latencies[chunk];
  }
}
