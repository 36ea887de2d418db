package io.kvstadium.server;

import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.Probe;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.nio.charset.StandardCharsets;

/**
 * Answers those who watch the server, without passwords and encryption: {@code /live} says whether
 * it answers at all, {@code /ready} whether it can do its work, which it tries.
 */
final class HealthPort extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final int LONGEST = 8 << 10;
  private static final int PATIENCE_SECONDS = 10;

  private final Executor executor;

  private HealthPort(Executor executor) {
    this.executor = executor;
  }

  /** Serves a connection that was just accepted. */
  static void enter(Channel channel, Executor executor) {
    channel
        .pipeline()
        .addLast(new ReadTimeoutHandler(PATIENCE_SECONDS))
        .addLast(new HttpServerCodec())
        .addLast(new HttpObjectAggregator(LONGEST))
        .addLast(new HealthPort(executor));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    switch (request.uri()) {
      case "/live" -> answer(context, HttpResponseStatus.OK, "alive");
      case "/ready" ->
          Probe.attempt(
              executor,
              failure -> {
                if (failure == null) {
                  answer(context, HttpResponseStatus.OK, "ready");
                } else {
                  answer(
                      context,
                      HttpResponseStatus.SERVICE_UNAVAILABLE,
                      String.valueOf(failure.getMessage()));
                }
              });
      default -> answer(context, HttpResponseStatus.NOT_FOUND, "ask for /live or /ready");
    }
  }

  private static void answer(
      ChannelHandlerContext context, HttpResponseStatus status, String sentence) {
    ByteBuf body = Unpooled.copiedBuffer(sentence + "\n", StandardCharsets.UTF_8);
    var reply = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    reply
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CONNECTION, "close");
    var _ = context.writeAndFlush(reply).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    var _ = context.close(); // a client that sends no request in time, or nonsense
  }
}
