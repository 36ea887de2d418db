package io.kvstadium.store;

/**
 * The check that stands before every call into an engine: whether the handle may still be used, and
 * that it stays so until the call is over.
 */
abstract class Access {
  /**
   * Must be followed by {@link #exit} if it returns.
   *
   * @throws ClosedException if the handle, or the store it came from, is closed
   */
  abstract void enter();

  abstract void exit();
}
