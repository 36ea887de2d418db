package io.kvstadium.server.http.v1;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.Probe;
import io.kvstadium.server.execute.Task;
import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.http.HttpTask;
import io.kvstadium.server.http.Json;
import io.kvstadium.server.http.Problems;
import io.kvstadium.server.http.Reply;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Endpoints for the whole store: its health, its statistics, its tables. */
public final class StoreEndpoints {
  private static final String TABLE = "/v1/tables/{table}";

  private final Executor executor;
  private final Tables tables;

  StoreEndpoints(Executor executor, Tables tables) {
    this.executor = executor;
    this.tables = tables;
  }

  List<Endpoint> endpoints() {
    return List.of(
        new Endpoint(HttpMethod.GET, "/v1/health", "ping", List.of(), (it, _, _) -> health(it)),
        new Endpoint(
            HttpMethod.GET, "/v1/stats", "kv.stats", List.of(), (it, _, _) -> statistics(it)),
        new Endpoint(HttpMethod.GET, "/v1/tables", "kv.tables", List.of(), (it, _, _) -> list(it)),
        new Endpoint(
            HttpMethod.PUT, TABLE, "kv.set", List.of(), (it, path, _) -> create(it, name(path))),
        new Endpoint(
            HttpMethod.DELETE, TABLE, "kv.drop", List.of(), (it, path, _) -> drop(it, name(path))));
  }

  private static String name(List<byte[]> path) {
    return new String(path.getFirst(), UTF_8);
  }

  private void health(Exchange exchange) {
    Probe.attempt(
        executor,
        failure ->
            exchange.answer(
                Json.reply(
                    failure == null
                        ? HttpResponseStatus.OK
                        : HttpResponseStatus.SERVICE_UNAVAILABLE,
                    json -> {
                      Store store = executor.store();
                      json.writeStartObject();
                      json.writeStringField("status", failure == null ? "ok" : "failed");
                      json.writeStringField("engine", store.engine().name());
                      json.writeStringField("durability", store.durability().word());
                      if (failure != null) {
                        json.writeStringField("failure", String.valueOf(failure.getMessage()));
                      }
                      json.writeEndObject();
                    })));
  }

  private void statistics(Exchange exchange) {
    new HttpTask(
            exchange,
            Problems::reply,
            null,
            _ -> {
              Map<String, String> stats = new TreeMap<>(executor.store().stats());
              return Json.reply(
                  HttpResponseStatus.OK,
                  json -> {
                    json.writeStartObject();
                    for (Map.Entry<String, String> each : stats.entrySet()) {
                      json.writeStringField(each.getKey(), each.getValue());
                    }
                    json.writeEndObject();
                  });
            })
        .read(executor, false);
  }

  private void list(Exchange exchange) {
    new HttpTask(
            exchange,
            Problems::reply,
            null,
            _ -> {
              List<String> names = tables.names();
              return Json.reply(
                  HttpResponseStatus.OK,
                  json -> {
                    json.writeStartObject();
                    json.writeArrayFieldStart("tables");
                    for (String name : names) {
                      json.writeString(name);
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                  });
            })
        .read(executor, false);
  }

  private void create(Exchange exchange, String name) {
    new HttpTask(
            exchange,
            Problems::reply,
            null,
            _ ->
                Reply.empty(
                    tables.create(name)
                        ? HttpResponseStatus.CREATED
                        : HttpResponseStatus.NO_CONTENT,
                    Map.of()))
        .write(executor, false);
  }

  /**
   * Drops a table after the commit group, when others' writes to it in that group are in the store.
   */
  private void drop(Exchange exchange, String name) {
    executor.write(
        new Task() {
          @Override
          public void execute(CommitGroup commitGroup) {}

          @Override
          public void done() {
            try {
              tables.drop(
                  name,
                  failure ->
                      exchange.answer(
                          failure == null
                              ? Reply.empty(HttpResponseStatus.NO_CONTENT, Map.of())
                              : Problems.reply(failure)));
            } catch (HttpException | StadiumException e) {
              exchange.answer(Problems.reply(e));
            }
          }

          @Override
          public void failed(RuntimeException cause) {
            exchange.answer(Problems.reply(cause));
          }
        });
  }
}
