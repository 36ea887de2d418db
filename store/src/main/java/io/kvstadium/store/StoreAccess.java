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
      throw refusal();
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

  @Override
  Gate gate() {
    return gate;
  }

  /**
   * Refuses every further call: after a write failed half-way, memory and files may differ, and a
   * second attempt would report success for what is lost.
   */
  StoreIoException poison(StoreIoException cause) {
    if (poison == null) {
      poison = cause;
    }
    gate.bar();
    return cause;
  }

  /** Why every call is refused, or {@code null} if none is. */
  @Nullable StoreIoException poison() {
    return poison;
  }

  ClosedException closed() {
    return new ClosedException(url + ": the store is closed");
  }

  private StadiumException refusal() {
    return gate.isClosed()
        ? closed()
        : new StoreIoException(
            url + ": an earlier write failed (see the cause): close the store and open it again",
            poison);
  }
}
