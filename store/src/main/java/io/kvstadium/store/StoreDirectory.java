package io.kvstadium.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of a store: made, locked, made durable, and removed. */
final class StoreDirectory {
  private static final String LOCK_FILE = "stadium.lock";

  /** What an empty directory may hold: our lock, and what file systems put at their root. */
  private static final Set<String> HARMLESS = Set.of(LOCK_FILE, "lost+found");

  private final Path path;
  private final String url;

  StoreDirectory(Path path, String url) {
    this.path = path;
    this.url = url;
  }

  /** Whether there is nothing in it that somebody might miss. */
  boolean isEmpty() {
    try (Stream<Path> files = Files.list(path)) {
      return files.allMatch(file -> HARMLESS.contains(file.getFileName().toString()));
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      throw new StoreIoException(
          url + ": " + path + " cannot be read as a directory (" + e + "): name another place", e);
    }
  }

  void create() {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new StoreIoException(
          url
              + ": cannot make the directory "
              + path
              + " ("
              + e
              + "): check the path and its rights",
          e);
    }
  }

  /** Makes the directory's own entries, and its place in its parents, survive a power cut. */
  void makeDurable() {
    for (Path directory = path.toAbsolutePath();
        directory != null;
        directory = directory.getParent()) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException e) {
        if (directory.equals(path.toAbsolutePath())
            || directory.equals(path.toAbsolutePath().getParent())) {
          throw new StoreIoException(
              url + ": cannot sync the directory " + directory + ": " + e, e);
        }
        return; // not ours to read: it was there before us, so it is durable
      }
    }
  }

  /**
   * Locks it against a second open.
   *
   * @param shared whether others may lock it in the same way
   * @return the lock, or {@code null} if a shared lock is asked for where nothing can be written
   */
  @Nullable FileLock lock(boolean shared) {
    Path file = path.resolve(LOCK_FILE);
    FileChannel channel = null;
    try {
      if (shared && !Files.isWritable(path)) {
        return null; // a read-only medium: nobody can have it open for writing
      }
      channel =
          FileChannel.open(
              file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      if (lock == null) {
        channel.close();
        throw new LockedException(
            url
                + ": "
                + path
                + " is open in another process: close it there, or use another directory");
      }
      return lock;
    } catch (OverlappingFileLockException e) {
      closeQuietly(channel, e);
      throw new LockedException(
          url
              + ": "
              + path
              + " is open in this process already: share that store instead of opening it twice",
          e);
    } catch (IOException e) {
      closeQuietly(channel, e);
      throw new StoreIoException(
          url + ": cannot lock " + file + " (" + e + "): check its rights", e);
    }
  }

  static void unlock(@Nullable FileLock lock) {
    if (lock != null) {
      try {
        lock.acquiredBy().close();
      } catch (IOException e) {
        throw new StoreIoException("cannot unlock " + lock + ": " + e, e);
      }
    }
  }

  /** Removes it with all that it holds. */
  void remove() {
    try {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
                throws IOException {
              if (e != null) {
                throw e;
              }
              Files.delete(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot remove " + path + ": " + e, e);
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel, Exception cause) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
