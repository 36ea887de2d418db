package io.kvstadium.bench.measure;

import io.kvstadium.store.Entry;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.DoubleConsumer;

/**
 * Entries for a bulk load, made a few hundred at a time, so that the time for making them can be
 * taken off the time of the load.
 */
public final class UntimedEntries implements Iterator<Entry<byte[], byte[]>> {
  private static final int PORTION = 512;

  private final Iterator<Entry<byte[], byte[]>> source;
  private final long expected;
  private final DoubleConsumer progress;
  private final ArrayDeque<Entry<byte[], byte[]>> portion = new ArrayDeque<>(PORTION);
  private long makingNanos;
  private long makingCpuNanos;
  private long count;
  private long bytes;

  /**
   * @param expected about how many there are
   * @param progress receives now and then the share that has been taken
   */
  UntimedEntries(Iterator<Entry<byte[], byte[]>> source, long expected, DoubleConsumer progress) {
    this.source = source;
    this.expected = Math.max(1, expected);
    this.progress = progress;
  }

  @Override
  public boolean hasNext() {
    if (portion.isEmpty()) {
      make();
    }
    return !portion.isEmpty();
  }

  @Override
  public Entry<byte[], byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Entry<byte[], byte[]> entry = portion.remove();
    count++;
    bytes += entry.key().length + entry.value().length;
    return entry;
  }

  private void make() {
    long begin = System.nanoTime();
    long cpu = Meter.threadNanos();
    while (portion.size() < PORTION && source.hasNext()) {
      portion.add(source.next());
    }
    progress.accept(Math.min(1, (double) count / expected));
    makingCpuNanos += Meter.threadNanos() - cpu;
    makingNanos += System.nanoTime() - begin;
  }

  /** Returns how long the entries took to make. */
  long makingNanos() {
    return makingNanos;
  }

  /** The processor time of that. */
  long makingCpuNanos() {
    return makingCpuNanos;
  }

  /** How many were taken. */
  long count() {
    return count;
  }

  /** Returns the bytes of their keys and values. */
  long bytes() {
    return bytes;
  }
}
