package io.kvstadium.store.internal.open;

import io.kvstadium.store.LockedException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.internal.guard.OpenElsewhere;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock on a store's directory, against other processes and others in this one, until it is
 * closed.
 *
 * @param channel of the lock file, or {@code null} if only this process knows of the lock
 */
public record DirectoryLock(Path realPath, @Nullable FileChannel channel) implements AutoCloseable {
  /**
   * The directories that this process has locked, by their real paths. It is asked before a lock
   * file is opened: on POSIX systems a process loses all its locks on a file as soon as it closes
   * any one channel to it. Shared by all stores, because so are the locks.
   */
  private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

  /** Channels that must never be closed, not even by the garbage collector: see {@link #LOCKED}. */
  private static final Queue<FileChannel> KEPT_OPEN = new ConcurrentLinkedQueue<>();

  /**
   * Bytes of the lock file. A writer holds the first one alone, and one that lets no readers in
   * holds all of them. A writer beside readers, and each of these, share the second one: so a
   * removal, which takes all of them, is refused while anybody reads. Within one virtual machine no
   * two channels may have locks on the same byte, shared or not, so the second one also keeps apart
   * copies of this library in different class loaders.
   */
  private static final long WRITER = 0;

  private static final long READERS = 1;

  /** What a directory is locked for, and against whom. */
  public enum Use {
    /** To write or remove it: nobody else may have it open. */
    ALONE,
    /** To read it: others may, too, and nobody may write. */
    READ,
    /** To write it while other processes may read it. */
    WRITE_BESIDE_READERS,
    /** To read it while another process may write. */
    READ_BESIDE_WRITER;

    private boolean writes() {
      return this == ALONE || this == WRITE_BESIDE_READERS;
    }

    /** Takes the locks; false if another process holds one that forbids it. */
    private boolean lock(FileChannel channel) throws IOException {
      return switch (this) {
        case ALONE -> channel.tryLock(0, Long.MAX_VALUE, false) != null;
        case READ -> channel.tryLock(0, Long.MAX_VALUE, true) != null;
        case WRITE_BESIDE_READERS ->
            READ_BESIDE_WRITER.lock(channel) && channel.tryLock(WRITER, 1, false) != null;
        case READ_BESIDE_WRITER -> channel.tryLock(READERS, 1, true) != null;
      };
    }
  }

  /**
   * Locks the directory, which exists.
   *
   * @param advice for the message if another process has it open
   * @return the lock, or {@code null} if it is only to be read, where nothing can be written
   */
  static @Nullable DirectoryLock take(Path path, String url, Use use, Supplier<String> advice) {
    boolean writable = use.writes() || Files.isWritable(path);
    if (use == Use.READ && !writable) {
      return null; // a read-only medium: nobody can have it open for writing
    }
    Path file = path.resolve(StoreDirectory.LOCK_FILE);
    Path realPath;
    try {
      realPath = path.toRealPath();
    } catch (IOException e) {
      throw cannotLock(path, url, e);
    }
    if (!LOCKED.add(realPath)) {
      throw openHere(path, url, null);
    }
    FileChannel channel = null;
    try {
      if (!writable) {
        return new DirectoryLock(realPath, null); // no file can be made; still, only one here
      }
      channel =
          FileChannel.open(
              file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
      if (!use.lock(channel)) {
        throw new LockedException(
            "%s: %s is open in another process%s: %s"
                .formatted(url, path, OpenElsewhere.by(path), advice.get()));
      }
      return new DirectoryLock(realPath, channel);
    } catch (OverlappingFileLockException e) {
      // Another copy of this library, in another class loader, holds it.
      KEPT_OPEN.add(channel);
      LOCKED.remove(realPath);
      throw openHere(path, url, e);
    } catch (IOException e) {
      new DirectoryLock(realPath, channel).close();
      throw cannotLock(path, url, e);
    } catch (LockedException e) {
      new DirectoryLock(realPath, channel).close();
      throw e;
    }
  }

  /** Claims the place within this process, and leaves no trace in it. */
  static DirectoryLock claim(Path path, String url) {
    Path realPath;
    try {
      realPath = path.toRealPath();
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot find " + path + " (" + e + ")", e);
    }
    if (!LOCKED.add(realPath)) {
      throw openHere(path, url, null);
    }
    return new DirectoryLock(realPath, null);
  }

  private static LockedException openHere(Path path, String url, @Nullable Exception cause) {
    return new LockedException(
        "%s: %s is open in this process already: share that store instead of opening it twice"
            .formatted(url, path),
        cause);
  }

  private static StoreIoException cannotLock(Path path, String url, IOException e) {
    Path file = path.resolve(StoreDirectory.LOCK_FILE);
    if (e instanceof AccessDeniedException) {
      return new StoreIoException(
          url
              + ": "
              + StoreDirectory.denied(path)
              + " to write in "
              + path
              + " and to "
              + file.getFileName(),
          e);
    }
    return new StoreIoException(
        url + ": cannot lock " + file + " (" + e + "): check its permissions", e);
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new StoreIoException("cannot unlock " + realPath + ": " + e, e);
    } finally {
      LOCKED.remove(realPath);
    }
  }
}
