package io.kvstadium.store.internal;

/**
 * What a block was given to call. It remembers that a call failed, even one that did not reach the
 * engine, because a block in which a call failed must not be applied.
 */
public interface Callee {
  /** Notes that a call failed. */
  void callFailed(Throwable failure);

  /**
   * Notes that a call failed, if that makes a difference to what was called.
   *
   * @return the failure, to be thrown
   */
  static <E extends Throwable> E failed(Object called, E failure) {
    if (called instanceof Callee callee) {
      callee.callFailed(failure);
    }
    return failure;
  }
}
