package io.kvstadium.server.http.v1;

import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;
import static io.netty.handler.codec.http.HttpResponseStatus.NO_CONTENT;
import static io.netty.handler.codec.http.HttpResponseStatus.PRECONDITION_FAILED;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.ReadView;
import io.kvstadium.server.execute.WriteSet;
import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.http.HttpTask;
import io.kvstadium.server.http.Problems;
import io.kvstadium.server.http.Reply;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One entry: its bytes are the body. */
public final class EntryEndpoints {
  private static final String ENTRY = "/v1/tables/{table}/entries/{key}";
  private static final int QUICK_BODY = 64 << 10;

  private final Executor executor;
  private final Tables tables;
  private final BiConsumer<String, byte[]> written;

  EntryEndpoints(Executor executor, Tables tables, BiConsumer<String, byte[]> written) {
    this.executor = executor;
    this.tables = tables;
    this.written = written;
  }

  List<Endpoint> endpoints() {
    return List.of(
        endpoint(HttpMethod.GET, "kv.get", this::get),
        endpoint(HttpMethod.PUT, "kv.set", this::put),
        endpoint(
            HttpMethod.DELETE,
            "kv.del",
            (exchange, table, key) -> set(exchange, table, key, null)));
  }

  private interface Action {
    void serve(Exchange exchange, String table, byte[] key);
  }

  private static Endpoint endpoint(HttpMethod method, String right, Action action) {
    return new Endpoint(
        method,
        ENTRY,
        right,
        List.of(),
        (exchange, path, _) -> action.serve(exchange, new String(path.get(0), UTF_8), path.get(1)));
  }

  private void get(Exchange exchange, String table, byte[] key) {
    new HttpTask(
            exchange,
            Problems::reply,
            commitGroup -> commitGroup.view(tables.get(table)).prefetch(key),
            commitGroup -> {
              byte[] value = commitGroup.view(tables.get(table)).get(key);
              if (value == null) {
                throw new HttpException(NOT_FOUND, "table " + table + " has no such entry");
              }
              return new Reply(
                  HttpResponseStatus.OK,
                  Reply.BYTES,
                  Unpooled.wrappedBuffer(value),
                  Map.of("ETag", tag(value)));
            })
        .read(executor, true);
  }

  private void put(Exchange exchange, String table, byte[] key) {
    set(exchange, table, key, exchange.request().body());
  }

  /**
   * Sets or deletes, if the entry meets the conditions in the request's headers.
   *
   * @param value {@code null} to delete
   */
  private void set(Exchange exchange, String table, byte[] key, byte @Nullable [] value) {
    HttpHeaders headers = exchange.request().headers();
    String match = headers.get(HttpHeaderNames.IF_MATCH);
    String noneMatch = headers.get(HttpHeaderNames.IF_NONE_MATCH);
    if (noneMatch != null && !noneMatch.strip().equals("*")) {
      throw HttpException.badRequest("If-None-Match takes only *: there must be no entry yet");
    }
    new HttpTask(
            exchange,
            Problems::reply,
            match == null && noneMatch == null
                ? null
                : commitGroup -> commitGroup.view(tables.get(table)).prefetch(key),
            commitGroup -> {
              WriteSet writeSet = commitGroup.on(tables.get(table));
              check(writeSet, key, match, noneMatch);
              if (value == null) {
                writeSet.delete(key);
              } else {
                commitGroup.requireSpace(key.length + value.length, System.nanoTime());
                writeSet.put(key, value);
              }
              written.accept(table, key);
              return Reply.empty(NO_CONTENT, value == null ? Map.of() : Map.of("ETag", tag(value)));
            })
        .write(executor, value == null || value.length < QUICK_BODY);
  }

  private static void check(
      ReadView view, byte[] key, @Nullable String match, @Nullable String noneMatch) {
    if (match == null && noneMatch == null) {
      return;
    }
    byte[] present = view.get(key);
    if (noneMatch != null && present != null) {
      throw new HttpException(
          PRECONDITION_FAILED, "the entry exists", Map.of("ETag", tag(present)));
    }
    if (match != null && (present == null || !matches(match, present))) {
      throw new HttpException(
          PRECONDITION_FAILED,
          present == null ? "there is no such entry" : "the entry has another value by now",
          present == null ? Map.of() : Map.of("ETag", tag(present)));
    }
  }

  private static boolean matches(String wanted, byte[] value) {
    String tag = tag(value);
    return Arrays.stream(wanted.split(",", -1))
        .map(String::strip)
        .anyMatch(each -> each.equals("*") || each.equals(tag));
  }

  /** Half of the value's SHA-256. */
  private static String tag(byte[] value) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(value);
      return '"' + HexFormat.of().formatHex(digest, 0, digest.length / 2) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
