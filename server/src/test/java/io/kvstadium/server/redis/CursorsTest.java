package io.kvstadium.server.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CursorsTest {
  private final Cursors cursors = new Cursors();

  @Test
  void theOldestIsForgottenWhenKeysTakeTooMuch() {
    String first = cursors.at(new byte[1 << 20]);
    String second = cursors.at(new byte[1 << 20]);

    for (int i = 2; i <= 32; i++) {
      cursors.at(new byte[1 << 20]);
    }

    assertThat(cursors.position(bytes(second))).hasSize(1 << 20);
    assertThatThrownBy(() -> cursors.position(bytes(first))).hasMessage("ERR invalid cursor");
  }

  @Test
  void theLatestIsKeptHoweverLongItsKey() {
    String latest = cursors.at(new byte[40 << 20]);

    assertThat(cursors.position(bytes(latest))).hasSize(40 << 20);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
