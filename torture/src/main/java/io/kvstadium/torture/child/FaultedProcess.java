package io.kvstadium.torture.child;

import java.time.Duration;
import java.util.SplittableRandom;

/** The process that gets a fault. */
public interface FaultedProcess {
  /** Ends it and what it started by SIGKILL, and reads what it had reported before. */
  void kill() throws InterruptedException;

  /** Ends what it started by SIGKILL, but not the process itself. */
  void killOthers() throws InterruptedException;

  /** Lets it end in good order; ends it by SIGKILL if it has not ended in time. */
  void end(Duration patience) throws InterruptedException;

  /**
   * Returns when it has had time to notice that its disk has just filled up.
   *
   * @return whether it is to go on when there is space again; otherwise it is to be killed before
   */
  boolean meetFullDisk(SplittableRandom random) throws InterruptedException;

  /** Lets it go on, after {@link #meetFullDisk}, on a disk that has space again. */
  void meetFreeSpace() throws InterruptedException;
}
