package io.kvstadium.server.execute;

/**
 * What a request does to the store: executed in a commit group, answered after the group was
 * written.
 */
public interface Task {
  /**
   * Names what will be read, so that a commit group reads all of it at once. Like the other
   * methods, may be called on a thread other than the one that made it; never two at a time.
   */
  default void prefetch(CommitGroup commitGroup) {}

  /**
   * Reads and writes. A mistake in a request is answered, not thrown.
   *
   * @param commitGroup refuses writes if it only reads
   */
  void execute(CommitGroup commitGroup);

  /** Everything that the commit group wrote is as durable as requested: answers may go out. */
  void done();

  /**
   * Nothing that this and the other work of its commit group wrote is in the store, and nothing
   * that they read from each other is true: answers must say so.
   */
  void failed(RuntimeException cause);

  /** The number of its requests. */
  default int requests() {
    return 1;
  }

  /** Whether everything it reads must be from one moment. */
  default boolean needsSnapshot() {
    return false;
  }

  /** Whether it may take long: then no other answers wait for it. */
  default boolean isLong() {
    return false;
  }

  /** Whether its writes must survive a power cut even if the store promises less. */
  default boolean needsSync() {
    return false;
  }
}
