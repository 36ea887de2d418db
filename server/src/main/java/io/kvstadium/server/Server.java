package io.kvstadium.server;

import io.kvstadium.server.http.Http;
import io.kvstadium.server.http.HttpLimits;
import io.kvstadium.server.redis.Budget;
import io.kvstadium.server.redis.Connection;
import io.kvstadium.server.redis.ConnectionLimits;
import io.kvstadium.server.redis.Redis;
import io.kvstadium.server.round.Rounds;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that is being served. {@link #close} takes no more requests, answers those that have
 * arrived, and leaves the store open: it belongs to whoever opened it. Safe for all threads.
 */
public final class Server implements AutoCloseable {
  private final Rounds rounds;
  private final EventLoopGroup loops;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final CountDownLatch ending = new CountDownLatch(1);
  private @Nullable Redis redis;
  private @Nullable Channel redisChannel;
  private @Nullable Http http;
  private @Nullable Channel httpChannel;
  private boolean closed;

  /**
   * Starts to serve.
   *
   * @param log is told in a line what an operator should know
   * @throws StoreIoException if a port cannot be listened on
   */
  public static Server start(Store store, ServerOptions options, Consumer<String> log) {
    Server server = new Server(store, options);
    try {
      server.listen(options, log);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private Server(Store store, ServerOptions options) {
    rounds = new Rounds(store, options.readers(), InstantSource.system());
    IoHandlerFactory handlers =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    // One loop was faster than two on two cores; it only takes requests apart and sends replies.
    int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    loops = new MultiThreadIoEventLoopGroup(count, handlers);
  }

  private void listen(ServerOptions options, Consumer<String> log) {
    if (options.redisPort() >= 0) {
      Redis commands =
          new Redis(
              rounds,
              options.raw(),
              options.password(),
              new Budget(options.memory(), log),
              InstantSource.system(),
              failure -> report(log, failure),
              ending::countDown);
      redis = commands;
      redisChannel =
          bound(
              options.bind(),
              options.redisPort(),
              "--port",
              channel -> {
                connections.add(channel);
                channel
                    .pipeline()
                    .addLast(
                        new Connection(commands, channel.eventLoop(), ConnectionLimits.DEFAULT));
              });
    }
    if (options.httpPort() >= 0) {
      Redis watched = options.raw() ? redis : null;
      Http web =
          new Http(
              rounds,
              options.raw(),
              options.password(),
              HttpLimits.DEFAULT,
              (table, key) -> {
                if (watched != null) {
                  watched.touched(table, key);
                }
              },
              failure -> report(log, failure));
      http = web;
      httpChannel = bound(options.bind(), options.httpPort(), "--http-port", web::connect);
    }
  }

  private static void report(Consumer<String> log, RuntimeException failure) {
    log.accept(String.valueOf(failure.getMessage()));
  }

  private Channel bound(String address, int port, String option, Consumer<Channel> connected) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(
                Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, 511)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connected.accept(channel);
                  }
                });
    ChannelFuture future =
        bootstrap.bind(new InetSocketAddress(address, port)).awaitUninterruptibly();
    if (!future.isSuccess()) {
      throw new StoreIoException(
          "cannot listen on "
              + address
              + ":"
              + port
              + ": "
              + future.cause().getMessage()
              + "; give another "
              + option
              + ", or 0 for any that is free",
          future.cause());
    }
    return future.channel();
  }

  /** The port of the Redis protocol, or -1. */
  public int redisPort() {
    return port(redisChannel);
  }

  /** The port of HTTP, or -1. */
  public int httpPort() {
    return port(httpChannel);
  }

  private static int port(@Nullable Channel channel) {
    return channel == null ? -1 : ((InetSocketAddress) channel.localAddress()).getPort();
  }

  /** Asks for the end, as a client does; returns at once. */
  public void shutDown() {
    ending.countDown();
  }

  /** Waits until somebody asks for the end. */
  public void awaitShutdown() throws InterruptedException {
    ending.await();
  }

  /** Ends it; what was acknowledged is in the store. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (redisChannel != null) {
      redisChannel.close().awaitUninterruptibly();
    }
    if (httpChannel != null) {
      httpChannel.close().awaitUninterruptibly();
    }
    if (http != null) {
      http.drain(Duration.ofSeconds(5));
    }
    if (redis != null) {
      redis.close();
    }
    rounds.close(); // answers what was handed over
    connections.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
