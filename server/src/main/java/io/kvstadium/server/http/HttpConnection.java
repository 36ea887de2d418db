package io.kvstadium.server.http;

import io.kvstadium.server.access.Users;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection, which handles its requests one after the other, in order. It continues reading only
 * when it has nothing left to do and the client takes its answers. So a client can make it keep no
 * more than one body and the result of one read. Belongs to the event loop.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  /** This many bytes of a body within {@link HttpLimits#idle} count as progress. */
  private static final int PROGRESS = 1 << 10;

  private static final int LINGER_SECONDS = 5;
  private static final byte[] NONE = {};

  private final Http http;
  private final Deque<HttpObject> arrived = new ArrayDeque<>();
  private @Nullable HttpRequest head;
  private @Nullable ByteBuf body;
  private Users.@Nullable Known rights;
  private int kept;
  private @Nullable Exchange exchange;
  private @Nullable ScanReply scan;
  private boolean pumping;
  private boolean refused;
  private boolean closing;
  private boolean inputEnded;
  private @Nullable Future<?> watch;
  private int progress;
  private long written;

  HttpConnection(Http http) {
    this.http = http;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    long idle = http.limits().idle().toMillis();
    watch =
        context
            .executor()
            .scheduleWithFixedDelay(() -> watch(context), idle, idle, TimeUnit.MILLISECONDS);
    context.read();
  }

  /** Cuts off a client that made no progress since the last call. */
  private void watch(ChannelHandlerContext context) {
    ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
    long left = out == null ? 0 : out.totalPendingWriteBytes() + out.currentProgress();
    boolean executing = exchange != null && (scan == null || !scan.waits());
    if (!executing && progress < PROGRESS && left == written) {
      close(context);
    }
    written = left;
    progress = 0;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    closing = true;
    if (watch != null) {
      watch.cancel(false);
    }
    drop();
    arrived.forEach(ReferenceCountUtil::release);
    arrived.clear();
    if (scan != null) {
      scan.resume();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == Http.Event.DRAIN) {
      if (exchange == null && head == null && arrived.isEmpty()) {
        close(context);
      }
    } else if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true; // it may still wait for answers
      pump(context);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused || closing) {
      ReferenceCountUtil.release(message);
    } else {
      arrived.add((HttpObject) message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    pump(context);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (scan != null) {
      scan.resume();
    }
    pump(context);
  }

  /** Does what can be done. */
  private void pump(ChannelHandlerContext context) {
    if (pumping) {
      return;
    }
    pumping = true;
    while (exchange == null && !closing && !arrived.isEmpty() && context.channel().isWritable()) {
      take(context, arrived.remove());
    }
    pumping = false;
    context.flush();
    if (inputEnded) {
      if (exchange == null && (arrived.isEmpty() || refused)) {
        closing = true;
        context.writeAndFlush(context.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
      }
    } else if (refused || (exchange == null && !closing && context.channel().isWritable())) {
      context.read();
    }
  }

  private void take(ChannelHandlerContext context, HttpObject next) {
    try {
      if (next.decoderResult().isFailure()) {
        throw malformed(next.decoderResult());
      }
      if (next instanceof HttpRequest request) {
        begin(context, request);
      }
      if (next instanceof HttpContent content && head != null) {
        append(context, content.content());
        if (next instanceof LastHttpContent) {
          serve(context, head);
        }
      }
    } catch (HttpException e) {
      refuse(context, e);
    } finally {
      ReferenceCountUtil.release(next);
    }
  }

  private static HttpException malformed(DecoderResult result) {
    Throwable cause = result.cause();
    if (cause instanceof TooLongHttpLineException) {
      return new HttpException(
          HttpResponseStatus.REQUEST_URI_TOO_LONG, "the request's first line is too long");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return new HttpException(
          HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too long");
    }
    return HttpException.badRequest("this is not an HTTP request: " + cause.getMessage());
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    if (request.protocolVersion().majorVersion() != 1) {
      throw new HttpException(
          HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "this server speaks HTTP/1.1");
    }
    rights = http.guard().check(request.headers(), context.channel());
    long length = HttpUtil.getContentLength(request, 0L);
    if (length > http.limits().body()) {
      throw tooLarge();
    }
    head = request;
    if (HttpUtil.is100ContinueExpected(request)) {
      var _ =
          context.writeAndFlush(
              new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
  }

  private HttpException tooLarge() {
    return new HttpException(
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "the body is larger than %d bytes".formatted(http.limits().body()));
  }

  private void append(ChannelHandlerContext context, ByteBuf content) {
    int bytes = content.readableBytes();
    if (bytes == 0) {
      return;
    }
    if ((long) kept + bytes > http.limits().body()) {
      throw tooLarge();
    }
    if (!http.keep(bytes)) {
      throw new HttpException(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "other requests' bodies take all the memory for bodies: try again");
    }
    kept += bytes;
    progress += bytes;
    if (body == null) {
      body = context.alloc().buffer(bytes);
    }
    body.writeBytes(content);
  }

  private void serve(ChannelHandlerContext context, HttpRequest whole) {
    byte[] bytes = NONE;
    if (body != null) {
      bytes = new byte[body.readableBytes()];
      body.readBytes(bytes);
    }
    int storedValue = kept;
    kept = 0;
    drop();
    progress = PROGRESS;
    Request request = Request.of(whole, bytes);
    Route route = http.route(request);
    Exchange begun =
        new Exchange(
            http,
            context,
            request,
            rights,
            http.metrics().route(route.name()),
            persistent -> {
              http.forget(storedValue);
              answered(context, persistent);
            },
            reply -> scan = reply);
    exchange = begun;
    route.handler().accept(begun);
  }

  private void drop() {
    head = null;
    http.forget(kept);
    kept = 0;
    if (body != null) {
      body.release();
      body = null;
    }
  }

  private void answered(ChannelHandlerContext context, boolean persistent) {
    exchange = null;
    scan = null;
    progress = PROGRESS;
    if (persistent && !(http.draining() && arrived.isEmpty())) {
      pump(context);
    } else {
      closing = true;
      context.writeAndFlush(context.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Answers input that cannot be parsed any further, and reads no more. */
  private void refuse(ChannelHandlerContext context, HttpException failure) {
    drop();
    refused = true;
    arrived.forEach(ReferenceCountUtil::release);
    arrived.clear();
    HttpRequest unread = new DefaultHttpRequest(HttpVersion.HTTP_1_0, HttpMethod.POST, "/");
    new Exchange(
            http,
            context,
            Request.of(unread, NONE),
            null,
            http.metrics().route(Metrics.OTHER),
            _ -> linger(context),
            _ -> {})
        .send(Http.refusal(failure));
  }

  /**
   * Ends the output, and reads and discards input for a while: a close with unread bytes would
   * reset the connection, and the client would not see the answer.
   */
  private void linger(ChannelHandlerContext context) {
    context
        .writeAndFlush(context.alloc().buffer(0))
        .addListener(_ -> {
          if (context.channel() instanceof DuplexChannel both && both.isActive()) {
            var _ = both.shutdownOutput();
            var _ =
                context.executor().schedule(() -> close(context), LINGER_SECONDS, TimeUnit.SECONDS);
          } else {
            close(context);
          }
        });
  }

  private static void close(ChannelHandlerContext context) {
    var _ = context.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // the other side is gone, or does not speak proper TLS: nothing to report
    if (!(cause instanceof IOException) && !(cause.getCause() instanceof IOException)) {
      http.report(
          new IllegalStateException(
              "the connection of " + context.channel().remoteAddress() + " failed: " + cause,
              cause));
    }
    close(context);
  }
}
