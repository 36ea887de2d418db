package io.kvstadium.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Where the stores of a chain are, and how they are struck there. */
interface Ground extends AutoCloseable {
  /** An empty directory at first, as the children see it. */
  Path directory();

  /** Words before the command of a child that shall see the directory. */
  default List<String> prefix() {
    return List.of();
  }

  /** Words before the command of the one that will be struck. */
  default List<String> workerPrefix(SplittableRandom random) {
    return prefix();
  }

  /**
   * Strikes, and leaves the store so that it can be opened again; the worker is dead afterwards.
   */
  void strike(Child worker, SplittableRandom random) throws IOException, InterruptedException;

  /** Whether what the worker told after the strike had begun was still acknowledged to somebody. */
  boolean acknowledgesToTheEnd();

  /** Whether the worker's calls may fail before the strike. */
  default boolean failsCalls() {
    return false;
  }

  /** Whether it fills up, so that the store shall grow, and be read when a write has failed. */
  default boolean fills() {
    return false;
  }

  /** What a worker told that was struck, and should not have. */
  default List<Finding> wrong(Child worker) {
    return List.of();
  }

  /** The file system under it, where it was chosen; otherwise empty. */
  default String fileSystem() {
    return "";
  }

  @Override
  void close() throws IOException;

  /** Strikes the engine's server by SIGKILL, and then the worker, in a plain directory. */
  record Served(Path directory) implements Ground {
    private static final long MOST_NANOS = 50_000_000;

    @Override
    public void strike(Child worker, SplittableRandom random) throws InterruptedException {
      worker.killOthers();
      LockSupport.parkNanos(random.nextLong(MOST_NANOS)); // in which it may try again
      worker.kill();
    }

    @Override
    public boolean acknowledgesToTheEnd() {
      return true;
    }

    @Override
    public void close() throws IOException {
      Home.remove(directory);
    }
  }

  /** Strikes by SIGKILL, in a plain directory. */
  record Plain(Path directory) implements Ground {
    @Override
    public void strike(Child worker, SplittableRandom random) throws InterruptedException {
      worker.kill();
    }

    @Override
    public boolean acknowledgesToTheEnd() {
      return true;
    }

    @Override
    public void close() throws IOException {
      Home.remove(directory);
    }
  }
}
