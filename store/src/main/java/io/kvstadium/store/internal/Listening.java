package io.kvstadium.store.internal;

import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.StoreListener.Call;
import org.jspecify.annotations.Nullable;

/** Reports calls to a store's listener; whoever calls an engine has one, or {@code null}. */
record Listening(StoreListener listener) {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  /** Bound while the library does work of its own, which is no call of the application. */
  private static final ScopedValue<Boolean> QUIET = ScopedValue.newInstance();

  /** Runs this without telling a listener of its calls. */
  static <R> R quietly(ScopedValue.CallableOp<R, RuntimeException> work) {
    return ScopedValue.where(QUIET, true).call(work);
  }

  /** The time at which a call began, or 0 if it is not timed. */
  long begin() {
    return listener.timesCalls() && !QUIET.isBound() ? System.nanoTime() : 0;
  }

  /** Reports a call's end; see {@link #begin}. */
  void called(Call call, String table, long begun, long bytes) {
    if (QUIET.isBound()) {
      return;
    }
    long nanoseconds = begun == 0 ? 0 : System.nanoTime() - begun;
    try {
      listener.called(call, table, nanoseconds, bytes);
    } catch (RuntimeException e) {
      listenerFailed(e);
    }
  }

  void failed(Call call, String table, RuntimeException failure) {
    if (!QUIET.isBound()) {
      tell(() -> listener.failed(call, table, failure));
    }
  }

  void conflict(int attempt) {
    if (!QUIET.isBound()) {
      tell(() -> listener.conflict(attempt));
    }
  }

  void leak(String handle, @Nullable Throwable opened) {
    tell(() -> listener.leak(handle, opened));
  }

  /** What the listener throws must not look like the store's failure. */
  private static void tell(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException e) {
      listenerFailed(e);
    }
  }

  private static void listenerFailed(RuntimeException e) {
    LOG.log(System.Logger.Level.WARNING, "a store's listener failed", e);
  }
}
