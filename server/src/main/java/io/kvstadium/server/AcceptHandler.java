package io.kvstadium.server;

import io.kvstadium.server.access.Users;
import io.kvstadium.server.http.Http;
import io.kvstadium.server.log.Log;
import io.kvstadium.server.session.Connection;
import io.kvstadium.server.session.ConnectionLimits;
import io.kvstadium.server.session.LingeringClose;
import io.kvstadium.server.session.Sessions;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Lets clients in, or says why not. A client that has connected stays under the limits of that
 * moment. Safe for all threads.
 */
final class AcceptHandler {
  private static final String FULL = "-ERR max number of clients reached\r\n";

  private static final String PROTECTED =
      "-DENIED the server has no password, and is therefore open to its own machine only: set a"
          + " password, or let it listen on loopback\r\n";

  private static final String FORBIDDEN =
      "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

  private static final String WITHOUT_PASSWORD =
      "it is on another machine, and the server has no password";

  /** Refusals are logged at most this often, so that a flood of clients does not fill the disk. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Users users;
  private final Log log;
  private final ChannelGroup connections;
  private volatile ServerOptions.Limits limits;
  private volatile @Nullable SslContext tls;
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong nextLine = new AtomicLong(System.nanoTime());

  /**
   * Where connections arrive.
   *
   * @param tls {@code null} without encryption
   * @param connections of the Redis protocol
   */
  AcceptHandler(
      ServerOptions.Limits limits,
      @Nullable SslContext tls,
      Users users,
      Log log,
      ChannelGroup connections) {
    this.limits = limits;
    this.tls = tls;
    this.users = users;
    this.log = log;
    this.connections = connections;
  }

  ServerOptions.Limits limits() {
    return limits;
  }

  /** Sets the limits of clients that will connect. */
  void limits(ServerOptions.Limits changed) {
    limits = changed;
  }

  /** Sets the encryption of connections to come. */
  void tls(@Nullable SslContext changed) {
    tls = changed;
  }

  /** A client of the Redis protocol has connected to a port. */
  void enter(Channel channel, Sessions sessions) {
    encrypt(channel);
    enterPlain(channel, sessions);
  }

  /** A client of the Redis protocol has connected, and is not encrypted. */
  void enterPlain(Channel channel, Sessions sessions) {
    ServerOptions.Limits own = limits;
    if (connections.size() >= own.connections()) {
      sessions.rejectedOne();
      refuse(channel, FULL, own.connections() + " clients are connected (limits.connections)");
    } else if (users.isOpen() && isForeign(channel)) {
      sessions.rejectedOne();
      refuse(channel, PROTECTED, WITHOUT_PASSWORD);
    } else {
      connections.add(channel);
      if (!own.idle().isZero()) {
        channel
            .pipeline()
            .addLast(new IdleStateHandler(own.idle().toMillis(), 0, 0, TimeUnit.MILLISECONDS));
      }
      ConnectionLimits its =
          new ConnectionLimits(
              own.maxArguments(),
              own.maxArgumentBytes(),
              (int) Math.min(own.memory(), Integer.MAX_VALUE / 2));
      channel.pipeline().addLast(new Connection(sessions, channel.eventLoop(), its));
    }
  }

  /** An HTTP client has connected. */
  void enter(Channel channel, Http http) {
    encrypt(channel);
    if (users.isOpen() && isForeign(channel)) {
      refuse(channel, FORBIDDEN, WITHOUT_PASSWORD);
    } else if (!http.connect(channel)) {
      refused(channel, limits.connections() + " HTTP clients are connected (limits.connections)");
    }
  }

  private void encrypt(Channel channel) {
    SslContext current = tls;
    if (current != null) {
      channel.pipeline().addLast(current.newHandler(channel.alloc())).addLast(new TlsFailures());
    }
  }

  private void refuse(Channel channel, String answer, String why) {
    channel.pipeline().addLast(new Refusal(answer));
    refused(channel, why);
  }

  private void refused(Channel channel, String why) {
    long count = refused.incrementAndGet();
    long now = System.nanoTime();
    long due = nextLine.get();
    if (now - due >= 0 && nextLine.compareAndSet(due, now + QUIET_NANOS)) {
      refused.addAndGet(-count);
      String more = count > 1 ? ", and " + (count - 1) + " more before it" : "";
      log.event(
          "refused",
          "refused client " + Connection.address(channel) + more + ": " + why,
          "address",
          Connection.address(channel),
          "count",
          count);
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
      LingeringClose.after(context, Unpooled.copiedBuffer(reason, StandardCharsets.US_ASCII));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
    }
  }

  /** Logs who does not speak proper TLS, without what was sent: it may be a password. */
  private final class TlsFailures extends ChannelInboundHandlerAdapter {
    /** The innermost reason: those around it say that there is one. */
    private static String reason(SSLException failure) {
      String reason = String.valueOf(failure.getMessage());
      for (Throwable each = failure.getCause(); each != null; each = each.getCause()) {
        reason = each.getMessage() == null ? reason : each.getMessage();
      }
      return reason;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (cause instanceof DecoderException && cause.getCause() instanceof SSLException failure) {
        String why = reason(failure).replaceFirst("record: \\p{XDigit}+$", "record");
        log.event(
            "tls-failed",
            "client " + Connection.address(context.channel()) + " did not get in by TLS: " + why,
            "address",
            Connection.address(context.channel()));
        var _ = context.close();
      } else {
        var _ = context.fireExceptionCaught(cause);
      }
    }
  }
}
