package io.kvstadium.torture.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void timeInWhichNothingRanDoesNotCount() {
    AtomicLong clock = new AtomicLong();
    Patience patience = new Patience(Duration.ofSeconds(1), clock::get);

    clock.addAndGet(TimeUnit.MINUTES.toNanos(1)); // the machine stood still
    assertThat(patience.isOver()).isFalse();

    int polls = 0;
    while (!patience.isOver()) {
      clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
      polls++;
    }
    assertThat(polls).isBetween(950, 1000);
  }
}
