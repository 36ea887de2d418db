package io.kvstadium.server.http;

import io.kvstadium.server.backup.KeptBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.Prometheus;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The modern protocol: finds the requested endpoint. */
final class Version1 {
  private final List<Endpoint> endpoints = new ArrayList<>();

  Version1(
      Executor executor,
      Tables tables,
      KeptBackups backups,
      HttpLimits limits,
      Prometheus prometheus,
      BiConsumer<String, byte[]> written) {
    byte[] description = description();
    get("/v1/openapi.json", "ping", (exchange, _, _) -> exchange.answer(json(description)));
    get(
        "/v1/metrics",
        "kv.stats",
        (exchange, _, _) ->
            new HttpTask(exchange, Problems::reply, null, _ -> text(prometheus.text()))
                .read(executor, false));
    endpoints.addAll(new StoreEndpoints(executor, tables).endpoints());
    endpoints.addAll(new BackupEndpoints(executor, backups).endpoints());
    endpoints.addAll(new EntryEndpoints(executor, tables, written).endpoints());
    endpoints.addAll(new ManyEndpoints(executor, tables, limits, written).endpoints());
  }

  private void get(String path, String right, Endpoint.Handler handler) {
    endpoints.add(new Endpoint(HttpMethod.GET, path, right, List.of(), handler));
  }

  private static Reply text(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Reply(
        HttpResponseStatus.OK, Prometheus.TYPE, Unpooled.wrappedBuffer(bytes), Map.of());
  }

  private static Reply json(byte[] body) {
    return new Reply(HttpResponseStatus.OK, Json.TYPE, Unpooled.wrappedBuffer(body), Map.of());
  }

  private static byte[] description() {
    try (InputStream in =
        Objects.requireNonNull(Version1.class.getResourceAsStream("openapi.json"))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the routes, for the metrics. */
  List<String> routes() {
    return endpoints.stream().map(Endpoint::name).toList();
  }

  /** What serves a request. */
  Route route(Request request) {
    TreeSet<String> allowed = new TreeSet<>();
    for (Endpoint endpoint : endpoints) {
      @Nullable List<String> parameters = endpoint.match(request.path());
      if (parameters != null) {
        if (endpoint.answers(request)) {
          return new Route(endpoint.name(), exchange -> endpoint.serve(exchange, parameters));
        }
        allowed.add(endpoint.method().name());
      }
    }
    return new Route(
        Metrics.OTHER, exchange -> exchange.answer(Problems.reply(unknown(request, allowed))));
  }

  private static HttpException unknown(Request request, SortedSet<String> allowed) {
    if (allowed.isEmpty()) {
      return new HttpException(
          HttpResponseStatus.NOT_FOUND,
          "there is nothing at " + request.path() + ": /v1/openapi.json says what there is");
    }
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    String methods = String.join(", ", allowed);
    return new HttpException(
        HttpResponseStatus.METHOD_NOT_ALLOWED,
        request.method() + " is not allowed for " + request.path() + ": use " + methods,
        Map.of("Allow", methods));
  }
}
