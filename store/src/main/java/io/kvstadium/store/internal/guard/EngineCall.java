package io.kvstadium.store.internal.guard;

import org.jspecify.annotations.Nullable;

/** Calls an engine, which may throw anything. */
@FunctionalInterface
public interface EngineCall<R extends @Nullable Object> {
  R run() throws Exception;

  /** A call without a result. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }
}
