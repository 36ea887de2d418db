package io.kvstadium.cli.serve;

import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cluster.CassandraProgram;
import io.kvstadium.cluster.LocalCluster;
import io.kvstadium.cluster.Node;
import io.kvstadium.store.BadArgumentException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium cluster}: runs nodes on this machine, to try what several machines would do. */
@Command(
    name = "cluster",
    description = {
      FirstSentences.CLUSTER,
      "It shows what happens when nodes die. For data that matters, use separate machines."
    },
    synopsisSubcommandLabel = "start|status|stop")
public final class ClusterCommand implements Callable<Integer> {
  private static final int NODES = 3;
  private static final int PORT = 9042;
  private static final long MEMORY = 512L << 20;
  private static final long MIN_MEMORY = 128L << 20;
  private static final long MAX_MEMORY = 64L << 30;

  @Spec private CommandSpec spec;

  /** Where a cluster is. */
  public static final class Place {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        defaultValue = "stadium-cluster",
        description = "The cluster's directory (default: stadium-cluster).")
    private Path directory;
  }

  /** What runs on its nodes. */
  public static final class Program {
    @Option(
        names = "--home",
        paramLabel = "DIR",
        description = "An unpacked Apache Cassandra 5.0 (default: $CASSANDRA_HOME).")
    private @Nullable Path home;

    @Option(
        names = "--java",
        paramLabel = "HOME",
        description = "A Java 17 (default: one in /usr/lib/jvm).")
    private @Nullable Path java;

    CassandraProgram find() {
      return CassandraProgram.find(homes(), java);
    }

    /**
     * The given home, or else the one that the environment names, or the one that the engine's
     * tests use.
     */
    private List<Path> homes() {
      if (home != null) {
        return List.of(home);
      }
      List<Path> homes = new ArrayList<>();
      String named = System.getenv("CASSANDRA_HOME");
      if (named != null && !named.isEmpty()) {
        homes.add(Path.of(named));
      }
      Path engines = Installed.inHome("engines");
      if (engines != null) { // of a checkout
        homes.add(engines.resolve("../../engines/cassandra/node/target/node").normalize());
      }
      return homes;
    }
  }

  @Override
  public Integer call() {
    throw new BadArgumentException("say what to do: 'stadium cluster start', status or stop");
  }

  @Command(
      name = "start",
      description = {
        "Starts the nodes of a cluster that are not running; creates the cluster if there is none.",
        "They keep running after this command has ended, until 'stadium cluster stop'."
      })
  public int start(
      @Mixin Place place,
      @Mixin Program program,
      @Parameters(
              paramLabel = "ENGINE",
              arity = "0..1",
              defaultValue = "cassandra",
              description = "cassandra, the only one and the default.")
          String engine,
      @Option(names = "--nodes", paramLabel = "N", description = "How many nodes (default: 3).")
          @Nullable Integer nodes,
      @Option(
              names = "--port",
              paramLabel = "PORT",
              description =
                  "Client port of the first node; the others use the next ones (default: 9042); 0"
                      + " for any free ones.")
          @Nullable Integer port,
      @Option(
              names = "--memory",
              paramLabel = "SIZE",
              description =
                  "Heap of each node (default: 512m). A node takes as much again outside its heap.")
          @Nullable String memory)
      throws InterruptedException {
    if (!engine.equals("cassandra")) {
      throw new BadArgumentException(
          "a cluster of '" + engine + "' cannot be started here: use cassandra");
    }
    CassandraProgram found = program.find();
    LocalCluster cluster =
        LocalCluster.exists(place.directory)
            ? existing(place.directory, nodes, port, memory)
            : LocalCluster.create(
                place.directory,
                nodes == null ? NODES : nodes,
                port == null ? PORT : port,
                memory == null ? MEMORY : heap(memory));
    long begun = System.nanoTime();
    cluster.start(
        found,
        node ->
            say(
                "node %d answers on 127.0.0.1:%d after %.0f s",
                node.number(), node.port(), (System.nanoTime() - begun) / 1e9));
    String directory = place.directory.toString();
    String stop = directory.equals("stadium-cluster") ? "" : " --dir " + directory;
    say("ready: %s?durability=power", cluster.url("app"));
    say("'stadium cluster stop%s' stops it.", stop);
    return 0;
  }

  private static LocalCluster existing(
      Path directory, @Nullable Integer nodes, @Nullable Integer port, @Nullable String memory) {
    LocalCluster cluster = LocalCluster.open(directory);
    int own = cluster.nodes().size();
    if ((nodes != null && nodes != own) || port != null || memory != null) {
      throw new BadArgumentException(
          "the cluster in %s has %d nodes, whose ports and memory are already set: start it without --nodes, --port and --memory, or name another --dir"
              .formatted(directory, own));
    }
    return cluster;
  }

  private static long heap(String memory) {
    long bytes = Quantities.size("--memory", memory);
    if (bytes < MIN_MEMORY || bytes > MAX_MEMORY) {
      throw new BadArgumentException(
          "--memory %s: give %s to %s"
              .formatted(memory, Units.bytes(MIN_MEMORY), Units.bytes(MAX_MEMORY)));
    }
    return bytes;
  }

  @Command(name = "status", description = "Lists the nodes; exits with 1 if one does not answer.")
  public int status(@Mixin Place place) {
    LocalCluster cluster = LocalCluster.open(place.directory);
    boolean all = true;
    say("%4s  %-15s  %9s  %s", "node", "address", "process", "state");
    for (Node node : cluster.nodes()) {
      ProcessHandle process = node.process();
      boolean answers = process != null && node.answers();
      all &= answers;
      say(
          "%4d  %-15s  %9s  %s",
          node.number(),
          "127.0.0.1:" + node.port(),
          process == null ? "-" : process.pid(),
          process == null ? "down" : answers ? "up" : "does not answer");
    }
    return all ? 0 : 1;
  }

  @Command(name = "stop", description = "Stops the nodes. Acknowledged writes are kept.")
  public int stop(
      @Mixin Place place,
      @Option(names = "--remove", description = "Also removes the directory, with all entries.")
          boolean remove)
      throws InterruptedException {
    LocalCluster cluster = LocalCluster.open(place.directory);
    cluster.stop();
    if (remove) {
      cluster.remove();
    }
    say(
        remove
            ? "stopped and removed"
            : "stopped; 'stadium cluster start' starts it again with its entries");
    return 0;
  }

  @SuppressWarnings("AnnotateFormatMethod") // would be a dependency for one annotation
  private void say(String format, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
