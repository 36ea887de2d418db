package io.kvstadium.server.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CursorsTest {
  private final Cursors cursors = new Cursors();

  private static byte @Nullable [] nothing(Predicate<byte[]> fits) {
    return null;
  }

  @Test
  void theOldestNamesAreForgottenWhenTheyTakeTooMuchAndAreSearchedFor() {
    byte[] oldest = new byte[1_000];
    String first = cursors.at(oldest);
    String second = cursors.at(new byte[1 << 20]);

    for (int i = 1; i <= 31; i++) {
      cursors.at(new byte[(1 << 20) - i]);
    }

    assertThat(cursors.position(bytes(second), CursorsTest::nothing)).hasSize(1 << 20);
    assertThat(cursors.position(bytes(first), CursorsTest::nothing)).isNull();
    assertThat(cursors.position(bytes(first), fits -> fits.test(oldest) ? oldest : null))
        .isEqualTo(oldest);
  }

  @Test
  void theLatestIsKeptHoweverLongItsName() {
    String latest = cursors.at(new byte[40 << 20]);

    assertThat(cursors.position(bytes(latest), CursorsTest::nothing)).hasSize(40 << 20);
  }

  /** Some clients keep a cursor as a floating-point number. */
  @Test
  void itHasAtMost53Bits() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(Long.parseLong(cursors.at(Numbers.bytes(i)))).isBetween(1L, 1L << 53);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
