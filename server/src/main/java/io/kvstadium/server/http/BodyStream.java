package io.kvstadium.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The body of an answer, written by a thread of its own: what fits into one part has a
 * Content-Length, more is sent in parts, each once the client has taken the one before.
 */
final class BodyStream extends OutputStream {
  private static final int PART = 32 << 10;
  private static final int PATIENCE_SECONDS = 60;

  private final Exchange exchange;
  private final HttpResponseStatus status;
  private final String type;
  private final Map<String, String> headers;
  private ByteBuf part = Unpooled.buffer(1 << 10);
  private boolean begun;
  private boolean lost;
  private boolean over;

  BodyStream(
      Exchange exchange, HttpResponseStatus status, String type, Map<String, String> headers) {
    this.exchange = exchange;
    this.status = status;
    this.type = type;
    this.headers = headers;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int at = 0; at < length; at += PART) {
      if (part.readableBytes() >= PART) {
        flush();
      }
      part.writeBytes(bytes, offset + at, Math.min(PART, length - at));
    }
  }

  @Override
  public void flush() throws IOException {
    if (over || !part.isReadable()) {
      return;
    }
    ByteBuf ready = part;
    part = Unpooled.buffer(PART);
    boolean first = !begun;
    begun = true;
    lost = true; // until it is written
    CompletableFuture<ChannelFuture> written = new CompletableFuture<>();
    exchange.onLoop(() -> {
      if (first) {
        exchange.begin(status, type, headers, -1);
      }
      exchange.part(ready).addListener(done -> written.complete((ChannelFuture) done));
    });
    try {
      if (!written.get(PATIENCE_SECONDS, TimeUnit.SECONDS).isSuccess()) {
        throw new IOException("the client is gone");
      }
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IOException("the client does not read", e);
    }
    lost = false;
  }

  @Override
  public void close() {
    if (over) {
      return;
    }
    over = true;
    if (lost) {
      exchange.onLoop(exchange::abort);
    } else if (begun) {
      exchange.onLoop(() -> {
        if (part.isReadable()) {
          var _ = exchange.part(part);
        }
        exchange.end(status, true);
      });
    } else {
      exchange.answer(new Reply(status, type, part, headers));
    }
  }
}
