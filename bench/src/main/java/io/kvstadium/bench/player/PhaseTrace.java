package io.kvstadium.bench.player;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.measure.source.Generated;
import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.Limit;
import io.kvstadium.bench.measure.source.PhaseOperations;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Entry;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Writes the operations of one thread of a phase as traces, one after the other, for a program that
 * plays them: those that {@link PhaseRun} would run. Where they are cut off, because time is up,
 * what was not carried out is taken back.
 */
public final class PhaseTrace implements AutoCloseable {
  /** So many of the greatest keys are known, to tell how many entries a scan finds. */
  private static final int GREATEST = 10_000;

  private final PhaseSpec spec;
  private final Workset workset;
  private final Population population;
  private final ValueFile values;
  private final Population.Adder adder;
  private final Generated source;
  private final int batch;
  private final boolean alone;
  private final Deque<Long> undeleted = new ArrayDeque<>(); // keys that were taken back
  private final @Nullable EntryIterator entries;
  private byte @Nullable [][] greatest;
  private long left;

  // of the last trace, to be taken back
  private Operation[] written = new Operation[0];
  private long[] indexes = new long[0];
  private int[] priors = new int[0];
  private int count;

  /**
   * @param spec that of the phase, or of its background load
   * @param lane the thread, from 0
   * @param alone whether no other thread writes what this one reads
   * @param follows whether it goes on for as long as others do
   */
  public PhaseTrace(
      PhaseRun run, PhaseSpec spec, int lane, ValueFile values, boolean alone, boolean follows) {
    this.spec = spec;
    this.workset = run.workset;
    this.population = run.population;
    this.values = values;
    this.alone = alone;
    this.adder = population.adder(lane, spec.threads());
    PhaseOperations operations = run.operations(spec);
    this.source = operations.source(lane, adder);
    this.batch = spec.shape().batch();
    this.left = (follows ? Limit.NONE : operations.limit(lane)).operations();
    if (spec.operation() == Operation.INSERT) {
      values.beginLoad();
      this.entries = workset.entries();
      this.left = spec.operations() > 0 ? spec.operations() : workset.count();
    } else {
      this.entries = null;
      this.left = spec.operation() == Operation.SCAN_ALL ? 1 : left;
    }
  }

  /**
   * Writes the next trace.
   *
   * @param most operations; more if a batch has more
   * @return how many there are, 0 if the phase has no more
   */
  public int write(Path file, int most) throws IOException {
    long size = Math.min(left, Math.max(batch, most / batch * batch));
    if (written.length < size && entries == null) {
      written = new Operation[(int) size];
      indexes = new long[(int) size];
      priors = new int[(int) size];
    }
    count = 0;
    try (TraceWriter out = TraceWriter.begin(Files.newOutputStream(file), Map.of(), null)) {
      while (count < size && (entries == null || entries.hasNext())) {
        if (batch > 1 && count % batch == 0) {
          bound(out, Kind.BATCH);
        }
        if (entries == null) {
          next(out);
        } else {
          Entry<byte[], byte[]> entry = entries.next();
          int length = entry.value().length;
          put(out, entry.key(), length, values.loaded(entry.key(), length));
        }
        count++;
        if (batch > 1 && count % batch == 0) {
          bound(out, Kind.BATCH_END);
        }
      }
      if (batch > 1 && count % batch != 0) {
        bound(out, Kind.BATCH_END);
      }
    }
    left -= count;
    return count;
  }

  /** Takes back what of the last trace was not carried out. */
  public void played(long operations) {
    for (int k = count - 1; k >= operations && entries == null; k--) {
      if (written[k] == Operation.INSERT) {
        source.forget();
      } else if (written[k].is(Operation.Trait.WRITES)) {
        population.generations().set(indexes[k], priors[k]);
        if (written[k] == Operation.DELETE) {
          undeleted.addFirst(indexes[k]);
        }
      }
    }
    left += entries == null ? count - operations : 0;
  }

  /**
   * Notes what the store holds now.
   *
   * @param operations that were carried out in all
   * @param bytes of keys and values that were written in all
   */
  public void end(long operations, long bytes) {
    population.add(adder);
    if (entries != null) {
      if (spec.startsAnew()) {
        population.renew();
      }
      population.loaded(bytes, operations == workset.count());
    }
  }

  private void next(TraceWriter out) throws IOException {
    Operation operation = spec.operation().whole() ? spec.operation() : source.operation();
    written[count] = operation;
    switch (operation) {
      case GET, LEND, OPEN_GET -> get(out, source.index());
      case MULTI_GET -> {
        bound(out, Kind.BATCH);
        for (int j = 0; j < spec.shape().keys(); j++) {
          get(out, source.index());
        }
        bound(out, Kind.BATCH_END);
      }
      case INSERT -> put(out, source.added());
      case UPDATE -> put(out, updated(source.index()));
      case READ_MODIFY_WRITE -> {
        long i = source.index();
        bound(out, Kind.BATCH);
        get(out, i);
        put(out, updated(i));
        bound(out, Kind.BATCH_END);
      }
      case DELETE -> {
        long i = undeleted.isEmpty() ? source.index() : undeleted.removeFirst();
        out.append(of(Kind.DELETE, Outcome.OK, workset.key(i), -1));
        set(i, Generations.DELETED);
      }
      case SCAN -> scan(out, source.index());
      case SCAN_ALL -> scan(out, null, Outcome.OK, -1, isWhole() ? population.live() : -1);
      case COMPUTE, LOAD, MIXED, REPLAY ->
          throw new IllegalStateException("players have no " + operation.word());
    }
  }

  /** Gives a key its next generation, and returns it. */
  private long updated(long i) {
    set(i, Math.max(population.generations().get(i), 0) + 1);
    return i;
  }

  private void set(long i, int generation) {
    indexes[count] = i;
    priors[count] = population.generations().get(i);
    population.generations().set(i, generation);
  }

  private void scan(TraceWriter out, long i) throws IOException {
    byte[] key = workset.key(i);
    int generation = population.generations().get(i);
    boolean there = generation != Generations.DELETED;
    if (there && alone) {
      value(out, values.at(i, key, generation, workset.valueLength(i, generation)));
    }
    int limit = source.scanLength();
    boolean known = alone && isWhole() && !spec.writes() && population.added() == 0;
    scan(out, key, there ? Outcome.OK : Outcome.MISS, limit, known ? found(key, limit) : -1);
  }

  /** Whether all that the load brought is known key by key. */
  private boolean isWhole() {
    return population.loaded() == workset.count();
  }

  /** How many entries a scan finds, or -1. */
  private int found(byte[] from, int limit) {
    if (limit > GREATEST) {
      return -1;
    }
    byte[][] last = greatest == null ? greatest() : greatest;
    greatest = last;
    int place = Arrays.binarySearch(last, from, Arrays::compareUnsigned);
    return Math.min(limit, last.length - (place < 0 ? -place - 1 : place));
  }

  /** The greatest keys that there are, in their order. */
  private byte[][] greatest() {
    PriorityQueue<byte[]> keys = new PriorityQueue<>((Comparator<byte[]>) Arrays::compareUnsigned);
    for (long i = 0; i < population.loaded(); i++) {
      if (population.generations().get(i) != Generations.DELETED) {
        keys.add(workset.key(i));
        if (keys.size() > GREATEST) {
          keys.remove();
        }
      }
    }
    byte[][] sorted = keys.toArray(byte[][]::new);
    Arrays.sort(sorted, Arrays::compareUnsigned);
    return sorted;
  }

  private void get(TraceWriter out, long i) throws IOException {
    byte[] key = workset.key(i);
    int generation = population.generations().get(i);
    if (generation == Generations.DELETED) {
      out.append(of(Kind.GET, Outcome.MISS, key, -1));
      return;
    }
    int length = workset.valueLength(i, generation);
    if (alone) {
      value(out, values.at(i, key, generation, length));
    }
    out.append(of(Kind.GET, Outcome.OK, key, length));
  }

  private void put(TraceWriter out, long i) throws IOException {
    byte[] key = workset.key(i);
    int generation = population.generations().get(i);
    int length = workset.valueLength(i, generation);
    put(out, key, length, values.at(i, key, generation, length));
  }

  private static void put(TraceWriter out, byte[] key, int length, long at) throws IOException {
    value(out, at);
    out.append(of(Kind.PUT, Outcome.OK, key, length));
  }

  private static void scan(
      TraceWriter out, byte @Nullable [] from, Outcome outcome, long limit, long found)
      throws IOException {
    out.append(of(Kind.SCAN, outcome, from, -1).upTo(null, limit, 0).counting(found));
  }

  private static void value(TraceWriter out, long at) throws IOException {
    out.append(of(Kind.VALUE, Outcome.OK, null, -1).counting(at));
  }

  private static void bound(TraceWriter out, Kind kind) throws IOException {
    out.append(of(kind, Outcome.OK, null, -1));
  }

  private static io.kvstadium.trace.Operation of(
      Kind kind, Outcome outcome, byte @Nullable [] key, long length) {
    return io.kvstadium.trace.Operation.of(kind, outcome, 0, "", key, 0, 0, length);
  }

  @Override
  public void close() {
    if (entries != null) {
      entries.close();
    }
  }
}
