package io.kvstadium.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Tells who started the process how far it is, as systemd asks for with {@code Type=notify}. */
final class ServiceManager {
  private ServiceManager() {}

  /**
   * Says that the server serves.
   *
   * @param socket what is in the environment variable NOTIFY_SOCKET
   * @return what went wrong, or {@code null}
   */
  static @Nullable Throwable ready(EventLoopGroup loops, String socket) {
    if (!Epoll.isAvailable()) {
      return Epoll.unavailabilityCause();
    }
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loops)
            .channel(EpollDomainDatagramChannel.class)
            .handler(new ChannelInboundHandlerAdapter());
    ChannelFuture connected =
        bootstrap.connect(new DomainSocketAddress(address(socket))).awaitUninterruptibly();
    if (!connected.isSuccess()) {
      return connected.cause();
    }
    Channel channel = connected.channel();
    ChannelFuture sent =
        channel
            .writeAndFlush(Unpooled.copiedBuffer("READY=1\n", StandardCharsets.US_ASCII))
            .awaitUninterruptibly();
    channel.close().awaitUninterruptibly();
    return sent.cause();
  }

  /** A name that is in no directory begins with {@code @} in the variable, and with 0 in Linux. */
  private static String address(String socket) {
    return socket.startsWith("@") ? "\0" + socket.substring(1) : socket;
  }
}
