package io.kvstadium.cli.io;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * At Ctrl-C, stops what runs and lets the main thread tell what is finished: the virtual machine
 * ends when this is closed. (After a normal end there is nothing left to do.)
 */
public final class Interrupt implements AutoCloseable {
  /** The exit code after it. */
  public static final int EXIT = 128 + 2;

  private static final long SECONDS_TO_END = 20;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Runnable stop;

  /**
   * @param stop keeps more from being begun, and ends what runs
   */
  public Interrupt(Runnable stop) {
    this.stop = stop;
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("interrupt").unstarted(this::come));
  }

  private void come() {
    stop.run();
    try {
      if (!closed.await(SECONDS_TO_END, TimeUnit.SECONDS)) {
        System.err.println(
            "stadium: what runs has not ended in " + SECONDS_TO_END + " s and is left");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
