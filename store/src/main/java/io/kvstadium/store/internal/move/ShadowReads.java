package io.kvstadium.store.internal.move;

import io.kvstadium.store.Move;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineTable;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reads by key that are made on the other store as well, on a thread of their own. */
final class ShadowReads {
  /** How many reads wait at most. */
  private static final int WAITING = 1_024;

  /** How many differing keys are remembered. */
  private static final int KEYS = 20;

  private final double share;
  private final Suspects suspects = new Suspects();
  private final Thread thread;
  private final BlockingQueue<Read> waiting = new ArrayBlockingQueue<>(WAITING);
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong differences = new AtomicLong();
  private final Set<String> keys = new LinkedHashSet<>(); // under its monitor
  private final Latencies used = new Latencies();
  private final Latencies other = new Latencies();
  private volatile boolean ended;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Read(String table, byte[] key, byte @Nullable [] value, long nanos) {}

  /** The newest of many times. */
  private static final class Latencies {
    private final long[] nanos = new long[8_192];
    private int count;

    synchronized void add(long time) {
      nanos[count++ % nanos.length] = time;
    }

    synchronized Move.Latency percentiles() {
      long[] sorted = Arrays.copyOf(nanos, Math.max(1, Math.min(count, nanos.length)));
      Arrays.sort(sorted);
      return new Move.Latency(
          sorted[sorted.length / 2] / 1e3, sorted[(int) (sorted.length * 0.99)] / 1e3);
    }
  }

  /** Begins; ended by {@link #end}. */
  ShadowReads(double share, Side side) {
    this.share = share;
    this.thread =
        Thread.ofPlatform().daemon().name("stadium-shadow " + side.url).start(() -> run(side));
  }

  /** Whether to compare the next read. */
  boolean isNext() {
    return ThreadLocalRandom.current().nextDouble() < share;
  }

  /** Reads the store that is used, and notes that for the other one. */
  EngineReader<EngineTable> reader(Side side) {
    return new EngineReader<>() {
      @Override
      public byte @Nullable [] get(EngineTable table, byte[] key) throws Exception {
        long begun = System.nanoTime();
        byte[] value = side.store.get(table, key);
        Read read = new Read(table.name(), key.clone(), value, System.nanoTime() - begun);
        if (!waiting.offer(read)) {
          dropped.incrementAndGet();
        }
        return value;
      }

      @Override
      public EngineCursor cursor(EngineTable table, Range<byte[]> range) throws Exception {
        return side.store.cursor(table, range);
      }
    };
  }

  private void run(Side side) {
    while (!ended) {
      try {
        Read read = waiting.poll(100, TimeUnit.MILLISECONDS);
        if (read != null) {
          repeat(side, read);
        }
      } catch (RuntimeException e) {
        dropped.incrementAndGet(); // the follower meets the same, and says so
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void repeat(Side side, Read read) {
    long begun = System.nanoTime();
    byte[] value = side.reading(() -> side.get(read.table, read.key));
    other.add(System.nanoTime() - begun);
    used.add(read.nanos);
    reads.incrementAndGet();
    if (!Arrays.equals(value, read.value) && !suspects.add(read.table, read.key)) {
      dropped.incrementAndGet();
    }
  }

  /** Ends it; it does not read the other store any more when this returns. */
  void end() {
    ended = true;
    Mover.join(thread);
  }

  /** Judges what was seen to differ. Called by the follower. */
  void check(Side usedSide, Side otherSide, ChangeLog log) {
    List<String> found = suspects.check(usedSide, otherSide, log);
    differences.addAndGet(found.size());
    synchronized (keys) {
      found.stream().filter(_ -> keys.size() < KEYS).forEach(keys::add);
    }
  }

  Move.Shadow status() {
    synchronized (keys) {
      return new Move.Shadow(
          share,
          reads.get(),
          dropped.get(),
          differences.get(),
          List.copyOf(keys),
          used.percentiles(),
          other.percentiles());
    }
  }
}
