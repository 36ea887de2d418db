package io.kvstadium.store.internal.move;

import io.kvstadium.store.Move;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reads that are made on the other store as well, on a thread of their own. */
final class ShadowReads {
  /** How many reads wait at most. */
  private static final int WAITING = 1_024;

  /** How many differing keys are remembered. */
  private static final int KEYS = 20;

  private static final Move.Latency NONE = new Move.Latency(0, 0);

  private final double share;
  private final Suspects suspects;
  private final BlockingQueue<Read> waiting = new ArrayBlockingQueue<>(WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final Latencies used = new Latencies();
  private final Latencies other = new Latencies();
  private final List<String> keys = new ArrayList<>(); // under its monitor
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong differences = new AtomicLong();
  private volatile boolean ended;
  private volatile @Nullable Thread thread;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Read(String table, byte[] key, byte @Nullable [] value, long nanos) {}

  /** The newest of many times. Written by one thread. */
  private static final class Latencies {
    private final long[] nanos = new long[8_192];
    private int count;

    synchronized void add(long time) {
      nanos[count++ % nanos.length] = time;
    }

    synchronized Move.Latency percentiles() {
      long[] sorted = Arrays.copyOf(nanos, Math.min(count, nanos.length));
      Arrays.sort(sorted);
      return sorted.length == 0
          ? NONE
          : new Move.Latency(
              sorted[sorted.length / 2] / 1e3, sorted[(int) (sorted.length * 0.99)] / 1e3);
    }
  }

  ShadowReads(double share, Suspects suspects) {
    this.share = share;
    this.suspects = suspects;
  }

  /** Whether to compare the next read. */
  boolean isNext() {
    return ThreadLocalRandom.current().nextDouble() < share;
  }

  void add(String table, byte[] key, byte @Nullable [] value, long nanos) {
    if (!waiting.offer(new Read(table, key.clone(), value, nanos))) {
      dropped.incrementAndGet();
    }
  }

  /** Reads what waits until {@link #end}. */
  void start(Side side) {
    thread = Thread.ofPlatform().daemon().name("stadium-shadow " + side.url).start(() -> run(side));
  }

  private void run(Side side) {
    while (!ended) {
      try {
        Read read = waiting.poll(100, TimeUnit.MILLISECONDS);
        if (read != null) {
          read(side, read);
        }
      } catch (RuntimeException e) {
        dropped.incrementAndGet(); // the follower meets the same, and says so
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void read(Side side, Read read) {
    long begun = System.nanoTime();
    byte[] value = side.reading(() -> side.get(read.table, read.key));
    other.add(System.nanoTime() - begun);
    used.add(read.nanos);
    reads.incrementAndGet();
    if (!Arrays.equals(value, read.value) && !suspects.add(read.table, read.key)) {
      dropped.incrementAndGet();
    }
  }

  /** Ends it; nobody reads the other store any more when this returns. */
  void end() {
    ended = true;
    Thread running = thread;
    if (running != null) {
      Mover.join(running);
    }
  }

  void different(List<String> found) {
    differences.addAndGet(found.size());
    synchronized (keys) {
      found.stream().limit(KEYS - keys.size()).forEach(keys::add);
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

  static Move.Shadow none() {
    return new Move.Shadow(0, 0, 0, 0, List.of(), NONE, NONE);
  }
}
