package io.kvstadium.server.http.v1;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.WriteSet;
import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.http.HttpLimits;
import io.kvstadium.server.http.HttpTask;
import io.kvstadium.server.http.Json;
import io.kvstadium.server.http.MultiGet;
import io.kvstadium.server.http.Problems;
import io.kvstadium.server.http.Reply;
import io.kvstadium.server.http.Scan;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Many entries at once: ranges, multi-gets and batches. */
public final class ManyEndpoints {
  private static final int QUICK_BODY = 4 << 10;
  private static final long DEFAULT_LIMIT = 1_000;

  private final Executor executor;
  private final Tables tables;
  private final HttpLimits limits;
  private final BiConsumer<String, byte[]> written;

  ManyEndpoints(
      Executor executor, Tables tables, HttpLimits limits, BiConsumer<String, byte[]> written) {
    this.executor = executor;
    this.tables = tables;
    this.limits = limits;
    this.written = written;
  }

  List<Endpoint> endpoints() {
    return List.of(
        new Endpoint(
            HttpMethod.GET,
            "/v1/tables/{table}/entries",
            "kv.range",
            RangeQuery.PARAMETERS,
            (exchange, path, query) -> range(exchange, new String(path.getFirst(), UTF_8), query)),
        new Endpoint(
            HttpMethod.POST,
            "/v1/tables/{table}/multi-get",
            "kv.mget",
            List.of(),
            (exchange, path, _) -> multiGet(exchange, new String(path.getFirst(), UTF_8))),
        new Endpoint(
            HttpMethod.POST, "/v1/batch", null, List.of(), (exchange, _, _) -> batch(exchange)));
  }

  private void range(Exchange exchange, String table, Query query) {
    RangeQuery range = RangeQuery.of(query);
    Scan.Plan plan =
        new Scan.Plan(
            () -> tables.get(table),
            _ -> range.range(),
            _ -> true,
            new JsonFormat(),
            query.positive("limit", DEFAULT_LIMIT));
    exchange.stream(new Scan(executor.store(), plan, limits.scan()), Problems::reply);
  }

  private void multiGet(Exchange exchange, String table) {
    byte[] body = exchange.request().body();
    List<byte[]> keys = Json.read(body, ManyEndpoints::keys);
    new HttpTask(
            exchange,
            Problems::reply,
            null,
            commitGroup -> {
              ByteBuf out = Unpooled.buffer();
              JsonFormat format = new JsonFormat();
              format.begin(out);
              MultiGet.each(
                  executor.store(),
                  commitGroup.stored(tables.get(table)),
                  keys,
                  limits.reply(),
                  (key, value) -> format.found(out, key, value));
              format.close(out);
              return new Reply(HttpResponseStatus.OK, Json.TYPE, out, Map.of());
            })
        .ofOneMoment()
        .read(executor, body.length < QUICK_BODY);
  }

  private static List<byte[]> keys(JsonParser json) throws IOException {
    String mistake = "the body is {\"keys\": [\"a\", \"b\"]}";
    Json.expect(json, JsonToken.START_OBJECT, mistake);
    if (!"keys".equals(json.nextFieldName())) {
      throw HttpException.badRequest(mistake);
    }
    json.nextToken();
    Json.expect(json, JsonToken.START_ARRAY, mistake);
    List<byte[]> keys = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      keys.add(Json.bytes(json, "a key"));
    }
    json.nextToken();
    Json.expect(json, JsonToken.END_OBJECT, mistake);
    return keys;
  }

  /**
   * An operation of a batch.
   *
   * @param value {@code null} to delete
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  private record Operation(String table, byte[] key, byte @Nullable [] value) {}

  private void batch(Exchange exchange) {
    byte[] body = exchange.request().body();
    List<Operation> operations = Json.read(body, ManyEndpoints::operations);
    for (Operation each : operations) {
      exchange.require(each.value() == null ? "kv.del" : "kv.set", each.table());
    }
    if (!executor.store().capabilities().contains(Capability.BATCH)) {
      throw new HttpException(
          HttpResponseStatus.NOT_IMPLEMENTED,
          "engine "
              + executor.store().engine().name()
              + " has no atomic batches: write one by one");
    }
    new HttpTask(
            exchange,
            Problems::reply,
            null,
            commitGroup -> {
              for (Operation each : operations) {
                WriteSet writeSet = commitGroup.on(tables.get(each.table()));
                if (each.value() == null) {
                  writeSet.delete(each.key());
                } else {
                  int bytes = each.key().length + each.value().length;
                  commitGroup.requireSpace(bytes, System.nanoTime());
                  writeSet.put(each.key(), each.value());
                }
                written.accept(each.table(), each.key());
              }
              return Json.reply(
                  HttpResponseStatus.OK,
                  json -> {
                    json.writeStartObject();
                    json.writeNumberField("operations", operations.size());
                    json.writeEndObject();
                  });
            })
        .write(executor, body.length < QUICK_BODY);
  }

  private static List<Operation> operations(JsonParser json) throws IOException {
    String mistake =
        "the body is {\"operations\": [{\"put\": key, \"value\": value}, {\"delete\": key}]},"
            + " each with a \"table\" if it is not \"default\"";
    Json.expect(json, JsonToken.START_OBJECT, mistake);
    if (!"operations".equals(json.nextFieldName())) {
      throw HttpException.badRequest(mistake);
    }
    json.nextToken();
    Json.expect(json, JsonToken.START_ARRAY, mistake);
    List<Operation> operations = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      Json.expect(json, JsonToken.START_OBJECT, mistake);
      operations.add(operation(json, mistake));
    }
    json.nextToken();
    Json.expect(json, JsonToken.END_OBJECT, mistake);
    return operations;
  }

  private static Operation operation(JsonParser json, String mistake) throws IOException {
    String table = Store.DEFAULT_TABLE;
    byte[] put = null;
    byte[] delete = null;
    byte[] value = null;
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      switch (name) {
        case "table" -> {
          Json.expect(json, JsonToken.VALUE_STRING, mistake);
          table = json.getText();
        }
        case "put" -> put = Json.bytes(json, "a key");
        case "delete" -> delete = Json.bytes(json, "a key");
        case "value" -> value = Json.bytes(json, "a value");
        default -> throw HttpException.badRequest("\"" + name + "\" is not known: " + mistake);
      }
    }
    if (put != null && value != null && delete == null) {
      return new Operation(table, put, value);
    }
    if (delete != null && put == null && value == null) {
      return new Operation(table, delete, null);
    }
    throw HttpException.badRequest(mistake);
  }
}
