package io.kvstadium.store.engine.help;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryTest {
  private static final Duration PATIENCE = Duration.ofMillis(20);

  private static void pass() {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin <= PATIENCE.toNanos()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void theTimeBeginsWithTheFirstLoss() {
    Retry retry = new Retry(PATIENCE);
    pass(); // in a queue, say

    assertThat(retry.again()).isTrue();
    pass();
    assertThat(retry.again()).isFalse();
    assertThat(retry.attempts()).isEqualTo(2);
  }

  @Test
  void withoutPatienceThereIsOneAttempt() {
    assertThat(new Retry(Duration.ZERO).again()).isFalse();
  }
}
