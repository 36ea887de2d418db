package io.kvstadium.engine.ignite;

import io.kvstadium.store.spi.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A single Ignite node, in its own JVM, on ports of this machine's own. With {@code
 * -Dignite.nodes=3} the shared one has two more beside it, for the conformance kit: {@code
 * -Dtest=IgniteConformanceTest}.
 */
final class TestNode implements AutoCloseable {
  /** What the module below this one has laid out. */
  private static final Path PROGRAM = Path.of("node/target/node").toAbsolutePath();

  /** Outlives a kill as well as a disk does, and is faster. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final long MUCH = 2L << 30;

  /** After more tests, a table is slower to scan than a new one: it keeps old versions of rows. */
  private static final int MOST_USES = 8;

  /** The default of 5 s is too short for a busy machine: the node would lose its own partitions. */
  private static final String LONG_LEASE = ",replication.leaseExpirationIntervalMillis:30000";

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  static final String USER = "reader";
  static final String PASSWORD = "secret";

  /** Settings of a cluster with one user. */
  static final String WITH_PASSWORD =
      ",security:{enabled:true,authentication.providers:[{name:default,type:basic,"
          + "users:[{username:%s,password:%s}]}]}".formatted(USER, PASSWORD);

  private static final List<String> OPENS =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.invoke",
          "java.base/java.lang.reflect",
          "java.base/java.math",
          "java.base/java.nio",
          "java.base/java.time",
          "java.base/java.util",
          "java.base/jdk.internal.access",
          "java.base/jdk.internal.misc",
          "java.base/sun.nio.ch",
          "java.base/sun.nio.fs");

  /** A single node need not wait for others to hear of changes. */
  private static final String ALONE =
      "schemaSync{delayDurationMillis:20,maxClockSkewMillis:1},"
          + "system.idleSafeTimeSyncIntervalMillis:3,transaction.readWriteTimeoutMillis:15000";

  private final String name;
  private final Path directory;
  private final int port;
  private final int restPort;
  private final List<String> command;
  private final List<TestNode> others = new ArrayList<>(); // of its cluster
  private Process process;
  private @Nullable Connection connection; // of the tests' own
  private @Nullable Path test;
  private final Map<String, String> inUse = new HashMap<>(); // zones, by the test's names
  private final List<String> left = new ArrayList<>();
  private final Map<String, Integer> uses = new HashMap<>(); // of zones
  private int made;

  private TestNode(String name, Path directory, int port, int restPort, List<String> command)
      throws IOException {
    this.name = name;
    this.directory = directory;
    this.port = port;
    this.restPort = restPort;
    this.command = command;
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Why there is none on this machine, or {@code null} if there is one. */
  static @Nullable String unavailable() {
    return Files.isDirectory(PROGRAM) ? null : PROGRAM + " is missing: build engines/ignite/node";
  }

  /** The shared node, which syncs each write. Starts when first asked for and ends with the JVM. */
  static TestNode shared() {
    return Shared.NODE;
  }

  private static final class Shared {
    static final TestNode NODE = start();

    private static TestNode start() {
      try {
        return TestNode.start(
            Integer.getInteger("ignite.nodes", 1), "raft.fsync: true", LONG_LEASE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Starts a new node.
   *
   * @param settings lines of its configuration
   * @param cluster settings of its cluster, in addition to the usual ones
   */
  static TestNode start(String settings, String cluster) throws IOException {
    return start(1, settings, cluster);
  }

  private static TestNode start(int nodes, String settings, String cluster) throws IOException {
    List<int[]> ports = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      ports.add(freePorts(3));
    }
    String seeds = listed(ports, each -> "127.0.0.1:" + each[0]);
    TestNode first = node("test", ports.getFirst(), seeds, settings);
    for (int i = 1; i < nodes; i++) {
      first.others.add(node("test" + i, ports.get(i), seeds, settings));
    }
    first.init("ignite{" + ALONE + cluster + "}");
    return first;
  }

  private static <T> String listed(List<T> all, Function<T, String> each) {
    return all.stream().map(each).map(text -> '"' + text + '"').collect(Collectors.joining(", "));
  }

  private static TestNode node(String name, int[] ports, String seeds, String settings)
      throws IOException {
    Path directory =
        MEMORY.toFile().getUsableSpace() > MUCH
            ? Files.createTempDirectory(MEMORY, "ignite-test")
            : Files.createTempDirectory("ignite-test");
    Path configuration = directory.resolve("node.conf");
    Files.writeString(
        configuration,
        """
        ignite {
          network {
            listenAddresses: ["127.0.0.1"]
            port: %d
            nodeFinder.netClusterNodes: [%s]
          }
          clientConnector { listenAddresses: ["127.0.0.1"], port: %d }
          rest.port: %d
          storage.profiles: [
            { name: default, engine: aipersist, sizeBytes: 67108864 }
            { name: memory, engine: aimem, initSizeBytes: 16777216, maxSizeBytes: 16777216 }
          ]
          %s
        }
        """
            .formatted(ports[0], seeds, ports[1], ports[2], settings));
    Path logging = directory.resolve("logging.properties");
    Files.writeString(
        logging,
        """
        handlers = java.util.logging.ConsoleHandler
        .level = SEVERE
        """);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xms256m",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:MaxDirectMemorySize=256m",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Djava.util.logging.config.file=" + logging,
            "--enable-native-access=ALL-UNNAMED"));
    OPENS.forEach(each -> command.add("--add-opens=" + each + "=ALL-UNNAMED"));
    command.addAll(
        List.of(
            "-cp",
            PROGRAM + "/*",
            "org.apache.ignite.internal.app.IgniteRunner",
            "--node-name",
            name,
            "--work-dir",
            directory.resolve("work").toString(),
            "--config-path",
            configuration.toString()));
    return new TestNode(name, directory, ports[1], ports[2], command);
  }

  private static int[] freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Starts the process; returns when its REST answers. */
  private Process launch() throws IOException {
    Process started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
    await(started, "\"state\"");
    return started;
  }

  private Path log() {
    return directory.resolve("log");
  }

  /** Waits until the node reports this state. */
  private void await(Process of, String state) throws IOException {
    long begun = System.nanoTime();
    try (HttpClient http = HttpClient.newHttpClient()) {
      while (!ask(http, "node/state", null).contains(state)) {
        if (!of.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw new IOException("ignite does not start: " + Files.readString(log()));
        }
        Thread.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks its REST; returns an empty text if there is no answer. */
  private String ask(HttpClient http, String path, @Nullable String body)
      throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + restPort + "/management/v1/" + path))
            .timeout(PATIENCE)
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder()
                        .encodeToString((USER + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8)));
    if (body != null) {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return ""; // not yet
    }
  }

  private void init(String cluster) throws IOException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      ask(
          http,
          "cluster/init",
          """
          {"metaStorageNodes": [%s], "cmgNodes": [%<s], "clusterName": "test",
           "clusterConfiguration": "%s"}
          """
              .formatted(listed(all(), node -> node.name), cluster.replace("\"", "\\\"")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (TestNode node : all()) {
      node.await(node.process, "STARTED");
    }
  }

  private List<TestNode> all() {
    List<TestNode> all = new ArrayList<>(others);
    all.addFirst(this);
    return all;
  }

  int port() {
    return port;
  }

  /** The URL of a zone, with what this node needs. */
  String url(String zone) {
    return "ignite://%s/%s?partitions=2&rest=%s"
        .formatted(hosts(node -> node.port), zone, hosts(node -> node.restPort));
  }

  private String hosts(ToIntFunction<TestNode> ports) {
    return all().stream()
        .map(node -> "127.0.0.1:" + ports.applyAsInt(node))
        .collect(Collectors.joining(","));
  }

  /**
   * The URL of a store that stands for a directory. A zone that was left is used by a later test:
   * the store in it was destroyed, or its table is emptied.
   */
  synchronized String url(Path place) {
    if (!Objects.equals(place.getParent(), test)) {
      leave();
      test = place.getParent();
    }
    String name = String.valueOf(place.getFileName());
    return url(inUse.computeIfAbsent(name, this::take));
  }

  private String take(String name) {
    boolean mayBeThere = name.equals("store");
    return mayBeThere && !left.isEmpty()
        ? left.removeLast()
        : name.replace('-', '_') + "_" + ++made;
  }

  private void leave() {
    for (String zone : inUse.values()) {
      Schema schema = new Schema(connection(), zone);
      if (schema.tables().keySet().equals(Set.of("default"))
          && uses.merge(zone, 1, Integer::sum) < MOST_USES) {
        execute("DELETE FROM \"" + zone + "\".\"kv.default\"");
        left.add(zone);
      } else {
        schema.drop();
      }
    }
    inUse.clear();
  }

  private synchronized Connection connection() {
    Connection known = connection;
    if (known == null) {
      Options options = Options.of("ignite", IgniteOptions.ALL, Map.of());
      known = Address.of("//127.0.0.1:" + port + "/none", options).connect();
      connection = known;
    }
    return known;
  }

  /** Runs a statement. */
  void execute(String statement) {
    connection().client().sql().executeScript(statement);
  }

  /** As the kernel does when memory is short. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops it where it is, connections and all; on Linux it has stopped when this returns. */
  void freeze() throws IOException, InterruptedException {
    run("kill", "-STOP", Long.toString(process.pid()));
    // each thread runs on until it is scheduled and sees the signal
    while (Files.exists(Path.of("/proc/self"))
        && !run("ps", "-L", "-o", "state=", "-p", Long.toString(process.pid()))
            .matches("[T\\s]+")) {
      Thread.sleep(1);
    }
  }

  /** Lets it continue. */
  void thaw() throws IOException, InterruptedException {
    run("kill", "-CONT", Long.toString(process.pid()));
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (run.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
    return said;
  }

  void restart() throws IOException {
    process = launch();
    await(process, "STARTED");
  }

  @Override
  public synchronized void close() {
    if (!Files.exists(directory)) {
      return; // closed before
    }
    others.forEach(TestNode::close);
    if (connection != null) {
      connection.close();
    }
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
