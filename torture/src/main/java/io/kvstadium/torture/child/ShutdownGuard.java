package io.kvstadium.torture.child;

/**
 * Ends processes if this virtual machine ends, as at Ctrl-C, and tells that to those who watch
 * them, so that nobody takes it for the fault's work or the program's own. Safe for all threads.
 */
public final class ShutdownGuard {
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
   * @throws ShutdownException if this virtual machine is ending, which may have been why
   */
  public void release() throws ShutdownException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      throw new ShutdownException(e);
    }
  }
}
