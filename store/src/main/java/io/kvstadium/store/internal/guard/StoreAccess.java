package io.kvstadium.store.internal.guard;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.declare.Failure;
import org.jspecify.annotations.Nullable;

/** Access to a store's latest state; thread-safe. */
public final class StoreAccess extends Access {
  private final String url;
  private final Failures failures;
  private final Gate gate = new Gate();
  private volatile @Nullable StadiumException poison;

  public StoreAccess(String url, Failures failures) {
    this.url = url;
    this.failures = failures;
  }

  @Override
  public Gate.Pass enter() {
    Gate.Pass pass = gate.pass();
    if (pass == null) {
      throw refusal();
    }
    return pass;
  }

  @Override
  public void exit(Gate.Pass pass) {
    gate.exit(pass);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public Gate gate() {
    return gate;
  }

  /**
   * Also refuses from now on what cannot be trusted any more: after a write failed halfway, memory
   * and files may differ, and a second attempt would report success for what is lost. A read that
   * fails for a full disk met an engine that had closed itself in its own work.
   */
  @Override
  public RuntimeException failed(Throwable thrown, boolean writes) {
    RuntimeException failure = failures.of(thrown);
    if ((writes || failure instanceof FullException) && failure instanceof StadiumException known) {
      if (known.blocks() != Failure.Blocks.NOTHING && (poison == null || explains(known))) {
        poison = known;
      }
      if (known.blocks() == Failure.Blocks.ALL) {
        gate.bar();
      }
    }
    return failure;
  }

  /** A full disk is why the others failed, though one of them may have come first. */
  private boolean explains(StadiumException known) {
    return known instanceof FullException && !(poison instanceof FullException);
  }

  /** Why writes, or all calls, are refused; {@code null} if none is. */
  public @Nullable StadiumException poison() {
    return poison;
  }

  /** Refuses a write if what is written might be lost. */
  public void checkWritable() {
    if (poison != null) {
      throw refusal();
    }
  }

  public ClosedException closed() {
    return new ClosedException(url + ": the store is closed");
  }

  private StadiumException refusal() {
    if (gate.isClosed()) {
      return closed();
    }
    return poison instanceof FullException
        ? new FullException(
            url
                + ": there was no room for an earlier write (see the cause): make some, close the"
                + " store and open it again",
            poison)
        : new StoreIoException(
            url + ": an earlier write failed (see the cause): close the store and open it again",
            poison);
  }
}
