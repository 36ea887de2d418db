package io.kvstadium.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private static final long MILLI = 1_000_000;

  private final List<Long> waits = new ArrayList<>();
  private long now = -5; // a clock may begin anywhere

  private RateLimiter limiter(long rate) {
    return new RateLimiter(
        rate,
        () -> now,
        nanos -> {
          waits.add(nanos);
          now += nanos;
        });
  }

  @Test
  void whatComesAtOnceTakesAsLongAsTheRateSays() {
    RateLimiter limiter = limiter(1_000_000);
    long begun = now;
    for (int i = 0; i < 1_000; i++) {
      limiter.passed(1_000);
    }

    assertThat(now - begun).isEqualTo(1_000 * MILLI);
    assertThat(waits).hasSize(200).containsOnly(5 * MILLI);
  }

  @Test
  void whatIsSlowByItselfIsNotHeldUp() {
    RateLimiter limiter = limiter(1_000_000);
    for (int i = 0; i < 100; i++) {
      now += 2 * MILLI;
      limiter.passed(1_000);
    }

    assertThat(waits).isEmpty();
  }

  @Test
  void aSlowTimeIsNotMadeUpFor() {
    RateLimiter limiter = limiter(1_000_000);
    limiter.passed(1_000);
    now += 10_000 * MILLI;
    limiter.passed(10_000);

    assertThat(waits).containsExactly(10 * MILLI);
  }

  @Test
  void withoutARateNothingWaits() {
    RateLimiter limiter = limiter(Long.MAX_VALUE);
    for (int i = 0; i < 1_000; i++) {
      limiter.passed(1 << 30);
    }

    assertThat(waits).isEmpty();
  }
}
