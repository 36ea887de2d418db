package io.kvstadium.browse;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kvstadium.browse.place.Opened;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The page on loopback, until it is closed. It does not close the stores. */
public final class Browse implements AutoCloseable {
  private static final int THREADS = 8;
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** What the page consists of, and its types. */
  private static final Map<String, String> FILES =
      Map.of(
          "/", "text/html; charset=utf-8",
          "/browse.css", "text/css; charset=utf-8",
          "/browse.js", "text/javascript; charset=utf-8",
          "/views.js", "text/javascript; charset=utf-8");

  private final HttpServer server;
  private final ExecutorService threads;
  private final Guard guard;
  private final Api api;

  private Browse(HttpServer server, Api api) {
    this.server = server;
    this.api = api;
    this.guard = new Guard(server.getAddress().getPort());
    this.threads =
        Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().daemon().name("browse-", 1).factory());
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
    threads.execute(api::warmUp);
  }

  /**
   * Starts to serve the page of one store, or of two to compare.
   *
   * @param port 0 for any that is free
   * @param write whether the first store, which is open for writing, may be changed
   */
  public static Browse start(List<Opened> stores, int port, boolean write) {
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      return new Browse(HttpServer.create(address, 0), new Api(stores, write));
    } catch (IOException e) {
      throw new BadArgumentException(
          "port " + port + " cannot be listened to (" + e.getMessage() + "): give another --port",
          e);
    }
  }

  /** Where the page is, with the token that it takes. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/?token=" + guard.token();
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Security-Policy", POLICY);
      headers.set("X-Content-Type-Options", "nosniff");
      headers.set("Referrer-Policy", "no-referrer");
      headers.set("Cache-Control", "no-store");
      headers.set("Cross-Origin-Resource-Policy", "same-origin");
      headers.set("Cross-Origin-Opener-Policy", "same-origin");
      answer(exchange);
    } catch (IOException e) {
      // the browser ended the connection, which is how the page stops a search
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    Headers asked = exchange.getRequestHeaders();
    String path = exchange.getRequestURI().getPath();
    Map<String, String> query;
    try {
      query = Request.parse(exchange.getRequestURI().getRawQuery());
    } catch (BadArgumentException e) {
      text(exchange, 400, Api.message(e));
      return;
    }
    boolean page = path.equals("/");
    String refusal =
        guard.refusal(
            asked.getFirst("Host"),
            asked.getFirst("Origin"),
            asked.getFirst("Cookie"),
            page ? query.get("token") : null);
    if (refusal != null) {
      text(exchange, 403, refusal);
    } else if (page && query.containsKey("token")) {
      exchange.getResponseHeaders().set("Set-Cookie", guard.setCookie());
      exchange.getResponseHeaders().set("Location", "/");
      exchange.sendResponseHeaders(303, -1);
    } else if (path.startsWith("/api/")) {
      api.answer(
          new Request(
              exchange.getRequestMethod(),
              path.substring("/api/".length()),
              query,
              exchange.getRequestBody()),
          (status, type, more) -> begin(exchange, status, type, more));
    } else if (FILES.containsKey(path) && exchange.getRequestMethod().equals("GET")) {
      file(exchange, page ? "/browse.html" : path, FILES.get(path));
    } else {
      text(exchange, 404, "there is nothing at " + path);
    }
  }

  private static OutputStream begin(
      HttpExchange exchange, int status, String type, Map<String, String> headers)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    headers.forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(status, 0);
    return exchange.getResponseBody();
  }

  private static void file(HttpExchange exchange, String name, @Nullable String type)
      throws IOException {
    try (InputStream in = Browse.class.getResourceAsStream(name.substring(1));
        OutputStream out = begin(exchange, 200, String.valueOf(type), Map.of())) {
      if (in == null) {
        throw new StoreIoException(name + " is missing in this program", new IOException(name));
      }
      in.transferTo(out);
    }
  }

  private static void text(HttpExchange exchange, int status, String text) throws IOException {
    try (OutputStream out = begin(exchange, status, "text/plain; charset=utf-8", Map.of())) {
      out.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
