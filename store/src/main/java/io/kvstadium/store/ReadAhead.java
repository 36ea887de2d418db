package io.kvstadium.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a scan, read ahead by a thread of its own while the caller uses those before: for
 * whoever goes through a whole table and has work to do with each entry. It holds a few megabytes,
 * or a few entries if these are longer. Belongs to one thread; the close ends the reading.
 */
public final class ReadAhead implements Iterator<Entry>, AutoCloseable {
  /** So many portions wait at the most. */
  private static final int PORTIONS = 8;

  private static final int PORTION_BYTES = 256 << 10;
  private static final int PORTION_ENTRIES = 1_000;

  /** So many entries are asked for at once, fewer if they are long. */
  private static final int CHUNK_ENTRIES = 16;

  private static final int CHUNK_BYTES = 1 << 20;
  private static final long LOOK_MILLIS = 100;

  /**
   * What the thread read, or why it could not go on; the last one is empty.
   *
   * @param passed how many entries it had gone through by then, handed out or not
   * @param bytes of their keys and values
   */
  private record Portion(
      List<Entry> entries, long passed, long bytes, @Nullable Throwable failure) {}

  /** Is told how far the reading was when the entries that come next had been read. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called by the using thread.
     *
     * @param entries how many the scan has gone through, handed out or not
     * @param bytes of their keys and values
     */
    void passed(long entries, long bytes);
  }

  private final BlockingQueue<Portion> portions = new ArrayBlockingQueue<>(PORTIONS);
  private final Supplier<Cursor> scan;
  private final Predicate<Entry> kept;
  private final Progress progress;
  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();
  private volatile boolean closed;
  private Iterator<Entry> current = List.<Entry>of().iterator();
  private boolean ended;

  /**
   * Begins to read.
   *
   * @param scan opens the scan, on the reading thread, which also closes it
   * @param kept whether an entry is to be handed out; called by the reading thread
   * @param progress called by the using thread
   */
  public ReadAhead(Supplier<Cursor> scan, Predicate<Entry> kept, Progress progress) {
    this.scan = scan;
    this.kept = kept;
    this.progress = progress;
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
    long passedBytes = 0;
    try (Cursor cursor = scan.get()) {
      Entry[] chunk = new Entry[1];
      List<Entry> portion = new ArrayList<>();
      long begun = 0;
      for (int count = cursor.nextChunk(chunk); count > 0 && !closed; ) {
        long longest = 1;
        for (int i = 0; i < count; i++) {
          Entry entry = chunk[i];
          long bytes = (long) entry.key().length + entry.value().length;
          longest = Math.max(longest, bytes);
          passed++;
          passedBytes += bytes;
          if (kept.test(entry)) {
            portion.add(entry);
          }
        }
        if (passedBytes - begun >= PORTION_BYTES || portion.size() >= PORTION_ENTRIES) {
          begun = passedBytes;
          if (!portion.isEmpty()) {
            hand(new Portion(portion, passed, passedBytes, null));
            portion = new ArrayList<>();
          }
        }
        int size = Math.clamp(CHUNK_BYTES / longest, 1, Math.min(CHUNK_ENTRIES, 2 * chunk.length));
        chunk = size == chunk.length ? chunk : new Entry[size];
        count = cursor.nextChunk(chunk);
      }
      if (!portion.isEmpty()) {
        hand(new Portion(portion, passed, passedBytes, null));
      }
    } catch (RuntimeException | Error e) {
      hand(new Portion(List.of(), passed, passedBytes, e));
      return;
    }
    hand(new Portion(List.of(), passed, passedBytes, null));
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

  @Override
  public boolean hasNext() {
    while (!current.hasNext() && !ended) {
      Portion portion = take();
      if (portion.failure() instanceof RuntimeException e) {
        throw e;
      }
      if (portion.failure() instanceof Error e) {
        throw e;
      }
      ended = portion.entries().isEmpty();
      current = portion.entries().iterator();
      progress.passed(portion.passed(), portion.bytes());
    }
    return current.hasNext();
  }

  /** Waits, also if this thread is interrupted, which others are to see then. */
  private Portion take() {
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

  @Override
  public Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the scan is at its end");
    }
    return current.next();
  }

  /** Waits until the scan is closed. */
  @Override
  public void close() {
    closed = true;
    finished.join();
  }
}
