package io.kvstadium.server;

import io.kvstadium.server.redis.Connection;
import io.kvstadium.server.redis.ConnectionLimits;
import io.kvstadium.server.redis.Redis;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lets clients of the Redis protocol in, or says why not. */
final class Doorway {
  private static final String FULL = "-ERR max number of clients reached\r\n";

  private static final String PROTECTED =
      "-DENIED the server has no password, and is therefore open to its own machine only: set a"
          + " password, or let it listen on loopback\r\n";

  private static final String FORBIDDEN =
      "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

  private final Redis redis;
  private final ChannelGroup connections;
  private final ServerOptions.Limits limits;
  private final boolean open;

  Doorway(ServerOptions options, Redis redis, ChannelGroup connections) {
    this.redis = redis;
    this.connections = connections;
    this.limits = options.limits();
    this.open = options.security().password() != null;
  }

  /**
   * A client has connected.
   *
   * @param tls {@code null} without encryption
   */
  void enter(Channel channel, @Nullable SslContext tls) {
    if (tls != null) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
    }
    if (connections.size() >= limits.connections()) {
      redis.statistics().rejectedOne();
      channel.pipeline().addLast(new Refusal(FULL));
    } else if (!open && isForeign(channel)) {
      redis.statistics().rejectedOne();
      channel.pipeline().addLast(new Refusal(PROTECTED));
    } else {
      connections.add(channel);
      if (!limits.idle().isZero()) {
        channel
            .pipeline()
            .addLast(new IdleStateHandler(limits.idle().toMillis(), 0, 0, TimeUnit.MILLISECONDS));
      }
      ConnectionLimits own =
          new ConnectionLimits(
              limits.words(),
              limits.wordBytes(),
              (int) Math.min(limits.memory(), Integer.MAX_VALUE / 2));
      channel.pipeline().addLast(new Connection(redis, channel.eventLoop(), own));
    }
  }

  /**
   * An HTTP client has connected.
   *
   * @param enter lets it in
   */
  static void enterByHttp(
      Channel channel, ServerOptions.Security security, @Nullable SslContext tls, Runnable enter) {
    if (tls != null) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
    }
    if (security.password() == null && isForeign(channel)) {
      channel.pipeline().addLast(new Refusal(FORBIDDEN));
    } else {
      enter.run();
    }
  }

  private static boolean isForeign(Channel channel) {
    if (channel.remoteAddress() instanceof InetSocketAddress remote) {
      InetAddress address = remote.getAddress();
      return !address.isLoopbackAddress();
    }
    return false; // a socket of this machine
  }

  /** Says why, and ends the connection. */
  private static final class Refusal extends ChannelInboundHandlerAdapter {
    private final String reason;

    Refusal(String reason) {
      this.reason = reason;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      var _ =
          context
              .writeAndFlush(Unpooled.copiedBuffer(reason, StandardCharsets.US_ASCII))
              .addListener(ChannelFutureListener.CLOSE);
    }
  }
}
