package io.kvstadium.server.http.v1;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.http.Problems;
import io.kvstadium.server.http.Request;
import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method of the modern protocol.
 *
 * @param template of its path; {@code {key}} takes the rest of the path
 * @param right the Redis command that does the same, whose right it needs; {@code null} if it
 *     checks rights itself
 * @param query the parameters that it knows
 */
public record Endpoint(
    HttpMethod method,
    String template,
    @Nullable String right,
    List<String> query,
    Handler handler) {
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

  /** Its name in the metrics. */
  String name() {
    return method + " " + template;
  }

  /** Whether it answers the method of a request to its path. */
  boolean answers(Request request) {
    return request.is(method) || (request.is(HttpMethod.HEAD) && method.equals(HttpMethod.GET));
  }

  /** Starts executing a request, whose parameters in the path are still encoded. */
  void serve(Exchange exchange, List<String> parameters) {
    try {
      List<byte[]> path = parameters.stream().map(Query::decode).toList();
      if (right != null) {
        boolean ofTable = template.contains("{table}");
        exchange.require(right, ofTable ? new String(path.getFirst(), UTF_8) : null);
      }
      handler.serve(exchange, path, new Query(exchange.request().query(), query));
    } catch (HttpException e) {
      exchange.answer(Problems.reply(e));
    }
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
