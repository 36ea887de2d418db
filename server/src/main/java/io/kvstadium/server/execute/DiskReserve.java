package io.kvstadium.server.execute;

import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreUrl;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is space for more on the store's disk. Engines stop writing for good when a disk is
 * full, removals included; so additions are refused while there is still space for removals, and
 * for what the engine has yet to write. Safe for all threads; only the one that has the turn to
 * write may {@link #take}.
 */
public final class DiskReserve {
  private static final long MAX_RESERVED = 256L << 20;

  /** Of a small disk, one part in this many is reserved. */
  private static final int PART = 20;

  /** How long it may take until what others do to the disk is noticed. */
  private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(100);

  /** Engines write everything twice: into a log, and then to its place. */
  private static final int WRITES = 2;

  /** What an entry takes besides its key and value. */
  private static final int OVERHEAD = 64;

  /** The disk is asked again after additions of one part in this many of what was left. */
  private static final int ASKED = 16;

  private final @Nullable LongSupplier disk;
  private final LongSupplier reserve;
  private volatile long asked;
  private volatile long usable;
  private volatile long reserved;

  /** What was taken since the disk was asked; only for the thread that has the turn to write. */
  private long taken;

  /** The part of it that the store has not got yet. */
  private long pending;

  /**
   * The space on a disk.
   *
   * @param disk returns its usable bytes; {@code null} for an unlimited disk
   * @param reserve returns how many of them are kept for removals and for the engine's own work
   */
  DiskReserve(@Nullable LongSupplier disk, LongSupplier reserve) {
    this.disk = disk;
    this.reserve = reserve;
    this.asked = System.nanoTime() - FRESH - 1;
  }

  /** The space for a store; unlimited if it has no files here. */
  static DiskReserve of(Store store) {
    try {
      Path files = Path.of(StoreUrl.parse(store.url()).location());
      if (!files.toString().isEmpty() && Files.exists(files)) {
        FileStore disk = Files.getFileStore(files);
        return new DiskReserve(() -> usable(disk), () -> reserve(disk, store));
      }
    } catch (InvalidPathException | IOException e) {
      // an address, or a disk that does not report it: then the engine reports when it is full
    }
    return new DiskReserve(null, () -> 0);
  }

  private static long usable(FileStore disk) {
    try {
      return disk.getUsableSpace();
    } catch (IOException e) {
      throw unknown(e);
    }
  }

  private static long reserve(FileStore disk, Store store) {
    try {
      long total = disk.getTotalSpace(); // it may grow
      return Math.max(Math.min(MAX_RESERVED, total / PART), engineReserve(store));
    } catch (IOException e) {
      throw unknown(e);
    }
  }

  private static long engineReserve(Store store) {
    try {
      return store.diskReserve();
    } catch (StadiumException e) { // it has failed, as those will learn who use it
      return 0;
    }
  }

  private static StoreIoException unknown(IOException e) {
    return new StoreIoException(
        "cannot determine the space on the store's disk: " + e.getMessage(), e);
  }

  /** Whether something may be added. */
  public boolean isEnough() {
    return disk == null || disk.getAsLong() >= reserve.getAsLong();
  }

  /** The free bytes of the disk; -1 if it is not known. */
  public long usable() {
    return disk == null ? -1 : disk.getAsLong();
  }

  /**
   * Makes sure that something may be added, and takes the room for it.
   *
   * @param bytes roughly its size
   * @param now roughly {@link System#nanoTime}
   * @throws FullException if there is room only for less, or for removals
   */
  void take(long bytes, long now) {
    if (disk == null) {
      return;
    }
    long wanted = WRITES * (bytes + OVERHEAD);
    long left = usable - reserved;
    if (now - asked > FRESH || ASKED * (taken + wanted) > left) {
      reserved = reserve.getAsLong();
      usable = disk.getAsLong();
      asked = now;
      taken = pending;
      left = usable - reserved;
    }
    if (taken + wanted > left) {
      throw new FullException(
          "no space for %d kB: the disk has %d MB left, and the last %d MB are kept for removals: free space"
              .formatted((bytes >> 10) + 1, usable >> 20, reserved >> 20));
    }
    taken += wanted;
    pending += wanted;
  }

  /** The store has got what was taken, or refused it. */
  void written() {
    pending = 0;
  }
}
