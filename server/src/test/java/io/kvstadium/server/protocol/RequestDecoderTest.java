package io.kvstadium.server.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {
  /** It is taken as it arrives: not copied again with each piece, nor allocated beforehand. */
  @Test
  void aLargeStringIsTakenInPieces() throws RequestDecoder.ProtocolException {
    int length = 20 << 20;
    byte[] string = new byte[length];
    new Random(1).nextBytes(string);
    RequestDecoder decoder =
        new RequestDecoder(new RequestDecoder.Limits(10, length), true, _ -> true);
    ByteBuf in = Unpooled.buffer();
    in.writeBytes(("*2\r\n$4\r\necho\r\n$" + length + "\r\n").getBytes(US_ASCII));
    assertThat(decoder.next(in)).isNull();

    int piece = 10_007;
    for (int sent = 0; sent < length; sent += piece) {
      in.clear().writeBytes(string, sent, Math.min(piece, length - sent));
      assertThat(decoder.next(in)).isNull();
      assertThat(in.isReadable()).isFalse();
    }
    in.clear().writeByte('\r');
    assertThat(decoder.next(in)).isNull();
    in.writeByte('\n');
    byte[][] request = decoder.next(in);

    assertThat(request).isNotNull();
    assertThat(request[1]).isEqualTo(string);
    assertThat(decoder.bytes()).isZero();
  }

  @Test
  void whatMayNotBeKeptIsReadToItsEndAndAnsweredInItsTurn()
      throws RequestDecoder.ProtocolException {
    String large = "x".repeat(1 << 20);
    String requests =
        "*1\r\n$4\r\nping\r\n"
            + "*4\r\n$4\r\nmset\r\n$1\r\na\r\n$1048576\r\n"
            + large
            + "\r\n$1\r\nb\r\n"
            + "*1\r\n$4\r\nquit\r\n";
    for (int piece : new int[] {requests.length(), 10_007, 7}) {
      RequestDecoder decoder =
          new RequestDecoder(new RequestDecoder.Limits(10, 2 << 20), true, _ -> false);
      List<String> got = new ArrayList<>();
      ByteBuf in = Unpooled.buffer();
      for (int at = 0; at < requests.length(); at += piece) {
        int end = Math.min(requests.length(), at + piece);
        in.discardReadBytes().writeBytes(requests.substring(at, end).getBytes(US_ASCII));
        for (byte[][] next = decoder.next(in); next != null; next = decoder.next(in)) {
          String refusal = decoder.refusal();
          got.add(refusal == null ? new String(next[0], US_ASCII) : refusal.substring(0, 4));
        }
        assertThat(decoder.bytes()).isZero();
      }
      assertThat(got).containsExactly("ping", "OOM ", "quit");
    }
  }
}
