package io.kvstadium.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.transfer.redis.Decimal;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CursorsTest {
  private final Cursors cursors = new Cursors();

  /** With any other number a scan begins again: looking for its name would read all names. */
  @Test
  void theOldestNamesAreForgottenWhenTheyTakeTooMuch() {
    String first = cursors.at(new byte[1_000]);
    String second = cursors.at(new byte[1 << 20]);

    for (int i = 1; i <= 31; i++) {
      cursors.at(new byte[(1 << 20) - i]);
    }

    assertThat(cursors.position(bytes(second))).hasSize(1 << 20);
    assertThat(cursors.position(bytes(first))).isNull();
  }

  @Test
  void theLatestIsKeptHoweverLongItsName() {
    String latest = cursors.at(new byte[40 << 20]);

    assertThat(cursors.position(bytes(latest))).hasSize(40 << 20);
  }

  /** Some clients keep a cursor as a floating-point number. */
  @Test
  void itHasAtMost53Bits() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(Long.parseLong(cursors.at(Decimal.bytes(i)))).isBetween(1L, 1L << 53);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
