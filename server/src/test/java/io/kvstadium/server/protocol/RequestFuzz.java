package io.kvstadium.server.protocol;

import io.kvstadium.server.protocol.RequestDecoder.Limits;
import io.kvstadium.server.protocol.RequestDecoder.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of a Redis connection: in whatever pieces they arrive, they are the same requests, within
 * the limits, or the same error.
 */
public final class RequestFuzz {
  private static final Limits LIMITS = new Limits(16, 1_024);

  private RequestFuzz() {}

  /** One input; the first byte says how long the pieces are. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    List<String> whole = requests(input, input.length);
    List<String> pieces = requests(input, 1 + (input[0] & 0xff));
    if (!whole.equals(pieces)) {
      throw new AssertionError("at once " + whole + ", and in pieces " + pieces);
    }
  }

  private static List<String> requests(byte[] input, int piece) {
    RequestDecoder decoder = new RequestDecoder(LIMITS, true, _ -> true);
    List<String> requests = new ArrayList<>();
    ByteBuf in = Unpooled.buffer(input.length);
    try {
      for (int at = 1; at < input.length; at += piece) {
        in.writeBytes(input, at, Math.min(piece, input.length - at));
        for (byte[][] next = decoder.next(in); next != null; next = decoder.next(in)) {
          requests.add(text(next));
        }
      }
    } catch (ProtocolException e) {
      requests.add(e.text());
    }
    return requests;
  }

  private static String text(byte[][] request) {
    StringBuilder text = new StringBuilder();
    for (byte[] word : request) {
      text.append(word.length).append(':').append(Bytes.text(word)).append(' ');
    }
    return text.toString();
  }
}
