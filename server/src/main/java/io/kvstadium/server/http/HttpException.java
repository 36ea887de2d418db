package io.kvstadium.server.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.Serial;
import java.util.Map;

/** A mistake in a request, with the answer to it. */
public final class HttpException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final transient HttpResponseStatus status;
  private final transient Map<String, String> headers;

  public HttpException(HttpResponseStatus status, String sentence) {
    this(status, sentence, Map.of());
  }

  public HttpException(HttpResponseStatus status, String sentence, Map<String, String> headers) {
    super(sentence, null, false, false); // thrown and caught here: nobody reads the stack trace
    this.status = status;
    this.headers = headers;
  }

  public static HttpException badRequest(String sentence) {
    return new HttpException(HttpResponseStatus.BAD_REQUEST, sentence);
  }

  public HttpResponseStatus status() {
    return status;
  }

  /** Further headers of the answer. */
  Map<String, String> headers() {
    return headers;
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
