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
 * Whether there is room for more on the store's disk. Engines stop writing for good when a disk is
 * full, removals included; so what adds is refused while there is still room for removals. Safe for
 * all threads.
 */
public final class Room {
  private static final long MOST_RESERVED = 256L << 20;

  /** Of a small disk, this part. */
  private static final int PART = 20;

  private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(100);

  private final @Nullable LongSupplier disk;
  private final long reserve;
  private volatile long asked = System.nanoTime() - FRESH;
  private volatile long usable = Long.MAX_VALUE;

  /**
   * Of a disk.
   *
   * @param disk tells its usable bytes; {@code null} for one without end
   * @param reserve bytes that are kept for removals
   */
  Room(@Nullable LongSupplier disk, long reserve) {
    this.disk = disk;
    this.reserve = reserve;
  }

  /** That of a store; without end if it has no files here. */
  static Room of(Store store) {
    try {
      Path files = Path.of(StoreUrl.parse(store.url()).location());
      if (!files.toString().isEmpty() && Files.exists(files)) {
        FileStore disk = Files.getFileStore(files);
        return new Room(() -> usable(disk), Math.min(MOST_RESERVED, disk.getTotalSpace() / PART));
      }
    } catch (InvalidPathException | IOException e) {
      // an address, or a disk that does not tell: then the engine says when it is full
    }
    return new Room(null, 0);
  }

  private static long usable(FileStore disk) {
    try {
      return disk.getUsableSpace();
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot ask for the room on the store's disk: " + e.getMessage(), e);
    }
  }

  /**
   * Makes sure that something may be added.
   *
   * @throws FullException if only removals may go on
   */
  public void require() {
    require(System.nanoTime());
  }

  /**
   * The same.
   *
   * @param now as {@link System#nanoTime} has it, about
   * @throws FullException if only removals may go on
   */
  public void require(long now) {
    if (disk == null) {
      return;
    }
    if (now - asked > FRESH) {
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
