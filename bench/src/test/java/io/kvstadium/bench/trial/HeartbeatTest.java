package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.trial.Heartbeat.Signs;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final long SECOND = 1_000_000_000;

  private final Heartbeat heartbeat = new Heartbeat();

  private boolean works(double seconds, double cpuSeconds, long bytes, boolean waits) {
    return heartbeat.works(
        new Signs((long) (seconds * SECOND), (long) (cpuSeconds * SECOND), bytes, waits));
  }

  @Test
  void whoUsesTheProcessorWorks() {
    assertThat(works(1, 5, 0, false)).isFalse();
    assertThat(works(2, 5.9, 0, false)).isTrue();
    assertThat(works(3, 5.95, 0, false)).isTrue();
  }

  @Test
  void whoOnlyLooksAroundDoesNot() {
    assertThat(works(1, 5, 0, false)).isFalse();
    assertThat(works(2, 5.01, 4_096, false)).isFalse();
    assertThat(works(12, 5.1, 100_000, false)).isFalse();
  }

  @Test
  void whoMovesBytesWorks() {
    assertThat(works(1, 5, 0, false)).isFalse();
    assertThat(works(2, 5, 1 << 20, false)).isTrue();
    assertThat(works(3, 5, 1 << 20, false)).isFalse();
  }

  @Test
  void whoWaitsForTheDiskWorks() {
    assertThat(works(1, 5, 0, true)).isFalse();
    assertThat(works(2, 5, 0, true)).isTrue();
    assertThat(works(3, 5, 0, false)).isFalse();
  }

  @Test
  void whatWasSeenBeforeAProgressDoesNotCount() {
    assertThat(works(1, 5, 0, false)).isFalse();
    heartbeat.forget();
    assertThat(works(60, 50, 1 << 30, false)).isFalse();
    assertThat(works(61, 50, 1 << 30, false)).isFalse();
  }

  @Test
  void thisProcessCanBeLookedAt() {
    Signs one = Signs.now();
    Signs two = Signs.now();

    assertThat(two.nanos()).isGreaterThan(one.nanos());
    assertThat(one.cpuNanos()).isPositive();
    assertThat(two.cpuNanos()).isGreaterThanOrEqualTo(one.cpuNanos());
    assertThat(two.deviceBytes()).isGreaterThanOrEqualTo(one.deviceBytes());
  }
}
