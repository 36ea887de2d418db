package io.kvstadium.bench.run;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where a run keeps its stores while it lasts; only one run at a time can use it. */
final class RunDirectory implements AutoCloseable {
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
    create(stores);
    try {
      FileChannel channel =
          FileChannel.open(
              stores.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (locked(channel)) {
        return new RunDirectory(stores, channel);
      }
      channel.close();
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot lock " + stores + " (" + e + "): use --out with another directory", e);
    }
    throw new BadArgumentException("a run is still at work in " + out + ": wait for its end");
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

  Path stores() {
    return stores;
  }

  /** An empty directory for the next trial. */
  Path trial() {
    Path directory = stores.resolve("trial");
    remove(directory);
    create(directory);
    return directory;
  }

  /** Frees the space that the last trial took. */
  void removeTrial() {
    remove(stores.resolve("trial"));
  }

  /** Removes all but the results. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unlock " + stores, e);
    }
    remove(stores);
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
          "cannot make the directory " + directory + " (" + e + "): use --out with another one", e);
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
