package io.kvstadium.bench.run;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Where a run keeps its stores while it lasts; only one run at a time can use it. */
final class RunDirectory implements AutoCloseable {
  private static final String LOCK = "lock";

  private final Path stores;
  private final FileChannel lock;

  private RunDirectory(Path stores, FileChannel lock) {
    this.stores = stores;
    this.lock = lock;
  }

  /**
   * Creates it, or takes over what a dead run has left behind.
   *
   * @throws BadArgumentException if it cannot be created, or another run is at work in it
   */
  static RunDirectory open(Path out) {
    Path stores = out.resolve("stores");
    while (true) {
      create(stores);
      try {
        FileChannel channel = FileChannel.open(stores.resolve(LOCK), CREATE, WRITE);
        if (!locked(channel)) {
          channel.close();
          throw new BadArgumentException("a run is still at work in " + out + ": wait for its end");
        }
        if (isThere(channel, stores.resolve(LOCK))) {
          return new RunDirectory(stores, channel);
        }
        channel.close(); // it was locked until its run had removed it
      } catch (NoSuchFileException e) {
        // so was the directory
      } catch (IOException e) {
        throw new BadArgumentException(
            "cannot lock " + stores + " (" + e + "): work in another directory", e);
      }
    }
  }

  /**
   * Whether what is locked is the file that the next run will find: if so, a length that this gives
   * it is seen there. (Reading the file instead would end the lock.)
   */
  private static boolean isThere(FileChannel locked, Path file) throws IOException {
    long length = ThreadLocalRandom.current().nextLong(1, 1L << 30);
    locked.truncate(0).write(ByteBuffer.allocate(1), length - 1); // a hole
    try {
      return Files.size(file) == length;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // by this very process
    }
  }

  /** Where trials may leave an archive of classes for one another. */
  static Path archive(Path out) {
    return out.resolve("stores").resolve("classes.jsa");
  }

  /** An empty directory for the next trial. */
  Path trial() {
    return trial(0);
  }

  /**
   * An empty directory for one of several trials.
   *
   * @param number among them
   */
  Path trial(int number) {
    Path directory = stores.resolve("trial").resolve(Integer.toString(number));
    remove(directory);
    create(directory);
    return directory;
  }

  /** Frees the space that the last trials took. */
  void removeTrials() {
    remove(stores.resolve("trial"));
  }

  /** Removes all but the results; the lock last, so that no other run is at work there yet. */
  @Override
  public void close() {
    Path locked = stores.resolve(LOCK);
    try (lock;
        Stream<Path> all = Files.list(stores)) {
      all.filter(each -> !each.equals(locked)).forEach(RunDirectory::remove);
      Files.delete(locked);
      Files.delete(stores);
    } catch (DirectoryNotEmptyException e) {
      // it is the next run's already
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + stores, e);
    }
  }

  private static void remove(Path directory) {
    try {
      FileTrees.remove(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + directory, e);
    }
  }

  static void create(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot make the directory " + directory + " (" + e + "): work in another one", e);
    }
  }

  static void removeIfEmpty(Path directory) {
    try {
      Files.delete(directory);
    } catch (IOException e) {
      // the user created it and has something in it: it stays
    }
  }
}
