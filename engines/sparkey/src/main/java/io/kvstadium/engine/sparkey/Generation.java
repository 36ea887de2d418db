package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyReader;
import io.kvstadium.store.CorruptException;
import java.io.File;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A pair of files, which never change, and its readers. Each reader maps the files for itself:
 * Sparkey's own duplicates would share one mapping, but can only be closed all at once, after a
 * sleep in the hope that nobody uses them any more.
 */
final class Generation {
  /** Slots are this far apart, so that no two of them share a cache line. */
  private static final int STRIDE = 32;

  private final File base;
  private final long entries;
  private final int slots;
  private final AtomicReferenceArray<@Nullable SparkeyReader> pool;
  private final Queue<SparkeyReader> overflow = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pins = new AtomicInteger(1);
  private volatile boolean retired;

  /**
   * Opens it, pinned once.
   *
   * @throws CorruptException if the files do not fit together or were not written by this engine
   */
  Generation(File base) {
    this.base = base;
    this.slots = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 8 - 1);
    this.pool = new AtomicReferenceArray<>(slots * STRIDE);
    try {
      SparkeyReader reader = Sparkey.openSingleThreadedReader(base);
      entries = reader.getIndexHeader().getNumEntries();
      if (reader.getLogHeader().getNumPuts() != entries
          || reader.getLogHeader().getNumDeletes() != 0
          || reader.getLogHeader().getDataEnd() != reader.getIndexHeader().getDataEnd()) {
        reader.close();
        throw new CorruptException(
            "engine sparkey: "
                + base
                + ".spl holds deleted, replaced or unindexed entries, so another program wrote it:"
                + " load its entries instead of copying the file");
      }
      pool.set(slot(), reader);
    } catch (IOException | RuntimeException e) {
      throw Failures.reading(base, e);
    }
  }

  File base() {
    return base;
  }

  long entries() {
    return entries;
  }

  /** A reader for this thread alone, to be given back; {@code null} if this was retired. */
  @Nullable SparkeyReader take() {
    SparkeyReader reader = pool.getAndSet(slot(), null);
    return reader != null ? reader : takeSlowly();
  }

  void giveBack(SparkeyReader reader) {
    if (!pool.compareAndSet(slot(), null, reader)) {
      overflow.add(reader);
    }
    if (retired) { // perhaps since before this one was back
      closeReaders();
    }
  }

  /** Keeps the files until {@link #unpin}; false if it is too late for that. */
  boolean pin() {
    return pins.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
  }

  /** Whether that was the last pin; the readers are then closed, and nobody needs the files. */
  boolean unpin() {
    if (pins.decrementAndGet() > 0) {
      return false;
    }
    retired = true;
    closeReaders();
    return true;
  }

  private void closeReaders() {
    for (int i = 0; i < slots; i++) {
      SparkeyReader reader = pool.getAndSet(i * STRIDE, null);
      if (reader != null) {
        reader.close();
      }
    }
    for (SparkeyReader reader = overflow.poll(); reader != null; reader = overflow.poll()) {
      reader.close();
    }
  }

  private @Nullable SparkeyReader takeSlowly() {
    SparkeyReader reader = overflow.poll();
    for (int i = 0; i < slots && reader == null; i++) {
      reader = pool.getAndSet(i * STRIDE, null);
    }
    if (reader != null || retired) {
      return reader;
    }
    try {
      return Sparkey.openSingleThreadedReader(base);
    } catch (IOException | RuntimeException e) {
      if (retired) { // and so its files may be gone
        return null;
      }
      throw Failures.reading(base, e);
    }
  }

  private int slot() {
    // Fibonacci hashing: the numbers of threads that work together often differ by a power of two
    long hash = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return (int) Math.unsignedMultiplyHigh(hash, slots) * STRIDE;
  }
}
