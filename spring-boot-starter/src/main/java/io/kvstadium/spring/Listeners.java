package io.kvstadium.spring;

import io.kvstadium.store.StoreListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells several listeners. */
record Listeners(List<StoreListener> each) implements StoreListener {
  @Override
  public boolean timesCalls() {
    return each.stream().anyMatch(StoreListener::timesCalls);
  }

  @Override
  public void called(Call call, String table, long nanoseconds, long bytes) {
    for (StoreListener listener : each) {
      listener.called(call, table, nanoseconds, bytes);
    }
  }

  @Override
  public void failed(Call call, String table, RuntimeException failure) {
    each.forEach(listener -> listener.failed(call, table, failure));
  }

  @Override
  public void conflict(int attempt) {
    each.forEach(listener -> listener.conflict(attempt));
  }

  @Override
  public void leak(String handle, @Nullable Throwable opened) {
    each.forEach(listener -> listener.leak(handle, opened));
  }
}
