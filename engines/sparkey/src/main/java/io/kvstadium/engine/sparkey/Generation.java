package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.SparkeyReader;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.engine.help.Slot;
import io.kvstadium.store.engine.help.SlotPool;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
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

  private final File base;
  private final long entries;
  private final int piece;
  private final AtomicInteger pins = new AtomicInteger(1);
  private final SlotPool<PooledReader> readers =
      new SlotPool<>(Integer.MAX_VALUE, PooledReader::new);

  /**
   * Opens a generation that this engine wrote, pinned once.
   *
   * @throws CorruptException if the files do not fit together or were not written by this engine
   */
  Generation(File base) {
    this.base = base;
    PooledReader first = readers.all().get(Slot.preferredIndex(readers.all().size()));
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
              + " copy its entries with a program of Sparkey's");
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
    return readers.take();
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
    readers.close(PooledReader::close);
    return true;
  }
}
