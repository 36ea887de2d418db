package io.kvstadium.server.http;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.UnsupportedException;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;

/** Failures as in RFC 9457, with a sentence and a fitting status. */
public final class Problems {
  private static final String TYPE = "application/problem+json";

  private Problems() {}

  public static Reply reply(RuntimeException failure) {
    return failure instanceof HttpException known
        ? reply(known.status(), known.sentence(), known.headers())
        : reply(status(failure), String.valueOf(failure.getMessage()), Map.of());
  }

  private static HttpResponseStatus status(RuntimeException failure) {
    return switch (failure) {
      case BadArgumentException _ -> HttpResponseStatus.BAD_REQUEST;
      case UnsupportedException _ -> HttpResponseStatus.NOT_IMPLEMENTED;
      case FullException _ -> HttpResponseStatus.INSUFFICIENT_STORAGE;
      case ClosedException _, LockedException _ -> HttpResponseStatus.SERVICE_UNAVAILABLE;
      default -> HttpResponseStatus.INTERNAL_SERVER_ERROR;
    };
  }

  private static Reply reply(
      HttpResponseStatus status, String sentence, Map<String, String> headers) {
    byte[] body =
        Json.bytes(json -> {
          json.writeStartObject();
          json.writeStringField("type", "about:blank");
          json.writeStringField("title", status.reasonPhrase());
          json.writeNumberField("status", status.code());
          json.writeStringField("detail", sentence);
          json.writeEndObject();
        });
    return new Reply(status, TYPE, Unpooled.wrappedBuffer(body), headers);
  }
}
