package io.kvstadium.torture.child;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends processes if this virtual machine ends, as at Ctrl-C, and tells that to those who watch
 * them, so that nobody takes it for the fault's work or the program's own. Safe for all threads.
 */
public final class ShutdownGuard {
  /** The exit code of a process that a Ctrl-C has reached before it was in its own session. */
  private static final int INTERRUPTED = 128 + 2;

  /** How often it is asked whether the same Ctrl-C has reached this virtual machine. */
  private static final int POLLS = 5000;

  private final Thread hook;

  /**
   * Guards processes that have just been started.
   *
   * @param end ends them; called at once if this virtual machine is ending
   */
  public ShutdownGuard(Runnable end) {
    hook = new Thread(end);
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      end.run(); // and whoever watches them is told by release()
    }
  }

  /**
   * They have ended; may be called again.
   *
   * @param first the one that was started
   * @throws ShutdownException if this virtual machine is ending, which may have been why
   */
  public void release(Process first) throws InterruptedException {
    if (first.waitFor() == INTERRUPTED) {
      begins();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      throw new ShutdownException(e);
    }
  }

  /**
   * Passes on a failure, unless this virtual machine is ending: a Ctrl-C may have reached a process
   * that was just being started.
   */
  public static void passOn(IOException failure) throws IOException {
    if (!begins()) {
      throw failure;
    }
  }

  /** Whether this virtual machine is ending, or begins to within some seconds. */
  private static boolean begins() {
    Thread none = new Thread();
    for (int i = 0; i < POLLS; i++) {
      try {
        Runtime.getRuntime().addShutdownHook(none);
        Runtime.getRuntime().removeShutdownHook(none);
      } catch (IllegalStateException e) {
        return true;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return false;
  }
}
