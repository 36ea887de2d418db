package io.kvstadium.server.round;

/** What a request does to the store: executed in a round, answered after the round was written. */
public interface Work {
  /**
   * Names what will be read, so that a round reads all of it at once. May be called on another
   * thread than the one that made it, as may the other methods; never two at a time.
   */
  default void announce(Round round) {}

  /**
   * Reads and writes. A request's mistake is answered, not thrown.
   *
   * @param round writes are refused in one that only reads
   */
  void execute(Round round);

  /** All that the round wrote is as durable as was wanted: answers may go out. */
  void done();

  /**
   * Nothing of what this and the others of its round wrote is in the store, and nothing of what
   * they read from each other is true: answers must say so.
   */
  void failed(RuntimeException cause);

  /** Of how many requests it is made. */
  default int pieces() {
    return 1;
  }

  /** Whether what it reads has to be of one moment. */
  default boolean whole() {
    return false;
  }

  /** Whether it may take long: then nobody else's answers wait for it. */
  default boolean alone() {
    return false;
  }

  /** Whether what it writes has to survive a power cut even if the store promises less. */
  default boolean power() {
    return false;
  }
}
