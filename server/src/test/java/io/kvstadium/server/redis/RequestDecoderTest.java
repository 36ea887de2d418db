package io.kvstadium.server.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {
  /** It is taken as it arrives: not copied again with each piece, nor allocated beforehand. */
  @Test
  void aLargeStringIsTakenInPieces() throws RequestDecoder.ProtocolException {
    int length = 20 << 20;
    byte[] string = new byte[length];
    new Random(1).nextBytes(string);
    RequestDecoder decoder = new RequestDecoder(new RequestDecoder.Limits(10, length), true);
    ByteBuf in = Unpooled.buffer();
    in.writeBytes(("*2\r\n$4\r\necho\r\n$" + length + "\r\n").getBytes(US_ASCII));
    assertThat(decoder.next(in)).isNull();

    int piece = 10_007;
    for (int sent = 0; sent < length; sent += piece) {
      in.clear().writeBytes(string, sent, Math.min(piece, length - sent));
      assertThat(decoder.next(in)).isNull();
      assertThat(in.isReadable()).isFalse();
      assertThat(decoder.held()).isLessThanOrEqualTo(Math.max(64 << 10, 4 * (sent + piece)));
    }
    in.clear().writeByte('\r');
    assertThat(decoder.next(in)).isNull();
    in.writeByte('\n');
    byte[][] request = decoder.next(in);

    assertThat(request).isNotNull();
    assertThat(request[1]).isEqualTo(string);
    assertThat(decoder.held()).isZero();
  }
}
