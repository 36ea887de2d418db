package io.kvstadium.cluster;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Cassandra cluster whose nodes all run on this machine, in its own directory, for trials and
 * tests. When the machine fails it loses what a real cluster would keep.
 */
public final class LocalCluster {
  /** The most nodes: each takes half a gigabyte. */
  public static final int MOST_NODES = 9;

  private static final String FILE = "cluster.properties";
  private static final long STOPPED_WITHIN_SECONDS = 30;

  private final Path directory;
  private final String memory;
  private final List<Node> nodes;

  private LocalCluster(Path directory, String memory, List<Node> nodes) {
    this.directory = directory;
    this.memory = memory;
    this.nodes = nodes;
  }

  // ---- its directory

  /**
   * Creates a new cluster, with no node running.
   *
   * @param directory empty or nonexistent
   * @param port the first node's port for clients; the others get the next ones; 0 for any free
   *     ports
   * @param heap bytes for each node
   */
  public static LocalCluster create(Path directory, int nodes, int port, long heap) {
    if (nodes < 1 || nodes > MOST_NODES) {
      throw new BadArgumentException("a cluster of " + nodes + " nodes: give 1 to " + MOST_NODES);
    }
    Path home = directory.toAbsolutePath().normalize();
    try {
      if (Files.exists(home) && !isEmpty(home)) {
        throw new BadArgumentException(
            home + " has something else in it: name another directory with --dir");
      }
      int[] ports = freePorts(3 * nodes);
      List<Node> all = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        int own = port == 0 ? ports[3 * i] : free(port + i);
        Path place = home.resolve("node" + (i + 1));
        all.add(new Node(i + 1, place, own, ports[3 * i + 1], ports[3 * i + 2]));
      }
      LocalCluster cluster = new LocalCluster(home, (heap >> 20) + "m", all);
      cluster.write();
      return cluster;
    } catch (IOException e) {
      throw new StoreIoException(home + ": the cluster cannot be made: " + e, e);
    }
  }

  /** The cluster in a directory. */
  public static LocalCluster open(Path directory) {
    Path home = directory.toAbsolutePath().normalize();
    if (!exists(home)) {
      throw new BadArgumentException(
          "there is no cluster in " + home + ": start one, or name its directory with --dir");
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(home.resolve(FILE))) {
      properties.load(reader);
      List<Node> nodes = new ArrayList<>();
      for (int i = 1; i <= Integer.parseInt(value(properties, "nodes")); i++) {
        nodes.add(
            new Node(
                i,
                home.resolve("node" + i),
                Integer.parseInt(value(properties, "port." + i)),
                Integer.parseInt(value(properties, "storage_port." + i)),
                Integer.parseInt(value(properties, "jmx_port." + i))));
      }
      return new LocalCluster(home, value(properties, "memory"), nodes);
    } catch (IOException | IllegalArgumentException e) {
      throw new StoreIoException(home.resolve(FILE) + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Whether there is a cluster in a directory. */
  public static boolean exists(Path directory) {
    return Files.isRegularFile(directory.resolve(FILE));
  }

  private static String value(Properties properties, String name) {
    String value = properties.getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  private static int free(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException | IllegalArgumentException e) {
      throw new BadArgumentException(
          "port "
              + port
              + " is not available: "
              + e.getMessage()
              + "; name another first one with --port",
          e);
    }
  }

  /** Distinct ports of the loopback address on which nobody is listening now. */
  public static int[] freePorts(int count) throws IOException {
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

  private void write() throws IOException {
    for (Node node : nodes) {
      Files.createDirectories(node.directory());
      Files.writeString(node.configuration(), configuration(node));
      Files.writeString(node.logging(), logging(node));
    }
    Properties properties = new Properties();
    properties.setProperty("nodes", Integer.toString(nodes.size()));
    properties.setProperty("memory", memory);
    for (Node node : nodes) {
      properties.setProperty("port." + node.number(), Integer.toString(node.port()));
      properties.setProperty("storage_port." + node.number(), Integer.toString(node.storagePort()));
      properties.setProperty("jmx_port." + node.number(), Integer.toString(node.jmxPort()));
    }
    try (Writer writer = Files.newBufferedWriter(directory.resolve(FILE))) { // written last
      properties.store(writer, "a cluster of 'stadium cluster start'");
    }
  }

  /**
   * Each node has an equal part of the ring, and takes it without asking the others for entries:
   * there are none yet. The first node is the others' seed.
   */
  private String configuration(Node node) {
    BigInteger token =
        BigInteger.ONE
            .shiftLeft(Long.SIZE)
            .multiply(BigInteger.valueOf(node.number() - 1L))
            .divide(BigInteger.valueOf(nodes.size()))
            .add(BigInteger.valueOf(Long.MIN_VALUE));
    return """
    cluster_name: stadium
    num_tokens: 1
    initial_token: %s
    auto_bootstrap: false
    partitioner: org.apache.cassandra.dht.Murmur3Partitioner
    endpoint_snitch: SimpleSnitch
    listen_address: 127.0.0.1
    rpc_address: 127.0.0.1
    native_transport_port: %d
    storage_port: %d
    ssl_storage_port: %3$d
    seed_provider:
      - class_name: org.apache.cassandra.locator.SimpleSeedProvider
        parameters: [{seeds: "127.0.0.1:%d"}]
    # every write is synced before it is acknowledged
    commitlog_sync: group
    commitlog_sync_group_window: 1ms
    auto_snapshot: false
    storage_compatibility_mode: NONE
    sstable: {selected_format: bti}
    """
        .formatted(token, node.port(), node.storagePort(), nodes.getFirst().storagePort());
  }

  private static String logging(Node node) {
    return """
    <configuration>
      <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
        <file>%s</file>
        <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
          <fileNamePattern>%1$s.%%i</fileNamePattern>
          <minIndex>1</minIndex>
          <maxIndex>2</maxIndex>
        </rollingPolicy>
        <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
          <maxFileSize>20MB</maxFileSize>
        </triggeringPolicy>
        <encoder><pattern>%%d %%level %%logger{0} %%msg%%n</pattern></encoder>
      </appender>
      <root level="INFO"><appender-ref ref="FILE"/></root>
    </configuration>
    """
        .formatted(node.log());
  }

  // ---- its nodes

  /** The directory with all its files. */
  public Path directory() {
    return directory;
  }

  /** The nodes, ordered by number. */
  public List<Node> nodes() {
    return nodes;
  }

  /** The URL that opens a store on it. */
  public String url(String keyspace) {
    return nodes.stream()
        .map(node -> "127.0.0.1:" + node.port())
        .collect(Collectors.joining(",", "cassandra://", "/" + keyspace));
  }

  /**
   * Starts the nodes that are not running, and returns when they answer and know each other.
   *
   * @param seen receives each node once it answers
   */
  public void start(CassandraProgram program, Consumer<Node> seen) throws InterruptedException {
    exclusively(() -> {
      List<Node> down = nodes.stream().filter(node -> node.process() == null).toList();
      if (down.isEmpty()) {
        return;
      }
      Awaited awaited = new Awaited(nodes);
      Node first = nodes.getFirst();
      Predicate<Node> isFirst = first::equals;
      for (Predicate<Node> part : List.of(isFirst, isFirst.negate())) {
        List<Node> starting = down.stream().filter(part).toList();
        launch(starting, program);
        awaited.answers(starting, seen);
      }
      awaited.knowEachOther();
    });
  }

  private void launch(List<Node> which, CassandraProgram program) throws IOException {
    for (Node node : which) {
      List<String> command =
          program.command(
              List.of(
                  "-Xms" + memory,
                  "-Xmx" + memory,
                  "-XX:+UseSerialGC",
                  "-Xss512k",
                  "-Dlogback.configurationFile=" + node.logging(),
                  "-Dcassandra.config=" + node.configuration().toUri(),
                  "-Dcassandra.storagedir=" + node.data(),
                  "-Dcassandra.jmx.local.port=" + node.jmxPort(),
                  "-Djava.rmi.server.hostname=127.0.0.1",
                  "-Dcassandra.ring_delay_ms=1000",
                  "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                  "-Dcassandra.superuser_setup_delay_ms=0"));
      List<String> detached = new ArrayList<>();
      // neither closing the terminal nor Ctrl-C in it ends the node
      detached.addAll(List.of("/bin/sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh"));
      detached.addAll(command);
      Process process =
          new ProcessBuilder(detached)
              .directory(node.directory().toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(node.output().toFile())
              .redirectErrorStream(true)
              .start();
      node.started(process.toHandle());
    }
  }

  /** Stops all running nodes; what was acknowledged is kept. */
  public void stop() throws InterruptedException {
    exclusively(() -> {
      List<Node> up = nodes.stream().filter(node -> node.process() != null).toList();
      // all at once: one at a time, each would first wait for the others
      up.forEach(node -> end(node));
      for (Node node : up) {
        node.stop(STOPPED_WITHIN_SECONDS);
      }
    });
  }

  private static void end(Node node) {
    ProcessHandle process = node.process();
    if (process != null) {
      process.destroy();
    }
  }

  /** Removes its directory, if none of its nodes is running. */
  public void remove() throws InterruptedException {
    exclusively(() -> {
      for (Node node : nodes) {
        if (node.process() != null) {
          throw new LockedException(
              directory + ": node " + node.number() + " is running: stop it first");
        }
      }
      FileTrees.remove(directory);
    });
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  /** No other process starts or stops nodes meanwhile. */
  private void exclusively(Step step) throws InterruptedException {
    try (FileChannel channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw busy();
      }
      step.run();
    } catch (OverlappingFileLockException _) {
      throw busy();
    } catch (IOException e) {
      throw new StoreIoException(directory + ": " + e, e);
    }
  }

  private LockedException busy() {
    return new LockedException(
        directory + ": another process is starting or stopping this cluster");
  }
}
