package io.kvstadium.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A scan by a separate thread, which hands what it reads to another one. */
final class ReadPart {
  private static final int PORTION_BYTES = 256 << 10;
  private static final int PORTION_ENTRIES = 1_000;

  /** The most portions that wait, if nothing else is given. */
  static final int PORTIONS = 8;

  /** How many entries are asked for at once; fewer if they are long. */
  private static final int CHUNK_ENTRIES = 16;

  private static final int CHUNK_BYTES = 1 << 20;
  private static final long LOOK_MILLIS = 100;

  /** Roughly what an entry takes in memory in addition to its bytes. */
  private static final int OVERHEAD = 100;

  /**
   * What the thread read, or why it could not continue; the last one is empty.
   *
   * @param passed how many entries it had gone through by then, handed out or not
   * @param bytes the total length of their keys and values
   */
  record Portion(List<Entry> entries, long passed, long bytes, @Nullable Throwable failure) {}

  /**
   * How far the scan got.
   *
   * @param memory roughly how many bytes the entries that it passed take
   * @param last the last key that it passed; {@code null} if there was none
   * @param early whether it ended at its limit, so that there may be more
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Outcome(long memory, byte @Nullable [] last, boolean early) {}

  private final Supplier<Cursor> scan;
  private final ReadAhead.Filter filter;
  private final long mostMemory;
  private final BlockingQueue<Portion> portions;
  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();
  private volatile @Nullable Outcome outcome;
  private volatile boolean closed;

  /**
   * Starts reading.
   *
   * @param scan opens the scan, on the reading thread, which also closes it
   * @param mostMemory it ends after the entry with which it has passed this much
   */
  ReadPart(Supplier<Cursor> scan, ReadAhead.Filter filter, long mostMemory, int mostPortions) {
    this.scan = scan;
    this.filter = filter;
    this.mostMemory = mostMemory;
    this.portions = new LinkedBlockingQueue<>(mostPortions);
    Thread.ofPlatform().daemon().name("stadium-read-ahead").start(this::run);
  }

  private void run() {
    try {
      read();
    } finally {
      finished.complete(true);
    }
  }

  private void read() {
    long passed = 0;
    long bytes = 0;
    long memory = 0;
    byte[] last = null;
    try (Cursor cursor = scan.get()) {
      Entry[] chunk = new Entry[1];
      List<Entry> portion = new ArrayList<>();
      long begun = 0;
      int count = cursor.nextChunk(chunk);
      while (count > 0 && !closed && memory < mostMemory) {
        long longest = 1;
        for (int i = 0; i < count && bytes < mostMemory; i++) {
          Entry entry = chunk[i];
          long length = (long) entry.key().length + entry.value().length;
          longest = Math.max(longest, length);
          last = entry.key();
          passed++;
          bytes += length;
          memory += length + OVERHEAD;
          if (filter.test(entry)) {
            portion.add(entry);
          }
        }
        if (bytes - begun >= PORTION_BYTES || portion.size() >= PORTION_ENTRIES) {
          begun = bytes;
          if (!portion.isEmpty()) {
            hand(new Portion(portion, passed, bytes, null));
            portion = new ArrayList<>();
          }
        }
        int size = Math.clamp(CHUNK_BYTES / longest, 1, Math.min(CHUNK_ENTRIES, 2 * chunk.length));
        chunk = size == chunk.length ? chunk : new Entry[size];
        count = memory < mostMemory ? cursor.nextChunk(chunk) : 0;
      }
      if (!portion.isEmpty()) {
        hand(new Portion(portion, passed, bytes, null));
      }
      filter.end();
    } catch (RuntimeException | Error e) {
      hand(new Portion(List.of(), passed, bytes, e));
      return;
    }
    outcome = new Outcome(memory, last, memory >= mostMemory);
    hand(new Portion(List.of(), passed, bytes, null));
  }

  private void hand(Portion portion) {
    try {
      boolean taken = false;
      while (!taken && !closed) {
        taken = portions.offer(portion, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  /** Waits even if this thread is interrupted; the interrupt shows afterwards. */
  Portion take() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return portions.take();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Null until the scan has reached its end without a failure. */
  @Nullable Outcome outcome() {
    return outcome;
  }

  /** Asks the thread to end, which {@link #join} waits for. */
  void close() {
    closed = true;
  }

  /** Waits until the scan is closed. */
  void join() {
    finished.join();
  }
}
