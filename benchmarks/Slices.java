import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Would alternating slices of 50 ms tell two processes apart better than phases of 450 ms one after
 * the other? Pairs of processes, each with its own store, read in both ways by turns. Both are
 * equal, so the logarithm of the ratio of their speeds is noise. Its standard deviation is printed
 * for both ways: over the repetitions within a pair, and over the means of pairs.
 */
final class Slices {
  private static final int ENTRIES = 25_000;
  private static final int SLICE_MILLIS = 50;
  private static final int SLICES = 9;

  public static void main(String[] args) throws IOException {
    if (args[0].equals("child")) {
      child(args[1], args[2], args[3]);
      return;
    }
    Path home = Path.of(args[0]);
    Path work = Path.of(args[1]);
    int pairs = Integer.parseInt(args[2]);
    int repetitions = Integer.parseInt(args[3]);
    double[][] whole = new double[pairs][repetitions];
    double[][] sliced = new double[pairs][repetitions];
    for (int pair = 0; pair < pairs; pair++) {
      try (Side a = new Side(home, args[4], work.resolve(pair + "a"));
          Side b = new Side(home, args[4], work.resolve(pair + "b"))) {
        for (int i = 0; i < repetitions; i++) {
          whole[pair][i] =
              Math.log(a.run(SLICES * SLICE_MILLIS) / b.run(SLICES * SLICE_MILLIS));
          double first = 0;
          double second = 0;
          for (int k = 0; k < SLICES; k++) {
            first += a.run(SLICE_MILLIS);
            second += b.run(SLICE_MILLIS);
          }
          sliced[pair][i] = Math.log(first / second);
        }
      }
    }
    print("one after the other", whole);
    print("alternating slices", sliced);
  }

  private static void print(String way, double[][] logs) {
    double within = 0;
    double[] means = new double[logs.length];
    for (int pair = 0; pair < logs.length; pair++) {
      within += Math.pow(deviation(logs[pair]), 2) / logs.length;
      means[pair] = Arrays.stream(logs[pair]).average().orElseThrow();
    }
    double[] firsts = Arrays.stream(logs).mapToDouble(each -> each[0]).toArray();
    System.out.printf(
        "%-20s within a pair %.4f, between pairs %.4f, one repetition of each pair %.4f%n",
        way, Math.sqrt(within), deviation(means), deviation(firsts));
  }

  private static double deviation(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(each -> (each - mean) * (each - mean)).sum();
    return Math.sqrt(squares / (values.length - 1));
  }

  /** A process that is idle except when it is told to run. */
  private static final class Side implements AutoCloseable {
    private final Process process;
    private final BufferedReader in;

    Side(Path home, String engine, Path directory) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "--sun-misc-unsafe-memory-access=allow",
              "--add-opens",
              "java.base/java.nio=ALL-UNNAMED",
              "--add-opens",
              "java.base/sun.nio.ch=ALL-UNNAMED",
              "-cp",
              System.getProperty("java.class.path"),
              "benchmarks/Slices.java",
              "child",
              home.toString(),
              engine,
              directory.toString()));
      process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      in = process.inputReader();
      in.readLine(); // it is warm
    }

    /** Operations per second. */
    double run(int millis) throws IOException {
      process.getOutputStream().write((millis + "\n").getBytes());
      process.getOutputStream().flush();
      return Double.parseDouble(in.readLine());
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      process.onExit().join();
    }
  }

  private static void child(String home, String engine, String directory) throws IOException {
    Engines engines = Engines.inFolders(List.of(Path.of(home, "engines")));
    try (Store store = engines.open(engine + ":" + directory, OpenOptions.DEFAULT)) {
      Table<byte[], byte[]> table = store.table("t");
      byte[][] keys = new byte[ENTRIES][];
      Random random = new Random(1);
      for (int i = 0; i < ENTRIES; i++) {
        keys[i] = ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(i).array();
      }
      store.write(batch -> {
        for (byte[] key : keys) {
          batch.put(table, key, new byte[400]);
        }
      });
      rate(table, keys, random, 3_000);
      System.out.println("warm");
      BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(rate(table, keys, random, Integer.parseInt(line)));
      }
    }
  }

  private static double rate(Table<byte[], byte[]> table, byte[][] keys, Random random, int millis) {
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000L;
    long operations = 0;
    long now = begin;
    for (; now < end; now = System.nanoTime()) {
      for (int i = 0; i < 64; i++) {
        if (table.get(keys[random.nextInt(keys.length)]) == null) {
          throw new IllegalStateException("an entry is missing");
        }
      }
      operations += 64;
    }
    return operations * 1e9 / (now - begin);
  }
}
