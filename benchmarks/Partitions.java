import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The work of the busiest node of a cluster, as a multiple of the average node's, where a table is
 * split into P partitions by a hash of the key. Each partition is at a random position of a ring of
 * tokens, 16 per node, and is stored on the nodes of the next three tokens of different nodes, as
 * in Cassandra with random tokens. The three share its work evenly: all take part in a write, a
 * random two of them in a read at QUORUM. Key popularity follows Zipf's law: the i-th most popular
 * key is accessed in proportion to i^-s.
 */
final class Partitions {
  private static final int TOKENS = 16;
  private static final int REPLICAS = 3;
  private static final int KEYS = 1_000_000;
  private static final int CLUSTERS = 101;

  private final int nodes;
  private final long[] tokens; // ascending, with the node in the last ten bits
  private final SplittableRandom random;

  private Partitions(int nodes, long seed) {
    this.nodes = nodes;
    random = new SplittableRandom(seed);
    tokens = new long[nodes * TOKENS];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = random.nextLong() & -1024 | i % nodes;
    }
    Arrays.sort(tokens);
  }

  private static int node(long token) {
    return (int) (token & 1023);
  }

  /** The nodes that store a random position of the ring. */
  private int[] replicas() {
    int at = ~Arrays.binarySearch(tokens, random.nextLong() & -1024 | 1023) % tokens.length;
    at = Math.floorMod(at, tokens.length);
    int[] found = new int[REPLICAS];
    for (int count = 0; count < REPLICAS; at = (at + 1) % tokens.length) {
      int node = node(tokens[at]);
      if (Arrays.stream(found, 0, count).noneMatch(other -> other == node)) {
        found[count++] = node;
      }
    }
    return found;
  }

  /** The busiest node's share of all work times the number of nodes. */
  private double busiest(double[] popularity, int partitions) {
    double[] asked = new double[partitions];
    for (double each : popularity) {
      asked[random.nextInt(partitions)] += each;
    }
    double[] load = new double[nodes];
    for (double each : asked) {
      for (int node : replicas()) {
        load[node] += each / REPLICAS;
      }
    }
    return Arrays.stream(load).max().orElseThrow() * nodes; // the total is 1
  }

  private static double[] zipf(double s) {
    double[] popularity = new double[KEYS];
    for (int i = 0; i < KEYS; i++) {
      popularity[i] = Math.pow(i + 1.0, -s);
    }
    double sum = Arrays.stream(popularity).sum();
    return Arrays.stream(popularity).map(each -> each / sum).toArray();
  }

  public static void main(String[] args) {
    System.out.printf(
        "The busiest node's work, as a multiple of the average: median and greatest of %d clusters,%n"
            + "%,d keys, %d replicas%n",
        CLUSTERS, KEYS, REPLICAS);
    for (double s : new double[] {0, 0.8, 0.99, 1.2}) {
      double[] popularity = zipf(s);
      System.out.printf(
          "%nZipf s=%.2f, the most popular key is asked for in %.2f %% of the operations%n",
          s, 100 * popularity[0]);
      for (int partitions : new int[] {1, 16, 64, 256, 1024, 4096}) {
        StringBuilder line = new StringBuilder("%6d partitions".formatted(partitions));
        for (int nodes : new int[] {3, 6, 12, 100}) {
          double[] seen = new double[CLUSTERS];
          for (int i = 0; i < CLUSTERS; i++) {
            seen[i] = new Partitions(nodes, i).busiest(popularity, partitions);
          }
          Arrays.sort(seen);
          line.append(
              "   %3d nodes ×%5.2f (%5.2f)"
                  .formatted(nodes, seen[CLUSTERS / 2], seen[CLUSTERS - 1]));
        }
        System.out.println(line);
      }
    }
  }
}
