package io.kvstadium.server.http.v1;

import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.Prometheus;
import io.kvstadium.server.http.Api;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.http.HttpLimits;
import io.kvstadium.server.http.HttpTask;
import io.kvstadium.server.http.Json;
import io.kvstadium.server.http.Metrics;
import io.kvstadium.server.http.Problems;
import io.kvstadium.server.http.Reply;
import io.kvstadium.server.http.Request;
import io.kvstadium.server.http.Route;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
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

/** The endpoints of JSON. */
public final class Version1 implements Api {
  private final List<Endpoint> endpoints = new ArrayList<>();

  /**
   * The endpoints over a store.
   *
   * @param raw whether the tables of the Redis databases are plain ones, open to all
   * @param backups of the store
   * @param prometheus the figures of the whole server
   * @param written receives the table's name and the key of each write, during its turn to write
   * @throws BadArgumentException if the only table of the store is a Redis database
   */
  public Version1(
      Executor executor,
      boolean raw,
      ServedBackups backups,
      HttpLimits limits,
      Prometheus prometheus,
      BiConsumer<String, byte[]> written) {
    Store store = executor.store();
    if (!raw && !store.capabilities().contains(Capability.TABLES)) {
      throw new BadArgumentException(
          store.url()
              + ": engine "
              + store.engine().name()
              + " has only one table, which the Redis protocol uses in its own form: serve it"
              + " with --raw, where both protocols see plain entries, or with --no-http");
    }
    Tables tables = new Tables(executor, raw);
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

  @Override
  public List<String> routes() {
    return endpoints.stream().map(Endpoint::name).toList();
  }

  @Override
  public Route route(Request request) {
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
