package io.kvstadium.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

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

  @Override
  void close() throws IOException;

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
