package io.kvstadium.browse;

import io.kvstadium.browse.Request.Reply;
import io.kvstadium.browse.place.Opened;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The page: its files, and below {@code api/} what it asks. Whoever serves it decides who may see
 * it. Safe for all threads.
 */
public final class Page {
  /** What the page consists of, and its types. */
  private static final Map<String, String> FILES =
      Map.of(
          "/", "text/html; charset=utf-8",
          "/browse.css", "text/css; charset=utf-8",
          "/browse.js", "text/javascript; charset=utf-8",
          "/views.js", "text/javascript; charset=utf-8");

  /** Nothing from elsewhere runs or is loaded, and nobody else shows this page in theirs. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src"
              + " 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cache-Control",
          "no-store",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  private final Api api;

  /**
   * A page of stores that somebody else closes.
   *
   * @param stores one, or two to compare
   * @param write whether the first may be changed
   */
  public Page(List<Opened> stores, boolean write) {
    api = new Api(stores, write);
  }

  /** Asks what the page asks first, so that its first answer does not wait for classes. */
  void warmUp() {
    api.warmUp();
  }

  /**
   * Answers.
   *
   * @throws IOException if nobody reads the answer any more
   */
  public void answer(Request request, Reply reply) throws IOException {
    String path = request.path();
    Reply guarded = guarded(reply);
    if (path.startsWith("/api/")) {
      api.answer(request.at(path.substring("/api/".length())), guarded);
    } else if (FILES.containsKey(path) && request.method().equals("GET")) {
      String name = path.equals("/") ? "browse.html" : path.substring(1);
      try (InputStream in = Page.class.getResourceAsStream(name);
          OutputStream out = guarded.begin(200, FILES.get(path), Map.of())) {
        if (in == null) {
          throw new StoreIoException(name + " is missing in this program", new IOException(name));
        }
        in.transferTo(out);
      }
    } else {
      text(reply, 404, "there is nothing at " + path);
    }
  }

  /** Answers with a sentence. */
  static void text(Reply reply, int status, String text) throws IOException {
    try (OutputStream out = guarded(reply).begin(status, "text/plain; charset=utf-8", Map.of())) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static Reply guarded(Reply reply) {
    return (status, type, more) -> {
      Map<String, String> headers = new HashMap<>(HEADERS);
      headers.putAll(more);
      return reply.begin(status, type, headers);
    };
  }
}
