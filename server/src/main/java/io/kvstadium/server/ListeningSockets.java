package io.kvstadium.server;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The sockets on which a server listens. Belongs to the thread that starts and ends the server. */
final class ListeningSockets {
  private final EventLoopGroup loops;
  private final List<Channel> channels = new ArrayList<>();

  ListeningSockets(EventLoopGroup loops) {
    this.loops = loops;
  }

  /** Whether only this machine can connect to an address. */
  static boolean isLoopback(String bind) {
    try {
      return InetAddress.getByName(bind).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new BadArgumentException(
          "bind = \"" + bind + "\": there is no such address; give one of this machine's", e);
    }
  }

  /**
   * Listens on a port; returns its number.
   *
   * @param port 0 for any that is free
   * @param option which sets it, for the message
   * @param connected receives each connection
   * @throws StoreIoException if that is not possible
   */
  int listen(String bind, int port, String option, Consumer<Channel> connected) {
    Channel channel = open(new InetSocketAddress(bind, port), option, connected);
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  /** Listens on a socket of the file system, which those may use whom a mode allows it. */
  void listen(Path socket, int mode, Consumer<Channel> connected) {
    open(address(socket), "unix_socket", connected);
    allow(socket, mode);
  }

  private static DomainSocketAddress address(Path socket) {
    if (!Epoll.isAvailable()) {
      throw new BadArgumentException(
          "unix_socket needs Linux on x86-64 or ARM64: leave it out, and use --port");
    }
    try {
      Files.deleteIfExists(socket); // left by a killed server: nobody can be listening on it
    } catch (IOException e) {
      throw new StoreIoException("cannot replace " + socket + ": " + e.getMessage(), e);
    }
    return new DomainSocketAddress(socket.toString());
  }

  private static void allow(Path socket, int mode) {
    StringBuilder allowed = new StringBuilder("rwxrwxrwx");
    for (int i = 0; i < allowed.length(); i++) {
      if ((mode & (0400 >> i)) == 0) {
        allowed.setCharAt(i, '-');
      }
    }
    try {
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString(allowed.toString()));
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot set who may use " + socket + " (unix_socket_mode): " + e.getMessage(), e);
    }
  }

  private Channel open(SocketAddress address, String option, Consumer<Channel> connected) {
    boolean unix = address instanceof DomainSocketAddress;
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(
                unix
                    ? EpollServerDomainSocketChannel.class
                    : Epoll.isAvailable()
                        ? EpollServerSocketChannel.class
                        : NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, 511)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connected.accept(channel);
                  }
                });
    if (!unix) {
      bootstrap
          .option(ChannelOption.SO_REUSEADDR, true)
          .childOption(ChannelOption.TCP_NODELAY, true);
    }
    ChannelFuture future = bootstrap.bind(address).awaitUninterruptibly();
    if (!future.isSuccess()) {
      throw new StoreIoException(
          "cannot listen on "
              + address.toString().replaceFirst("^[^/]*/(?=.*:)", "")
              + ": "
              + future.cause().getMessage()
              + "; give another "
              + option
              + (unix ? "" : ", or 0 for any that is free"),
          future.cause());
    }
    channels.add(future.channel());
    return future.channel();
  }

  /** Takes no more connections. */
  void close() {
    channels.forEach(channel -> channel.close().awaitUninterruptibly());
  }
}
