package io.kvstadium.server.http;

import io.kvstadium.server.http.v1.Query;
import io.kvstadium.server.http.v1.RangeQuery;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Bytes of a connection to the HTTP port, and the bodies and parameters of its requests. */
public final class HttpFuzz {
  private static final List<Consumer<byte[]>> PARSERS =
      List.of(
          HttpFuzz::connection, bytes -> RangeQuery.of(new Query(bytes, RangeQuery.PARAMETERS)));

  private HttpFuzz() {}

  /** One input; the first byte chooses what it is. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    try {
      PARSERS
          .get((input[0] & 0xff) % PARSERS.size())
          .accept(Arrays.copyOfRange(input, 1, input.length));
    } catch (HttpException e) {
      // reported
    }
  }

  /** What is wrong is reported with the request, not thrown. */
  private static void connection(byte[] bytes) {
    EmbeddedChannel channel = new EmbeddedChannel(new TargetDecoder(HttpLimits.DEFAULT));
    channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    channel.finish();
    for (Object each = channel.readInbound(); each != null; each = channel.readInbound()) {
      ReferenceCountUtil.release(each);
    }
  }
}
