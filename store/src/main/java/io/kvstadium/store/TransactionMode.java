package io.kvstadium.store;

/** How a transaction is isolated from others. */
public enum TransactionMode {
  /** No locks; what it read is checked at commit, and a conflict makes it run again. */
  OPTIMISTIC(Capability.OPTIMISTIC_TRANSACTION),
  /** What it touches is locked until its end; waiting for a lock is bounded by a timeout. */
  PESSIMISTIC(Capability.PESSIMISTIC_TRANSACTION);

  private final Capability capability;

  TransactionMode(Capability capability) {
    this.capability = capability;
  }

  /** The capability that a store needs for transactions of this mode. */
  public Capability capability() {
    return capability;
  }
}
