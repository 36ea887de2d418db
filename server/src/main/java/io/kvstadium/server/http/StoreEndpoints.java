package io.kvstadium.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.server.execute.Probe;
import io.kvstadium.server.execute.Round;
import io.kvstadium.server.execute.Rounds;
import io.kvstadium.server.execute.Work;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Endpoints for the whole store: its health, its statistics, its tables. */
final class StoreEndpoints {
  private static final String TABLE = "/v1/tables/{table}";

  private final Rounds rounds;
  private final Tables tables;

  StoreEndpoints(Rounds rounds, Tables tables) {
    this.rounds = rounds;
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
        rounds,
        failure ->
            exchange.answer(
                Json.reply(
                    failure == null
                        ? HttpResponseStatus.OK
                        : HttpResponseStatus.SERVICE_UNAVAILABLE,
                    json -> {
                      Store store = rounds.store();
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
    new Task(
            exchange,
            Problems::reply,
            null,
            _ -> {
              Map<String, String> stats = new TreeMap<>(rounds.store().stats());
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
        .read(rounds, false);
  }

  private void list(Exchange exchange) {
    new Task(
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
        .read(rounds, false);
  }

  private void create(Exchange exchange, String name) {
    new Task(
            exchange,
            Problems::reply,
            null,
            _ ->
                Reply.empty(
                    tables.create(name)
                        ? HttpResponseStatus.CREATED
                        : HttpResponseStatus.NO_CONTENT,
                    Map.of()))
        .write(rounds, false);
  }

  /** Drops a table after the round, when others' writes to it in that round are in the store. */
  private void drop(Exchange exchange, String name) {
    rounds.write(
        new Work() {
          @Override
          public void execute(Round round) {}

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
