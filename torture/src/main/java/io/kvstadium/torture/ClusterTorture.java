package io.kvstadium.torture;

import io.kvstadium.cluster.LocalCluster;
import io.kvstadium.cluster.Node;
import io.kvstadium.cluster.Signals;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnknownOutcomeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Strikes the nodes of a cluster while clients write and read, and checks whether a write that was
 * acknowledged is lost, and whether a read is older than one. The clients are this process.
 */
public final class ClusterTorture {
  private static final int KEYS_OF_WRITER = 20;
  private static final int VALUE_BYTES = 100;
  private static final int MOST_FINDINGS = 20;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** What is done to nodes. */
  public enum Strike {
    /** One is killed, and started again later. */
    NODE("kill -9 of one node"),
    /** One stands still for some seconds, as in a long garbage collection pause. */
    PAUSE("one node stands still"),
    /** All are killed at once, and started again. */
    NODES("kill -9 of all nodes"),
    /** The disks of all nodes or of one lose what was not flushed; needs {@link ClusterDisks}. */
    POWER("power cut of all nodes or of one");

    private final String description;

    Strike(String description) {
      this.description = description;
    }

    /** A short description for people. */
    public String description() {
      return description;
    }

    /** As on a command line. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The outcome of some rounds.
   *
   * @param acknowledged writes that returned
   * @param reads that gave a value
   * @param refused calls that failed and changed nothing
   * @param unknown writes that nobody answered
   * @param longest time for which a client got no useful answer
   * @param helped why a node did not start on its own, for each round after which one did not
   * @param findings what must not happen
   */
  public record Tally(
      Strike strike,
      int rounds,
      long acknowledged,
      long reads,
      long refused,
      long unknown,
      Duration longest,
      List<String> helped,
      List<String> findings) {}

  private final LocalCluster cluster;
  private final Restart restart;
  private final @Nullable ClusterDisks disks;
  private final Store store;
  private final int writers;
  private final SplittableRandom random;

  /** Starts the nodes that are not running. */
  public interface Restart {
    /**
     * Returns when all nodes answer.
     *
     * @param helped whether a node skips the end of its commit log if that is damaged
     * @throws StadiumException if a node does not start
     */
    void run(boolean helped) throws InterruptedException;
  }

  /**
   * Strikes a cluster whose nodes are all running.
   *
   * @param disks the disks that the nodes run on; {@code null} if no power is cut
   * @param store on the cluster, with an empty default table
   * @param writers the number of concurrent clients
   */
  public ClusterTorture(
      LocalCluster cluster,
      Restart restart,
      @Nullable ClusterDisks disks,
      Store store,
      int writers,
      long seed) {
    this.cluster = cluster;
    this.restart = restart;
    this.disks = disks;
    this.store = store;
    this.writers = writers;
    this.random = new SplittableRandom(seed);
    if (cluster.nodes().size() < 2) {
      throw new BadArgumentException(
          "a cluster of one node: no node is left when it dies; start one of three");
    }
  }

  /**
   * Runs some rounds of one strike.
   *
   * @param ended receives the number of each round that ended
   */
  public Tally run(Strike strike, int rounds, Consumer<Integer> ended)
      throws IOException, InterruptedException {
    store.table().clear();
    Clients clients = new Clients(new Registers(writers * KEYS_OF_WRITER));
    for (int round = 1; round <= rounds; round++) {
      List<Thread> threads = clients.start();
      try {
        rest(500, 2_000);
        strike(strike, clients);
        rest(500, 1_500);
      } finally {
        clients.end(threads);
      }
      if (clients.down) {
        return clients.tally(strike, round);
      }
      clients.readAll();
      ended.accept(round);
    }
    return clients.tally(strike, rounds);
  }

  private void strike(Strike strike, Clients clients) throws IOException, InterruptedException {
    List<Node> nodes = cluster.nodes();
    Node victim = nodes.get(random.nextInt(nodes.size()));
    switch (strike) {
      case NODE -> {
        Signals.kill(process(victim));
        rest(2_000, 6_000); // the others continue meanwhile
        restart.run(false);
      }
      case PAUSE -> {
        ProcessHandle process = process(victim);
        Signals.freeze(process);
        try {
          rest(1_000, 10_000);
        } finally {
          Signals.thaw(process);
        }
      }
      case NODES -> {
        kill(nodes);
        clients.nobodyAnswers();
        restart.run(false);
      }
      case POWER -> {
        ClusterDisks cut = Objects.requireNonNull(disks, "no disks");
        List<Node> victims = random.nextBoolean() ? nodes : List.of(victim);
        cut.cut(victims, random);
        kill(victims);
        if (victims.size() > 1) {
          clients.nobodyAnswers();
        }
        cut.mountAgain(victims);
        restartOrHelp(cut, victims, clients);
      }
    }
  }

  /** Restarts nodes, and helps those that do not start on their own, as an operator would. */
  private void restartOrHelp(ClusterDisks cut, List<Node> victims, Clients clients)
      throws IOException, InterruptedException {
    try {
      restart.run(false);
    } catch (StadiumException e) {
      clients.helped(e);
      for (Node victim : victims) {
        if (victim.process() == null) {
          cut.removeHints(victim);
        }
      }
      try {
        restart.run(true);
      } catch (StadiumException again) {
        clients.doesNotStart(again);
      }
    }
  }

  private static void kill(List<Node> nodes) {
    nodes.stream().map(ClusterTorture::process).parallel().forEach(Signals::kill);
  }

  private static ProcessHandle process(Node node) {
    return Objects.requireNonNull(
        node.process(), () -> "node " + node.number() + " is not running");
  }

  private void rest(int least, int most) throws InterruptedException {
    Thread.sleep(random.nextInt(least, most));
  }

  /** The clients: each writes its own keys, and reads everybody's. */
  private final class Clients {
    private final Registers registers;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong longest = new AtomicLong(); // nanoseconds
    private final List<String> helped = new ArrayList<>();
    private final List<String> findings = Collections.synchronizedList(new ArrayList<>());
    private boolean down; // there are no more rounds
    private volatile boolean ending;
    private volatile boolean counting; // measure how long nobody answers

    Clients(Registers registers) {
      this.registers = registers;
    }

    List<Thread> start() {
      ending = false;
      counting = true;
      List<Thread> threads = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int first = writer * KEYS_OF_WRITER;
        SplittableRandom own = random.split();
        threads.add(
            Thread.ofPlatform().name("torture-client-" + writer).start(() -> work(first, own)));
      }
      return threads;
    }

    void end(List<Thread> threads) throws InterruptedException {
      ending = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }

    /** A node did not start on its own. */
    void helped(StadiumException why) {
      helped.add(String.valueOf(why.getMessage()));
    }

    /** A node did not start even with help; that ends the run. */
    void doesNotStart(StadiumException why) {
      down = true;
      findings.add("a node did not start again: " + why.getMessage());
    }

    /** All nodes are down, so waiting times mean nothing. */
    void nobodyAnswers() {
      counting = false;
    }

    private void work(int first, SplittableRandom own) {
      Table<byte[], byte[]> table = store.table();
      long helped = System.nanoTime();
      while (!ending) {
        boolean written = write(table, first + own.nextInt(KEYS_OF_WRITER));
        boolean read = read(table, own.nextInt(registers.keys()));
        long now = System.nanoTime();
        if (counting) {
          longest.accumulateAndGet(now - helped, Math::max);
        }
        if (written && read) {
          helped = now;
        } else {
          LockSupport.parkNanos(PAUSE.toNanos()); // leaves the processors to starting nodes
        }
      }
    }

    private boolean write(Table<byte[], byte[]> table, int key) {
      long number = registers.attempt(key);
      try {
        table.put(key(key), value(number));
        registers.acknowledged(key, number);
        acknowledged.incrementAndGet();
        return true;
      } catch (UnknownOutcomeException _) {
        unknown.incrementAndGet();
      } catch (StadiumException _) {
        refused.incrementAndGet();
      }
      return false;
    }

    private boolean read(Table<byte[], byte[]> table, int key) {
      long least = registers.least(key);
      try {
        judge(key, least, table.get(key(key)));
        reads.incrementAndGet();
        return true;
      } catch (StadiumException _) {
        refused.incrementAndGet();
        return false;
      }
    }

    private void judge(int key, long least, byte @Nullable [] value) {
      String wrong = registers.judge(key, least, value == null ? 0 : number(value));
      if (wrong != null && findings.size() < MOST_FINDINGS) {
        findings.add(wrong);
      }
    }

    /** Reads by a get of each key, and by a scan. */
    void readAll() {
      Table<byte[], byte[]> table = store.table();
      boolean[] found = new boolean[registers.keys()];
      for (int key = 0; key < registers.keys(); key++) {
        judge(key, registers.least(key), table.get(key(key)));
      }
      try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
        while (cursor.next()) {
          int key = ByteBuffer.wrap(cursor.key()).getInt();
          found[key] = true;
          judge(key, registers.least(key), cursor.value());
        }
      }
      for (int key = 0; key < found.length; key++) {
        if (!found[key]) {
          judge(key, registers.least(key), null);
        }
      }
    }

    Tally tally(Strike strike, int rounds) {
      return new Tally(
          strike,
          rounds,
          acknowledged.get(),
          reads.get(),
          refused.get(),
          unknown.get(),
          Duration.ofNanos(longest.get()),
          List.copyOf(helped),
          List.copyOf(findings));
    }
  }

  private static byte[] key(int key) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(key).array();
  }

  private static byte[] value(long number) {
    return ByteBuffer.allocate(VALUE_BYTES).putLong(number).array();
  }

  private static long number(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }
}
