package io.kvstadium.server.round;

import io.kvstadium.store.FullException;
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
 * full, removals included; so additions are refused while there is still space for removals. Safe
 * for all threads.
 */
public final class Room {
  private static final long MOST_RESERVED = 256L << 20;

  /** Of a small disk, one part in this many is reserved. */
  private static final int PART = 20;

  private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(100);

  /** Near the reserve, which would be gone in the time above. */
  private static final long FRESH_WHERE_LITTLE_IS_LEFT = TimeUnit.MILLISECONDS.toNanos(1);

  /** How many reserves are little. */
  private static final int LITTLE = 8;

  private final @Nullable LongSupplier disk;
  private final long reserve;
  private volatile long asked = System.nanoTime() - FRESH;
  private volatile long usable = Long.MAX_VALUE;

  /**
   * The room on a disk.
   *
   * @param disk returns its usable bytes; {@code null} for an unlimited disk
   * @param reserve bytes that are kept for removals
   */
  Room(@Nullable LongSupplier disk, long reserve) {
    this.disk = disk;
    this.reserve = reserve;
  }

  /** The room for a store; unlimited if it has no files here. */
  static Room of(Store store) {
    try {
      Path files = Path.of(StoreUrl.parse(store.url()).location());
      if (!files.toString().isEmpty() && Files.exists(files)) {
        FileStore disk = Files.getFileStore(files);
        long part = Math.min(MOST_RESERVED, disk.getTotalSpace() / PART);
        return new Room(() -> usable(disk), Math.max(part, store.diskReserve()));
      }
    } catch (InvalidPathException | IOException e) {
      // an address, or a disk that does not report it: then the engine reports when it is full
    }
    return new Room(null, 0);
  }

  private static long usable(FileStore disk) {
    try {
      return disk.getUsableSpace();
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot determine the space on the store's disk: " + e.getMessage(), e);
    }
  }

  /** Whether something may be added. */
  public boolean isEnough() {
    try {
      require();
      return true;
    } catch (FullException e) {
      return false;
    }
  }

  /**
   * Makes sure that something may be added.
   *
   * @throws FullException if only removals may continue
   */
  public void require() {
    require(System.nanoTime());
  }

  /**
   * Makes sure that something may be added at the given time.
   *
   * @param now roughly {@link System#nanoTime}
   * @throws FullException if only removals may continue
   */
  public void require(long now) {
    if (disk == null) {
      return;
    }
    if (now - asked > (usable / LITTLE < reserve ? FRESH_WHERE_LITTLE_IS_LEFT : FRESH)) {
      asked = now;
      usable = disk.getAsLong();
    }
    if (usable < reserve) {
      throw new FullException(
          "the disk has %d MB left, and the last %d MB are kept for removals: free space"
              .formatted(usable >> 20, reserve >> 20));
    }
  }
}
