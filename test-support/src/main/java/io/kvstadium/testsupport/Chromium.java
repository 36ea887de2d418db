package io.kvstadium.testsupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A headless Chromium with one page, driven by the DevTools protocol. For one thread; events arrive
 * on another one and are collected.
 */
public final class Chromium implements AutoCloseable {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int SECONDS = 60;

  private final Process process;
  private final HttpClient client;
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> calls;
  private final List<JsonNode> events;

  private Chromium(
      Process process,
      HttpClient client,
      WebSocket socket,
      Map<Integer, CompletableFuture<JsonNode>> calls,
      List<JsonNode> events) {
    this.process = process;
    this.client = client;
    this.socket = socket;
    this.calls = calls;
    this.events = events;
  }

  /** The browser's program, if there is one on this machine. */
  public static Optional<Path> program() {
    Stream<Path> folders = Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of);
    return folders
        .flatMap(folder ->
            Stream.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
                .map(folder::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public static Chromium start(Path program, Path profile) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true);
    builder.environment().put("TMPDIR", profile.toString()); // otherwise it leaves a folder behind
    Process process = builder.start();
    try {
      return connect(process);
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static Chromium connect(Process process) throws Exception {
    String origin = "http://" + debuggingAddress(process);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(origin + "/json/new?about:blank"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    String answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    URI page = URI.create(MAPPER.readTree(answer).get("webSocketDebuggerUrl").asText());
    Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    List<JsonNode> events = new CopyOnWriteArrayList<>();
    WebSocket socket =
        client
            .newWebSocketBuilder()
            .buildAsync(page, new Listener(calls, events))
            .get(SECONDS, TimeUnit.SECONDS);
    Chromium chromium = new Chromium(process, client, socket, calls, events);
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      chromium.call(domain + ".enable", Map.of());
    }
    return chromium;
  }

  private static String debuggingAddress(Process process) throws IOException {
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("DevTools listening on ws://")) {
        Thread.ofVirtual().start(() -> output.lines().forEach(_ -> {}));
        return URI.create(line.substring(line.indexOf("ws://"))).getAuthority();
      }
    }
    throw new IOException("Chromium ended before it listened");
  }

  /** Sends a command and waits for its answer. */
  public JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    calls.put(id, answer);
    ObjectNode message = MAPPER.createObjectNode().put("id", id).put("method", method);
    message.set("params", MAPPER.valueToTree(parameters));
    socket.sendText(message.toString(), true).get(SECONDS, TimeUnit.SECONDS);
    JsonNode result = answer.get(SECONDS, TimeUnit.SECONDS);
    if (result.has("error")) {
      throw new IllegalStateException(method + ": " + result.get("error"));
    }
    return result.get("result");
  }

  /** Sets the page's size and the colour scheme: {@code light} or {@code dark}. */
  public void show(int width, int height, String scheme) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Opens a file and waits until it and its scripts have run. */
  public void open(Path file) throws Exception {
    open(file.toUri());
    evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  /** Opens a page and waits until it is loaded. */
  public void open(URI page) throws Exception {
    call("Page.navigate", Map.of("url", page.toString()));
    evaluate(
        "new Promise(done => document.readyState === 'complete' && location.protocol === '"
            + page.getScheme()
            + ":' ? done(1) : addEventListener('load', () => done(1)))");
  }

  /** Waits until an expression is true. */
  public void await(String expression) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!evaluate("Boolean(" + expression + ")").asBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "never true: " + expression + "; the page: " + evaluate("document.body.innerText"));
      }
      evaluate("new Promise(done => setTimeout(done, 20))");
    }
  }

  /** Presses a key, as the browser names it: {@code Enter}, {@code j}. */
  public void press(String key) throws Exception {
    Map<String, Integer> codes = Map.of("Enter", 13, "Tab", 9, "Escape", 27, " ", 32);
    Map<String, Object> event = new HashMap<>(Map.of("key", key, "type", "keyDown"));
    event.put("windowsVirtualKeyCode", codes.getOrDefault(key, (int) key.charAt(0)));
    if (key.equals("Enter")) {
      event.put("text", "\r");
    } else if (key.length() == 1) {
      event.put("text", key);
    }
    call("Input.dispatchKeyEvent", event);
    call("Input.dispatchKeyEvent", Map.of("key", key, "type", "keyUp"));
  }

  /** The value of an expression; promises are waited for. */
  public JsonNode evaluate(String expression) throws Exception {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.get("result").path("value");
  }

  /** The events received so far, of one kind. */
  public List<JsonNode> events(String method) {
    return events.stream().filter(event -> event.get("method").asText().equals(method)).toList();
  }

  @Override
  public void close() throws IOException {
    socket.abort();
    client.shutdownNow();
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      process.destroyForcibly().onExit().join();
    }
    children.forEach(child -> child.onExit().orTimeout(10, TimeUnit.SECONDS).join());
  }

  private static final class Listener implements WebSocket.Listener {
    private final Map<Integer, CompletableFuture<JsonNode>> calls;
    private final List<JsonNode> events;
    private final StringBuilder text = new StringBuilder();

    Listener(Map<Integer, CompletableFuture<JsonNode>> calls, List<JsonNode> events) {
      this.calls = calls;
      this.events = events;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        accept(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedStage(null);
    }

    private void accept(String message) {
      try {
        JsonNode node = MAPPER.readTree(message);
        CompletableFuture<JsonNode> call =
            node.has("id") ? calls.remove(node.get("id").asInt()) : null;
        if (call == null) {
          events.add(node);
        } else {
          call.complete(node);
        }
      } catch (IOException e) {
        calls.values().forEach(call -> call.completeExceptionally(e));
      }
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      calls.values().forEach(call -> call.completeExceptionally(error));
    }
  }
}
