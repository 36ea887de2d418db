package io.kvstadium.server.http;

import io.kvstadium.server.access.Users;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.OutputStream;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer, which is given once: by {@link #answer}, on any thread, or by {@link
 * #stream}. Everything else belongs to the event loop.
 */
public final class Exchange {
  /** Smaller replies are not counted: there is at most one for each connection. */
  private static final int LARGE = 64 << 10;

  // spelled as old clients expect: they may not ignore case
  private static final String CONTENT_TYPE = "Content-Type";
  private static final String CONTENT_LENGTH = "Content-Length";
  private static final String TRANSFER_ENCODING = "Transfer-Encoding";
  private static final String CONNECTION = "Connection";

  private final Http http;
  private final ChannelHandlerContext context;
  private final Request request;
  private final Users.@Nullable Known rights;
  private final Metrics.Route route;
  private final long started = System.nanoTime();
  private final Consumer<Boolean> over;
  private final Consumer<ScanReply> streams;
  private boolean persistent;

  /**
   * A request that waits for its answer.
   *
   * @param rights of the sender, {@code null} for none
   * @param over called on the event loop once the answer is written, with whether the connection
   *     stays
   * @param streams receives the answer if it is a scan
   */
  Exchange(
      Http http,
      ChannelHandlerContext context,
      Request request,
      Users.@Nullable Known rights,
      Metrics.Route route,
      Consumer<Boolean> over,
      Consumer<ScanReply> streams) {
    this.http = http;
    this.context = context;
    this.request = request;
    this.rights = rights;
    this.route = route;
    this.over = over;
    this.streams = streams;
  }

  public Request request() {
    return request;
  }

  ChannelHandlerContext context() {
    return context;
  }

  /**
   * Makes sure that the sender may do something.
   *
   * @param command of the Redis protocol that does the same
   * @throws HttpException if it may not
   */
  public void require(String command, @Nullable String table) {
    if (rights == null || !rights.allows(command, table)) {
      throw new HttpException(
          HttpResponseStatus.FORBIDDEN,
          "this user may not do that"
              + (table == null ? "" : " to table " + table)
              + ": it needs the right to "
              + command);
    }
  }

  /** What the sender may do. */
  public Users.Known rights() {
    if (rights == null) {
      throw new IllegalStateException("a request that nobody checked");
    }
    return rights;
  }

  /**
   * Begins an answer that a thread of its own writes, which waits while the client does not read.
   *
   * @return what is written to it; an exception of it means that the client is gone
   */
  public OutputStream write(HttpResponseStatus status, String type, Map<String, String> headers) {
    return new BodyStream(this, status, type, headers);
  }

  public void report(RuntimeException failure) {
    http.report(failure);
  }

  /** Gives the whole answer. */
  public void answer(Reply reply) {
    onLoop(() -> send(reply));
  }

  /**
   * Answers with a scan; on the event loop.
   *
   * @param failures what to answer if it fails before it has begun
   */
  public void stream(Scan scan, Function<RuntimeException, Reply> failures) {
    ScanReply reply = new ScanReply(http, this, scan, failures);
    streams.accept(reply);
    reply.start();
  }

  void onLoop(Runnable task) {
    if (context.executor().inEventLoop()) {
      task.run();
    } else {
      context.executor().execute(task);
    }
  }

  /** Writes the whole answer; on the event loop, like all below. */
  void send(Reply reply) {
    boolean headOnly = request.is(HttpMethod.HEAD);
    int large = headOnly || reply.body().readableBytes() < LARGE ? 0 : reply.body().readableBytes();
    if (large > 0 && !http.keep(large)) {
      abort(); // clients that do not read their replies hold all memory for replies
      return;
    }
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, reply.status(), headOnly ? Unpooled.EMPTY_BUFFER : reply.body());
    prepare(response, reply.type(), http.draining());
    reply.headers().forEach(response.headers()::set);
    if (!reply.status().equals(HttpResponseStatus.NO_CONTENT)) {
      response.headers().set(CONTENT_LENGTH, reply.body().readableBytes());
    } else {
      response.headers().remove(CONTENT_TYPE);
    }
    ChannelFuture written = context.write(response);
    if (large > 0) {
      written.addListener(_ -> http.forget(large));
    }
    end(reply.status(), false);
  }

  /**
   * Begins an answer that is written in parts.
   *
   * @param length -1 if it is not known: it is then sent in chunks, or up to the connection's end
   */
  void begin(HttpResponseStatus status, String type, Map<String, String> headers, long length) {
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
    headers.forEach(response.headers()::set);
    boolean chunks = length < 0 && request.chunks();
    prepare(response, type, http.draining() || (length < 0 && !chunks));
    if (chunks && !request.is(HttpMethod.HEAD)) { // the encoder would write an empty chunk
      response.headers().set(TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    } else if (length >= 0) {
      response.headers().set(CONTENT_LENGTH, length);
    }
    var _ = context.write(response);
  }

  private void prepare(HttpResponse response, String type, boolean closes) {
    persistent = request.persistent() && !closes;
    HttpHeaders headers = response.headers();
    headers.set(CONTENT_TYPE, type);
    headers.set("Date", http.date());
    if (!persistent) {
      headers.set(CONNECTION, HttpHeaderValues.CLOSE);
      // the close arrives with the last byte: old clients expect it at once
      var _ = context.channel().config().setOption(EpollChannelOption.TCP_CORK, true);
    } else if (!request.chunks()) { // an HTTP/1.0 client that asked for it
      headers.set(CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
  }

  ChannelFuture part(ByteBuf part) {
    return context.writeAndFlush(new DefaultHttpContent(part));
  }

  /** Everything is written. */
  void end(HttpResponseStatus status, boolean parts) {
    if (parts) {
      var _ = context.write(LastHttpContent.EMPTY_LAST_CONTENT);
    }
    route.answered(status.code(), System.nanoTime() - started);
    over.accept(persistent);
  }

  /** Gives up in the middle of an answer: the client must not take it for a complete one. */
  void abort() {
    ChannelFuture closed = context.close();
    route.answered(HttpResponseStatus.INTERNAL_SERVER_ERROR.code(), System.nanoTime() - started);
    closed.addListener(_ -> over.accept(false));
  }
}
