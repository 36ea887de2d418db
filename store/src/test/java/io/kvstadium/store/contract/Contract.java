package io.kvstadium.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Where the library broke a promise to an engine. */
final class Contract {
  private final List<AssertionError> breaches = new CopyOnWriteArrayList<>();

  /** Notes a breach too, since the library may catch what an engine throws. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's
  void demand(boolean kept, String promise, Object... details) {
    if (!kept) {
      AssertionError breach = new AssertionError(promise.formatted(details));
      breaches.add(breach);
      throw breach;
    }
  }

  void assertKept() {
    assertThat(breaches).as("promises to the engine that were broken").isEmpty();
  }
}
