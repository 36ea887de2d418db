package io.kvstadium.server.http;

import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method of the modern protocol.
 *
 * @param template of its path; {@code {key}} takes the rest of the path
 * @param query the parameters that it knows
 */
record Endpoint(HttpMethod method, String template, List<String> query, Handler handler) {
  /** Starts executing a request; on the event loop. */
  interface Handler {
    /**
     * Starts executing a request.
     *
     * @param path the parameters of the path, decoded
     * @throws HttpException if the request is refused
     */
    void serve(Exchange exchange, List<byte[]> path, Query query);
  }

  /**
   * The parameters in a path, still encoded, or {@code null} if it is another endpoint's.
   *
   * @param path as requested
   */
  @Nullable List<String> match(String path) {
    String[] wanted = template.split("/", -1);
    String[] given = path.split("/", wanted.length);
    if (given.length != wanted.length) {
      return null;
    }
    List<String> parameters = new ArrayList<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].equals("{key}") || (wanted[i].startsWith("{") && !given[i].contains("/"))) {
        parameters.add(given[i]);
      } else if (!wanted[i].equals(given[i])) {
        return null;
      }
    }
    return parameters;
  }
}
