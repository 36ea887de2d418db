package io.kvstadium.engine.memory;

import java.util.concurrent.locks.ReentrantLock;

/** Holds the writers' lock, taken by the same thread before, until its close. */
final class PessimisticTransaction extends MemoryTransaction {
  private final ReentrantLock writers;

  PessimisticTransaction(MemoryStore store, ReentrantLock writers) {
    super(store);
    this.writers = writers;
  }

  @Override
  void check(Root now) {} // nobody else could write

  @Override
  public void close() {
    writers.unlock();
  }
}
