package io.kvstadium.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.codec.Codec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyTextTest {
  /** A hot key stood there as 0x7430303030000031. */
  @Test
  void aTupleOfColumnsIsItsComponents() {
    byte[] key = Codec.tuple(List.of(Codec.STRING, Codec.STRING)).encode(List.of("t0000", "17"));

    assertThat(KeyText.of(key)).isEqualTo("t0000,17");
  }

  @Test
  void textIsText() {
    assertThat(KeyText.of("Straße 1".getBytes(StandardCharsets.UTF_8))).isEqualTo("Straße 1");
  }

  @Test
  void whatIsNeitherIsNotGuessed() {
    assertThat(KeyText.of(new byte[] {(byte) 0xff, 0, 3})).isNull();
    assertThat(KeyText.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 1})).isNull();
    assertThat(KeyText.of(new byte[0])).isNull();
  }
}
