package io.kvstadium.store;

import io.kvstadium.store.spi.Gate;
import org.jspecify.annotations.Nullable;

/** Access to a store's latest state; of all threads. */
final class StoreAccess extends Access {
  private final String url;
  private final Gate gate = new Gate();
  private volatile @Nullable StoreIoException poison;

  StoreAccess(String url) {
    this.url = url;
  }

  @Override
  Gate.Pass enter() {
    Gate.Pass pass = gate.pass();
    if (pass == null) {
      throw new ClosedException(url + ": the store is closed");
    }
    if (poison != null) {
      throw poisoned(pass);
    }
    return pass;
  }

  @Override
  void exit(Gate.Pass pass) {
    gate.exit(pass);
  }

  @Override
  boolean isShared() {
    return true;
  }

  Gate gate() {
    return gate;
  }

  /**
   * Refuses every further call: after a write failed half-way, memory and files may differ, and a
   * second attempt would report success for what is lost.
   */
  StoreIoException poison(StoreIoException cause) {
    poison = cause;
    return cause;
  }

  private StoreIoException poisoned(Gate.Pass pass) {
    gate.exit(pass);
    return new StoreIoException(
        url + ": an earlier write failed (see the cause): close the store and open it again",
        poison);
  }
}
