package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.SparkeyReader;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.engine.Slot;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A pair of files, which never change, and its readers. Each reader maps the files on its own:
 * Sparkey's own duplicates would share one mapping, but can only be closed all at once, after a
 * sleep in the hope that nobody uses them any more.
 */
final class Generation {
  /**
   * How much of a compressed value is read at once: Sparkey's readers go one call deeper with each
   * block.
   */
  private static final int PIECE_BLOCKS = 64;

  private static final long PAUSE_NANOS = 20_000;

  private final File base;
  private final long entries;
  private final int piece;
  private final AtomicInteger pins = new AtomicInteger(1);
  private final ReentrantLock changing = new ReentrantLock();
  private volatile PooledReader[] readers; // replaced by longer ones with the same beginning
  private volatile boolean retired;

  /**
   * Opens a generation that this engine wrote, pinned once.
   *
   * @throws CorruptException if the files do not fit together or were not written by this engine
   */
  Generation(File base) {
    this.base = base;
    this.readers =
        filled(
            new PooledReader[0],
            Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 8 - 1));
    PooledReader first = readers[Slot.usual(readers.length)];
    boolean complete;
    try {
      SparkeyReader reader = first.open(base);
      entries = reader.getIndexHeader().getNumEntries();
      piece = reader.getLogHeader().getCompressionBlockSize() * PIECE_BLOCKS;
      complete =
          reader.getLogHeader().getNumPuts() == entries
              && reader.getLogHeader().getNumDeletes() == 0
              && reader.getLogHeader().getDataEnd() == reader.getIndexHeader().getDataEnd();
    } catch (IOException | RuntimeException e) {
      throw new DamageException(base, e);
    }
    if (!complete) {
      first.close();
      throw new CorruptException(
          "engine sparkey: "
              + base
              + ".spl holds deleted, replaced or unindexed entries, so another program wrote it:"
              + " copy its entries with a program of Sparkey's instead of the file");
    }
  }

  File base() {
    return base;
  }

  long entries() {
    return entries;
  }

  boolean isCompressed() {
    return piece > 0;
  }

  /** How many bytes of a compressed value should be read at once. */
  int piece() {
    return piece;
  }

  /** A reader for this thread alone, which must be given back; {@code null} if this was retired. */
  @Nullable PooledReader take() {
    PooledReader[] all = readers;
    int start = Slot.usual(all.length);
    PooledReader first = all[start];
    return first.tryTake() ? first : takeSlowly(all, start);
  }

  private @Nullable PooledReader takeSlowly(PooledReader[] all, int start) {
    for (int i = 1; i < all.length; i++) {
      PooledReader other = all[(start + i) % all.length];
      if (other.tryTake()) {
        return other;
      }
    }
    if (retired) {
      return null;
    }
    changing.lock();
    try {
      if (retired) {
        return null;
      }
      int present = readers.length;
      PooledReader[] longer = filled(readers, present * 2);
      longer[present].tryTake(); // nobody else knows it yet
      readers = longer;
      return longer[present];
    } finally {
      changing.unlock();
    }
  }

  /** Keeps the files until {@link #unpin}; false if it is too late for that. */
  boolean pin() {
    return pins.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
  }

  /**
   * Unpins; returns whether that was the last pin. The readers are then closed, once those who have
   * them are done, and nobody needs the files.
   */
  boolean unpin() {
    if (pins.decrementAndGet() > 0) {
      return false;
    }
    changing.lock();
    try {
      retired = true;
      for (PooledReader reader : readers) {
        while (!reader.tryTake()) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
        reader.close(); // and never given back
      }
    } finally {
      changing.unlock();
    }
    return true;
  }

  private static PooledReader[] filled(PooledReader[] present, int length) {
    PooledReader[] all = Arrays.copyOf(present, length);
    for (int i = present.length; i < length; i++) {
      all[i] = new PooledReader();
    }
    return all;
  }
}
