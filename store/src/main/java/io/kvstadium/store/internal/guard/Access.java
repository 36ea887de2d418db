package io.kvstadium.store.internal.guard;

import io.kvstadium.store.ClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The check before every call into an engine: whether the handle may still be used, and that it
 * stays so until the call is over.
 */
public abstract class Access {
  /**
   * Must be followed by {@link #exit} if it returns.
   *
   * @return what {@code exit} needs
   * @throws ClosedException if the handle, or the store it came from, is closed
   */
  public abstract Gate.Pass enter();

  public abstract void exit(Gate.Pass pass);

  /**
   * What to throw for a failed call of the engine, between enter and exit.
   *
   * @param writes whether the call may have written something
   */
  public abstract RuntimeException failed(Throwable thrown, boolean writes);

  /** Notes that a call failed before it reached the engine, or in the application's own code. */
  public void callFailed(Throwable failure) {}

  /** Calls the engine for something that writes nothing. */
  public final <R extends @Nullable Object> R read(EngineCall<R> call) {
    return call(call, false);
  }

  /** Calls the engine for something that may write. */
  public final <R extends @Nullable Object> R write(EngineCall<R> call) {
    return call(call, true);
  }

  private <R extends @Nullable Object> R call(EngineCall<R> call, boolean writes) {
    Gate.Pass pass = enter();
    try {
      return call.run();
    } catch (Throwable e) {
      throw failed(e, writes);
    } finally {
      exit(pass);
    }
  }

  /** Closes what the engine opened; the caller makes sure that nobody is inside. */
  public final void close(EngineCall.Action closing) {
    try {
      closing.run();
    } catch (Throwable e) {
      throw failed(e, false);
    }
  }

  /** The store's gate. */
  abstract Gate gate();

  /**
   * Whether the engine's side of a handle that came through this can be closed now; if so, {@link
   * #endClosing} must follow. If not, the end of this closes it.
   */
  boolean beginClosing() {
    return true;
  }

  void endClosing() {}

  /** Whether several threads may be inside at once. */
  public abstract boolean isShared();
}
