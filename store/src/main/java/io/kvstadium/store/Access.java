package io.kvstadium.store;

import io.kvstadium.store.spi.Gate;

/**
 * The check that stands before every call into an engine: whether the handle may still be used, and
 * that it stays so until the call is over.
 */
abstract class Access {
  /**
   * Must be followed by {@link #exit} if it returns.
   *
   * @return what {@code exit} needs
   * @throws ClosedException if the handle, or the store it came from, is closed
   */
  abstract Gate.Pass enter();

  abstract void exit(Gate.Pass pass);

  /** Of the store. */
  abstract Gate gate();

  /** Runs what closes a handle that came through this, when its engine is ready for that. */
  void whenFree(Runnable action) {
    action.run();
  }

  /** Whether several threads may be inside at once. */
  abstract boolean isShared();
}
