package io.kvstadium.store.engine.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class OwnThreadTest {
  @Test
  void sectionRunsElsewhereAndThrowsWhatItThrows() throws IOException {
    IOException thrown = new IOException("no such file");
    try (OwnThread thread = new OwnThread("test")) {
      assertThat(thread.call(Thread::currentThread)).isNotSameAs(Thread.currentThread());
      assertThatThrownBy(() ->
              thread.run(() -> {
                throw thrown;
              }))
          .isSameAs(thrown);
      assertThatThrownBy(() ->
              thread.call(() -> {
                throw new AssertionError("broken");
              }))
          .isInstanceOf(AssertionError.class);
    }
  }
}
