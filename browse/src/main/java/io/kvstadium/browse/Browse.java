package io.kvstadium.browse;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kvstadium.browse.place.Opened;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The page on loopback, until it is closed. It does not close the stores. */
public final class Browse implements AutoCloseable {
  private static final int THREADS = 8;
  private final HttpServer server;
  private final ExecutorService threads;
  private final Guard guard;
  private final Page page;

  private Browse(HttpServer server, Page page) {
    this.server = server;
    this.page = page;
    this.guard = new Guard(server.getAddress().getPort());
    this.threads =
        Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().daemon().name("browse-", 1).factory());
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
    threads.execute(page::warmUp);
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
      return new Browse(HttpServer.create(address, 0), new Page(stores, write));
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
      answer(exchange);
    } catch (IOException e) {
      // the browser ended the connection, which is how the page stops a search
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    Headers asked = exchange.getRequestHeaders();
    Request request;
    try {
      request =
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              Request.parse(exchange.getRequestURI().getRawQuery()),
              exchange.getRequestBody(),
              _ -> true);
    } catch (BadArgumentException e) {
      text(exchange, 400, Api.message(e));
      return;
    }
    String token = request.path().equals("/") ? request.get("token") : null;
    String refusal =
        guard.refusal(
            asked.getFirst("Host"), asked.getFirst("Origin"), asked.getFirst("Cookie"), token);
    if (refusal != null) {
      text(exchange, 403, refusal);
    } else if (token != null) {
      exchange.getResponseHeaders().set("Set-Cookie", guard.setCookie());
      exchange.getResponseHeaders().set("Location", "/");
      exchange.sendResponseHeaders(303, -1);
    } else {
      page.answer(request, (status, type, more) -> begin(exchange, status, type, more));
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

  private static void text(HttpExchange exchange, int status, String text) throws IOException {
    Page.text((code, type, more) -> begin(exchange, code, type, more), status, text);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
