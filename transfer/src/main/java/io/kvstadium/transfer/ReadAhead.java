package io.kvstadium.transfer;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import io.kvstadium.transfer.format.ContentSum;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a scan, read ahead by a thread of its own while the caller uses earlier ones. It
 * holds a few megabytes, or a few entries if these are longer. Belongs to one thread; closing it
 * ends the reading.
 */
final class ReadAhead implements Iterator<Entry<byte[], byte[]>>, AutoCloseable {
  private static final int PORTION_BYTES = 256 << 10;
  private static final int PORTION_ENTRIES = 1_000;

  /** The most portions that wait. */
  private static final int PORTIONS = 8;

  /** Is notified of how far the reading was when the entries that come next had been read. */
  @FunctionalInterface
  interface Progress {
    /**
     * Called by the thread that uses the entries.
     *
     * @param entries how many the scan has gone through, handed out or not
     * @param bytes the total length of their keys and values
     */
    void passed(long entries, long bytes);
  }

  /** Some entries, how far the scan had gone by then, and why it could not continue. */
  private record Portion(
      List<Entry<byte[], byte[]>> entries,
      long passed,
      long bytes,
      boolean last,
      @Nullable Throwable failure) {}

  private final Progress progress;
  private final BlockingQueue<Portion> portions = new LinkedBlockingQueue<>(PORTIONS);
  private final CompletableFuture<Void> reading;
  private volatile boolean closed;
  private Portion current = new Portion(List.of(), 0, 0, false, null);
  private Iterator<Entry<byte[], byte[]>> entries = current.entries.iterator();

  /** The sum of the entries that a table has; reads them all. */
  static ContentSum sum(TableReader<byte[], byte[]> table) {
    ContentSum.Adder sum = new ContentSum.Adder(table.name());
    try (ReadAhead entries =
        new ReadAhead(() -> table.scan(Range.all()), _ -> true, (_, _) -> {})) {
      entries.forEachRemaining(entry -> sum.add(entry.key(), entry.value()));
    }
    return sum.sum();
  }

  /**
   * Starts reading.
   *
   * @param scan opens the scan, on the reading thread, which also closes it
   * @param kept whether to hand out an entry; called by the reading thread, whose effects show to
   *     the caller's once there are no more entries
   */
  ReadAhead(
      Supplier<Cursor<byte[], byte[]>> scan,
      Predicate<Entry<byte[], byte[]>> kept,
      Progress progress) {
    this.progress = progress;
    this.reading =
        CompletableFuture.runAsync(
            () -> read(scan, kept),
            task -> Thread.ofPlatform().daemon().name("stadium-read-ahead").start(task));
  }

  private void read(Supplier<Cursor<byte[], byte[]>> scan, Predicate<Entry<byte[], byte[]>> kept) {
    List<Entry<byte[], byte[]>> portion = new ArrayList<>();
    long passed = 0;
    long bytes = 0;
    long begun = 0;
    Throwable failure = null;
    try (Cursor<byte[], byte[]> cursor = scan.get()) {
      while (!closed && cursor.next()) {
        Entry<byte[], byte[]> entry = new Entry<>(cursor.key(), cursor.value());
        passed++;
        bytes += (long) entry.key().length + entry.value().length;
        if (kept.test(entry)) {
          portion.add(entry);
        }
        if (bytes - begun >= PORTION_BYTES || portion.size() >= PORTION_ENTRIES) {
          hand(new Portion(portion, passed, bytes, false, null));
          portion = new ArrayList<>();
          begun = bytes;
        }
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    hand(new Portion(portion, passed, bytes, true, failure));
  }

  private void hand(Portion portion) {
    try {
      portions.put(portion);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  /** Waits even if this thread is interrupted; the interrupt shows afterwards. */
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
  public boolean hasNext() {
    while (!entries.hasNext() && !current.last) {
      current = take();
      entries = current.entries.iterator();
      progress.passed(current.passed, current.bytes);
    }
    if (!entries.hasNext() && current.failure instanceof RuntimeException e) {
      throw e;
    }
    if (!entries.hasNext() && current.failure instanceof Error e) {
      throw e;
    }
    return entries.hasNext();
  }

  @Override
  public Entry<byte[], byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the scan is at its end");
    }
    return entries.next();
  }

  /** Waits until the scan is closed. */
  @Override
  public void close() {
    closed = true;
    portions.clear(); // makes room for what the thread still hands over
    reading.join();
  }
}
