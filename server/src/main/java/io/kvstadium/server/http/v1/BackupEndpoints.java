package io.kvstadium.server.http.v1;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kvstadium.backup.Backup;
import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.http.HttpTask;
import io.kvstadium.server.http.Json;
import io.kvstadium.server.http.Problems;
import io.kvstadium.server.http.Reply;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Backups of the store. They take long, so each runs on a reader thread. */
public final class BackupEndpoints {
  private static final String ALL = "/v1/backups";
  private static final String RIGHT = "kv.backup";
  private static final String ONE = "/v1/backups/{id}";

  private final Executor executor;
  private final ServedBackups backups;

  BackupEndpoints(Executor executor, ServedBackups backups) {
    this.executor = executor;
    this.backups = backups;
  }

  List<Endpoint> endpoints() {
    return List.of(
        new Endpoint(HttpMethod.GET, ALL, RIGHT, List.of(), (it, _, _) -> answer(it, this::list)),
        new Endpoint(
            HttpMethod.POST,
            ALL,
            RIGHT,
            List.of(),
            (it, _, _) -> answer(it, () -> reply(HttpResponseStatus.CREATED, backups.create()))),
        new Endpoint(
            HttpMethod.GET, ONE, RIGHT, List.of(), (it, path, _) -> answer(it, () -> get(path))),
        new Endpoint(
            HttpMethod.DELETE,
            ONE,
            RIGHT,
            List.of(),
            (it, path, _) -> answer(it, () -> delete(path))),
        new Endpoint(
            HttpMethod.POST,
            ONE + "/verify",
            RIGHT,
            List.of(),
            (it, path, _) -> answer(it, () -> verify(path))));
  }

  private void answer(Exchange exchange, Supplier<Reply> reply) {
    new HttpTask(exchange, Problems::reply, null, _ -> reply.get()).read(executor, false);
  }

  private static String id(List<byte[]> path) {
    return new String(path.getFirst(), UTF_8);
  }

  private static <T> T found(List<byte[]> path, @Nullable T backup) {
    if (backup == null) {
      throw missing(path);
    }
    return backup;
  }

  private static HttpException missing(List<byte[]> path) {
    return new HttpException(HttpResponseStatus.NOT_FOUND, "there is no backup " + id(path));
  }

  private Reply list() {
    List<Backup> all = backups.list();
    return Json.reply(
        HttpResponseStatus.OK,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("backups");
          for (Backup backup : all) {
            write(json, backup);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private Reply get(List<byte[]> path) {
    return reply(HttpResponseStatus.OK, found(path, backups.get(id(path))));
  }

  private Reply delete(List<byte[]> path) {
    if (!backups.delete(id(path))) {
      throw missing(path);
    }
    return Reply.empty(HttpResponseStatus.NO_CONTENT, Map.of());
  }

  private Reply verify(List<byte[]> path) {
    List<String> problems = found(path, backups.verify(id(path)));
    return Json.reply(
        HttpResponseStatus.OK,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("problems");
          for (String problem : problems) {
            json.writeString(problem);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static Reply reply(HttpResponseStatus status, Backup backup) {
    return Json.reply(status, json -> write(json, backup));
  }

  private static void write(JsonGenerator json, Backup backup) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", backup.id());
    json.writeStringField("time", backup.time().toString());
    json.writeStringField("engine", backup.engine());
    json.writeStringField("version", backup.version());
    json.writeStringField("form", backup.form().name().toLowerCase(Locale.ROOT));
    if (backup.entries() >= 0) {
      json.writeNumberField("entries", backup.entries());
    }
    json.writeNumberField("bytes", backup.bytes());
    json.writeNumberField("written", backup.written());
    json.writeEndObject();
  }
}
