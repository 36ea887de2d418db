package io.kvstadium.store.engine.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InterruptsTest {
  @Test
  void aCallDoesNotSeeAnInterruptThatWasPending() {
    Thread.currentThread().interrupt();
    boolean seen = Interrupts.deferred(() -> Thread.currentThread().isInterrupted());
    assertThat(Thread.interrupted()).isTrue();
    assertThat(seen).isFalse();
  }

  @Test
  void aCallThatAnInterruptEndsIsMadeAgain() {
    AtomicInteger calls = new AtomicInteger();
    int result =
        Interrupts.deferred(
            () -> {
              if (calls.incrementAndGet() == 1) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted");
              }
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              return 7;
            },
            e -> e instanceof IllegalStateException);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isEqualTo(7);
    assertThat(calls).hasValue(2);
  }

  @Test
  void anotherFailureIsThrown() {
    assertThatThrownBy(() ->
            Interrupts.deferred(
                () -> {
                  throw new IOException("full");
                },
                e -> e instanceof IllegalStateException))
        .isInstanceOf(IOException.class);
    assertThat(Thread.interrupted()).isFalse();
  }
}
