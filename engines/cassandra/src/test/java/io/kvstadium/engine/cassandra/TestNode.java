package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kvstadium.cluster.CassandraProgram;
import io.kvstadium.cluster.LocalCluster;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A single Cassandra node, in its own JVM, on ports of this machine's own. With {@code
 * -Dcassandra.hosts=host:port,host:port} the shared one is that cluster, which is already running,
 * for the conformance tests: {@code -Dtest=CassandraConformanceTest}.
 */
final class TestNode implements AutoCloseable {
  /** What the module below this one has laid out. */
  private static final Path PROGRAM = Path.of("node/target/node").toAbsolutePath();

  /** Outlives a kill as well as a disk does, and is faster. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final long MUCH = 2L << 30;

  /** After more tests, a table is slower to scan than a new one: it keeps what was deleted. */
  private static final int MOST_USES = 8;

  /** Tables are made faster, but do not outlive a kill. */
  private static final List<String> FORGETFUL =
      List.of("-Dcassandra.test.flush_local_schema_changes=false");

  private static final String STARTED = "Startup complete";

  private final Path directory;
  private final String hosts;
  private final List<String> command;
  private final Set<String> ready; // what it prints when it is ready
  private Process process; // null if it is somebody else's
  private @Nullable CqlSession session; // of the tests' own
  private @Nullable Path test;
  private final Map<String, Used> inUse = new HashMap<>(); // by the test
  private final List<Used> left = new ArrayList<>();
  private final Map<String, Integer> uses = new HashMap<>(); // of keyspaces
  private int made;

  /** Stands for nodes that somebody else has started. */
  private TestNode(String hosts) {
    this.directory = Path.of("not ours");
    this.hosts = hosts;
    this.command = List.of();
    this.ready = Set.of();
    this.process = null;
  }

  private TestNode(Path directory, int port, List<String> command, Set<String> ready)
      throws IOException {
    this.directory = directory;
    this.hosts = "127.0.0.1:" + port;
    this.command = command;
    this.ready = ready;
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Why there is none on this machine, or {@code null} if there is one. */
  static @Nullable String unavailable() {
    try {
      program();
      return null;
    } catch (BadArgumentException e) {
      return e.getMessage();
    }
  }

  static CassandraProgram program() {
    return CassandraProgram.find(List.of(PROGRAM), null);
  }

  /** The shared node, which syncs each write. Starts when first asked for and ends with the JVM. */
  static TestNode shared() {
    return Shared.NODE;
  }

  private static final class Shared {
    static final TestNode NODE = start();

    private static TestNode start() {
      String given = System.getProperty("cassandra.hosts");
      try {
        return given != null
            ? new TestNode(given)
            : TestNode.start("commitlog_sync: batch\n", FORGETFUL);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Starts a node with these lines in its configuration. */
  static TestNode start(String settings) throws IOException {
    return start(settings, List.of());
  }

  private static TestNode start(String settings, List<String> flags) throws IOException {
    Path directory =
        MEMORY.toFile().getUsableSpace() > MUCH
            ? Files.createTempDirectory(MEMORY, "cassandra-test")
            : Files.createTempDirectory("cassandra-test");
    int[] ports = LocalCluster.freePorts(3);
    Path configuration = directory.resolve("cassandra.yaml");
    Files.writeString(
        configuration,
        """
        cluster_name: test
        num_tokens: 1
        partitioner: org.apache.cassandra.dht.Murmur3Partitioner
        endpoint_snitch: SimpleSnitch
        listen_address: 127.0.0.1
        rpc_address: 127.0.0.1
        native_transport_port: %d
        ssl_storage_port: %d
        storage_port: %d
        seed_provider:
          - class_name: org.apache.cassandra.locator.SimpleSeedProvider
            parameters: [{seeds: "127.0.0.1:%<d"}]
        auto_snapshot: false
        memtable_allocation_type: unslabbed_heap_buffers
        memtable_heap_space: 64MiB
        memtable_offheap_space: 64MiB
        native_transport_max_request_data_in_flight: 64MiB
        native_transport_max_request_data_in_flight_per_ip: 64MiB
        storage_compatibility_mode: NONE
        sstable: {selected_format: bti}
        """
                .formatted(ports[0], ports[1], ports[2])
            + settings);
    Path logging = directory.resolve("logback.xml");
    Files.writeString(
        logging,
        """
        <configuration>
          <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%msg%n</pattern></encoder>
          </appender>
          <appender name="ERR" class="ch.qos.logback.core.ConsoleAppender">
            <target>System.err</target>
            <encoder><pattern>%d %level %logger %msg%n</pattern></encoder>
          </appender>
          <logger name="org.apache.cassandra.service.CassandraDaemon" level="INFO">
            <appender-ref ref="OUT"/>
          </logger>
          <logger name="org.apache.cassandra.auth.CassandraRoleManager" level="INFO">
            <appender-ref ref="OUT"/>
          </logger>
          <root level="WARN"><appender-ref ref="ERR"/></root>
        </configuration>
        """);
    List<String> options = new ArrayList<>();
    options.addAll(
        List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k"));
    Map.of(
            "logback.configurationFile",
            logging.toString(),
            "cassandra.config",
            configuration.toUri().toString(),
            "cassandra.storagedir",
            directory.resolve("data").toString(),
            "cassandra.ring_delay_ms",
            "100",
            "cassandra.skip_wait_for_gossip_to_settle",
            "0",
            "cassandra.superuser_setup_delay_ms",
            "0")
        .forEach((name, value) -> options.add("-D" + name + "=" + value));
    options.addAll(flags);
    List<String> command = program().command(options);
    Set<String> ready =
        settings.contains("PasswordAuthenticator")
            ? Set.of(STARTED, "Created default superuser role 'cassandra'")
            : Set.of(STARTED);
    return new TestNode(directory, ports[0], command, ready);
  }

  private Process launch() throws IOException {
    Path log = directory.resolve("log");
    Process started = new ProcessBuilder(command).redirectError(log.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
    BufferedReader said = started.inputReader();
    Set<String> awaited = new HashSet<>(ready);
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      awaited.remove(line);
      if (awaited.isEmpty()) {
        return started;
      }
    }
    throw new IOException("cassandra ended: " + Files.readString(log));
  }

  String url(String keyspace) {
    return "cassandra://" + hosts + "/" + keyspace;
  }

  /**
   * The URL of a store that stands for a directory. Cassandra takes half a second to make or drop a
   * table, so a test whose store needed only the default table leaves it, emptied, to a later one
   * with the same options.
   */
  synchronized String url(Path place, String options) {
    if (!Objects.equals(place.getParent(), test)) {
      leave();
      test = place.getParent();
    }
    String name = String.valueOf(place.getFileName());
    Used used = inUse.computeIfAbsent(name, _ -> take(name, options));
    return url(used.keyspace) + options;
  }

  private record Used(String keyspace, String options) {}

  private Used take(String name, String options) {
    if (!name.equals("missing") && !name.equals("other")) { // which must not be there
      for (Used each : left) {
        if (each.options.equals(options)) {
          left.remove(each);
          return each;
        }
      }
    }
    return new Used(name.replace('-', '_') + "_" + ++made, options);
  }

  private void leave() {
    if (inUse.isEmpty()) {
      return;
    }
    CqlSession session = session();
    for (Used each : inUse.values()) {
      List<Row> tables =
          session
              .execute(
                  "SELECT table_name, comment FROM system_schema.tables WHERE keyspace_name = ?",
                  each.keyspace)
              .all();
      TableMark mark = tables.size() == 1 ? TableMark.of(tables.get(0).getString(1)) : null;
      if (mark == null || uses.merge(each.keyspace, 1, Integer::sum) == MOST_USES) {
        session.execute("DROP KEYSPACE IF EXISTS " + each.keyspace);
      } else {
        for (int partition = 0; partition < mark.partitions(); partition++) {
          session.execute(
              "DELETE FROM " + each.keyspace + "." + mark.cqlName() + " WHERE p = " + partition);
        }
        left.add(each);
      }
    }
    inUse.clear();
  }

  private synchronized CqlSession session() {
    CqlSession known = session;
    if (known == null) {
      Options options =
          Options.of("cassandra", new CassandraEngine().info().options(), Map.of("timeout", "60s"));
      known = Address.of("//" + hosts + "/none", options).connect();
      session = known;
    }
    return known;
  }

  /** Runs a statement. */
  void execute(String statement) {
    session().execute(statement);
  }

  /** As the kernel does when memory is short. */
  void kill() {
    Signals.kill(process.toHandle());
  }

  /** Stops it where it is, connections and all; on Linux it has stopped when this returns. */
  void freeze() throws IOException, InterruptedException {
    Signals.freeze(process.toHandle());
  }

  /** Lets it continue. */
  void thaw() throws IOException, InterruptedException {
    Signals.thaw(process.toHandle());
  }

  void restart() throws IOException {
    process = launch();
  }

  @Override
  public void close() {
    if (!Files.exists(directory)) {
      return; // closed before
    }
    if (session != null) {
      session.close();
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
