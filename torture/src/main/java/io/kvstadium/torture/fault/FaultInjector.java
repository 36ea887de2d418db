package io.kvstadium.torture.fault;

import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.child.FaultedProcess;
import io.kvstadium.torture.child.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Where the stores of a sequence are, and what happens to them there. */
public interface FaultInjector extends AutoCloseable {
  /** The directory as the children see it, empty at first. */
  Path directory();

  /** Words before the command of a child that must see the directory. */
  default List<String> prefix() {
    return List.of();
  }

  /** Words before the command of the worker that gets the fault. */
  default List<String> workerPrefix(SplittableRandom random) {
    return prefix();
  }

  /** Leaves the directory ready to be used again; the process is dead afterwards. */
  void inject(FaultedProcess process, SplittableRandom random)
      throws IOException, InterruptedException;

  /** Whether what the worker reported after the fault had begun counts as acknowledged. */
  boolean acknowledgesToTheEnd();

  /** Whether the worker's calls may fail before the fault. */
  default boolean failsCalls() {
    return false;
  }

  /** Whether it fills up: then the store must grow, and be read after a write has failed. */
  default boolean fills() {
    return false;
  }

  /** Of what a worker has reported after the fault, what it should not have. */
  default List<Finding> wrong(List<Finding> reported) {
    return List.of();
  }

  /**
   * What the last fault found that was not durable, a sentence each, if the injector can know that.
   */
  default List<String> evidence() {
    return List.of();
  }

  /** The underlying file system, where it was chosen; otherwise empty. */
  default String fileSystem() {
    return "";
  }

  @Override
  void close() throws IOException;

  /** Ends the engine's server by SIGKILL, then the worker, in a plain directory. */
  record Served(Path directory) implements FaultInjector {
    private static final long MOST_NANOS = 50_000_000;

    @Override
    public void inject(FaultedProcess process, SplittableRandom random)
        throws InterruptedException {
      process.killOthers();
      LockSupport.parkNanos(random.nextLong(MOST_NANOS)); // the worker may retry meanwhile
      process.kill();
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

  /** Ends the worker by SIGKILL, in a plain directory. */
  record Plain(Path directory) implements FaultInjector {
    @Override
    public void inject(FaultedProcess process, SplittableRandom random)
        throws InterruptedException {
      process.kill();
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
