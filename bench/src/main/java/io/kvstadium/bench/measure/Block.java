package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A few hundred operations: made untimed, run timed, checked untimed.
 *
 * <p>The timed part reads the clock once per chunk. By then, everything that it needs is in arrays;
 * what it reads is only kept.
 */
public final class Block {
  /**
   * Operations of a block: enough to make the block's own cost negligible, few enough for the
   * caches.
   */
  static final int CAPACITY = 512;

  private final Workset workset;
  private final Shape shape;
  private final @Nullable BitSet absent;
  private final Operation[] operations;
  private final long[] indexes;
  private final int[] prior;
  private final int[] expected;
  private final byte[][] keys;
  private final byte[] @Nullable [] values;
  private final byte[] @Nullable [] results;
  private final long[] fingerprints;
  private final long[] latencies;
  private final int[] lengths;
  private final int[] scanned;
  private final byte[] @Nullable [] lastKeys;
  private final @Nullable Several[] several;
  private int size;
  private int done;
  private int chunks;
  private long began;
  private long ended;
  private long scannedBytes;
  private long scannedEntries;
  private final Seen seen = new Seen();

  /** What a multi-get asks for and returns. */
  private static final class Several {
    final long[] indexes;
    final int[] expected;
    final List<byte[]> keys;
    List<byte @Nullable []> results = List.of();

    Several(int count) {
      this.indexes = new long[count];
      this.expected = new int[count];
      this.keys = new ArrayList<>(count);
    }
  }

  /**
   * @param absent if others write to the keys that this block reads, those that were not there
   *     before; otherwise {@code null}
   * @param capacity the most operations
   */
  Block(Workset workset, Shape shape, @Nullable BitSet absent, int capacity) {
    this.workset = workset;
    this.shape = shape;
    this.absent = absent;
    this.operations = new Operation[capacity];
    this.indexes = new long[capacity];
    this.prior = new int[capacity];
    this.expected = new int[capacity];
    this.keys = new byte[capacity][];
    this.values = new byte[capacity] @Nullable [];
    this.results = new byte[capacity] @Nullable [];
    this.fingerprints = new long[capacity];
    this.latencies = new long[capacity];
    this.lengths = new int[capacity];
    this.scanned = new int[capacity];
    this.lastKeys = new byte[capacity] @Nullable [];
    this.several = new @Nullable Several[capacity];
  }

  /**
   * Makes the next operations.
   *
   * @param generations updated for what this block will write
   */
  void fill(int count, OperationSource source, Generations generations) {
    size = count;
    for (int k = 0; k < count; k++) {
      Operation operation = source.operation();
      operations[k] = operation;
      values[k] = null;
      if (operation == Operation.MULTI_GET) {
        several[k] = several(source, generations);
        continue;
      }
      long i = operation == Operation.INSERT ? source.added() : source.index();
      indexes[k] = i;
      keys[k] = workset.key(i);
      int generation = generations.get(i);
      prior[k] = generation;
      switch (operation) {
        case UPDATE, READ_MODIFY_WRITE, COMPUTE -> {
          generation = Math.max(generation, 0) + 1;
          values[k] = workset.value(i, generation);
          generations.set(i, generation);
        }
        case INSERT -> values[k] = workset.value(i, generation);
        case DELETE -> {
          generation = Generations.DELETED;
          generations.set(i, generation);
        }
        case SCAN -> lengths[k] = source.scanLength();
        default -> {}
      }
      expected[k] = generation;
    }
  }

  private Several several(OperationSource source, Generations generations) {
    int count = shape.keys();
    Several made = new Several(count);
    for (int j = 0; j < count; j++) {
      long i = source.index();
      made.indexes[j] = i;
      made.expected[j] = generations.get(i);
      made.keys.add(workset.key(i));
    }
    return made;
  }

  /** Takes an entry to insert instead of one that {@link #fill} makes. */
  void take(int k, byte[] key, byte[] value) {
    operations[k] = Operation.INSERT;
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
    began = begin;
    ended = before;
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
    began = begin;
    ended = before;
    return before - begin;
  }

  private void step(Target target, int k) {
    switch (operations[k]) {
      case GET, OPEN_GET -> results[k] = target.get(keys[k]);
      case LEND -> fingerprints[k] = target.lend(keys[k]);
      case INSERT, UPDATE -> target.put(keys[k], written(k));
      case READ_MODIFY_WRITE -> {
        results[k] = target.get(keys[k]);
        target.put(keys[k], written(k));
      }
      case COMPUTE -> results[k] = target.compute(keys[k], written(k));
      case DELETE -> target.delete(keys[k]);
      case SCAN -> scan(target, k);
      case MULTI_GET -> getAll(target, k);
      case LOAD, MIXED, SCAN_ALL, REPLAY ->
          throw new IllegalStateException(operations[k].word() + " is not a single operation");
    }
  }

  private byte[] written(int k) {
    byte[] value = values[k];
    if (value == null) {
      throw new IllegalStateException("operation " + k + " of the block has no value");
    }
    return value;
  }

  private void getAll(Target target, int k) {
    Several asked = severalAt(k);
    asked.results = target.getAll(asked.keys, shape.parallelism());
  }

  private Several severalAt(int k) {
    Several asked = several[k];
    if (asked == null) {
      throw new IllegalStateException("operation " + k + " of the block has no keys");
    }
    return asked;
  }

  /**
   * Reads keys and values; the first value, the last key and the number are kept for the checks.
   */
  private void scan(Target target, int k) {
    seen.first = null;
    seen.firstKey = null;
    seen.last = null;
    int count = target.scan(keys[k], lengths[k], seen);
    if (seen.firstKey != null && Arrays.equals(seen.firstKey, keys[k])) {
      results[k] = seen.first;
    }
    scannedEntries += count;
    scanned[k] = count;
    lastKeys[k] = seen.last;
  }

  /** What is kept of a scan. */
  private final class Seen implements BiConsumer<byte[], byte[]> {
    private byte @Nullable [] firstKey;
    private byte @Nullable [] first;
    private byte @Nullable [] last;

    @Override
    public void accept(byte[] key, byte[] value) {
      if (firstKey == null) {
        firstKey = key;
        first = value;
      }
      last = key;
      scannedBytes += key.length + value.length;
    }
  }

  /** Checks what the timed part read and adds it up. */
  void check(Counters counters, Generations generations) {
    for (int k = 0; k < done; k++) {
      if (operations[k] == Operation.MULTI_GET) {
        checkSeveral(severalAt(k), counters, generations);
        several[k] = null;
        continue;
      }
      byte[] value = values[k];
      byte[] result = results[k];
      results[k] = null;
      switch (operations[k]) {
        case GET, OPEN_GET -> {
          counters.entries++;
          counters.bytes += keys[k].length + (result == null ? 0 : result.length);
          check(counters, generations, indexes[k], expected[k], result);
        }
        case LEND -> {
          counters.entries++;
          counters.bytes += keys[k].length + Math.max(0, fingerprints[k] >> Byte.SIZE);
          counters.checkFingerprint(workset, indexes[k], expected[k], fingerprints[k]);
        }
        case READ_MODIFY_WRITE, COMPUTE -> {
          counters.bytes +=
              keys[k].length + written(k).length + (result == null ? 0 : result.length);
          counters.writtenBytes += keys[k].length + written(k).length;
          counters.entries += 2;
          check(counters, generations, indexes[k], prior[k], result);
        }
        case SCAN -> check(counters, generations, indexes[k], expected[k], result);
        default -> {
          long moved = (long) keys[k].length + (value == null ? 0 : value.length);
          counters.entries++;
          counters.bytes += moved;
          counters.writtenBytes += moved;
        }
      }
    }
    counters.bytes += scannedBytes;
    counters.entries += scannedEntries;
    scannedBytes = 0;
    scannedEntries = 0;
  }

  private void checkSeveral(Several asked, Counters counters, Generations generations) {
    List<byte @Nullable []> got = asked.results;
    if (got.size() != asked.keys.size() && counters.firstWrong == null) {
      counters.firstWrong =
          "a multi-get of " + asked.keys.size() + " keys gave " + got.size() + " values";
    }
    for (int j = 0; j < Math.min(got.size(), asked.keys.size()); j++) {
      byte[] value = got.get(j);
      counters.entries++;
      counters.bytes += asked.keys.get(j).length + (value == null ? 0 : value.length);
      check(counters, generations, asked.indexes[j], asked.expected[j], value);
    }
  }

  private void check(
      Counters counters,
      Generations generations,
      long index,
      int generation,
      byte @Nullable [] value) {
    if (absent != null) {
      // another thread writes meanwhile: it announces a generation before it writes it
      boolean mayMiss = index <= Integer.MAX_VALUE && absent.get((int) index);
      counters.checkAny(workset, index, generations.get(index), mayMiss, value);
    } else {
      counters.check(workset, index, generation, value);
    }
  }

  /**
   * Checks that scans that returned fewer entries than requested had reached the end.
   *
   * @param greatest the greatest key that there is, or {@code null} if there is none; called only
   *     if there were such scans
   */
  void checkEnds(Counters counters, Supplier<byte @Nullable []> greatest) {
    for (int k = 0; k < done && counters.firstWrong == null; k++) {
      if (operations[k] == Operation.SCAN && scanned[k] < lengths[k]) {
        byte[] last = lastKeys[k];
        byte[] end = greatest.get();
        boolean complete =
            last == null
                ? end == null || Arrays.compareUnsigned(end, keys[k]) < 0
                : Arrays.equals(last, end);
        if (!complete) {
          counters.firstWrong =
              "a scan from key number "
                  + indexes[k]
                  + " ended after "
                  + scanned[k]
                  + " entries, before the last one of the table";
        }
      }
    }
  }

  /** Undoes what was not written because of the deadline. */
  void forgetUnwritten(OperationSource source, Generations generations) {
    int added = 0;
    for (int k = size - 1; k >= done; k--) {
      switch (operations[k]) {
        case INSERT -> added++;
        case UPDATE, READ_MODIFY_WRITE, COMPUTE, DELETE -> generations.set(indexes[k], prior[k]);
        default -> {} // it was only read: another thread may own its writes
      }
    }
    source.forget(added);
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

  /** When {@link #run} began, on the clock of {@link System#nanoTime}. */
  long began() {
    return began;
  }

  /** When it ended. */
  long ended() {
    return ended;
  }
}
