import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.Table;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.help.KeyLocks;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The cost of library calls made in different ways: with and without a listener, a conditional
 * write and a put. All ways run alternately in this process, in blocks of
 * a few hundred calls; each block gives one ratio, of processor time, which other programs disturb
 * less than elapsed time. Run by calls.sh.
 */
final class Calls {
  private static final int RECORDS = 20_000;
  private static final int BLOCK = 500;

  /** One call on the key with a number. */
  private interface Call {
    void on(int number);
  }

  /** A way to call. */
  private record Way(String name, Call call) {}

  private static final class Counting implements StoreListener {
    final LongAdder calls = new LongAdder();
    private final boolean timed;

    Counting(boolean timed) {
      this.timed = timed;
    }

    @Override
    public boolean timesCalls() {
      return timed;
    }

    @Override
    public void called(Call call, String table, long nanoseconds, long moved) {
      calls.increment();
    }
  }

  private final byte[][] keys = new byte[RECORDS][];
  private final byte[][] values = new byte[RECORDS][100];
  private final byte[][] others = new byte[RECORDS][100];
  private final int blocks;
  private byte[] kept = {};
  private long seen;

  private Calls(int blocks) {
    this.blocks = blocks;
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < RECORDS; i++) {
      keys[i] = new byte[16];
      random.nextBytes(keys[i]);
      random.nextBytes(values[i]);
      random.nextBytes(others[i]);
    }
  }

  /**
   * @param args the distribution's directory, one for stores, the number of blocks, and engines
   */
  public static void main(String[] args) throws IOException {
    Engines engines = Engines.inFolders(List.of(Path.of(args[0], "engines")));
    Calls calls = new Calls(Integer.parseInt(args[2]));
    calls.locks();
    for (String engine : args[3].split(",")) {
      Path directory = Files.createTempDirectory(Path.of(args[1]), engine);
      try {
        calls.listeners(engines, engine, directory);
        calls.conditionalWrites(engines, engine, directory);
      } finally {
        delete(directory);
      }
    }
  }

  /** What a store without transactions adds to each of its plain writes. */
  private void locks() {
    KeyLocks locks = new KeyLocks();
    EngineTable table = () -> "table";
    compare(
        "library",
        List.of(
            new Way("access to the key", k -> seen += keys[k][0]),
            new Way("the lock of a plain write", k -> {
              seen += keys[k][0];
              long lock = KeyLocks.of(table, keys[k]);
              locks.lockShared(lock);
              locks.unlockShared(lock);
            })));
  }

  private void listeners(Engines engines, String engine, Path directory) {
    Counting counting = new Counting(false);
    try (Store plain = open(engines, engine, directory, "plain", null);
        Store same = open(engines, engine, directory, "same", null);
        Store counted = open(engines, engine, directory, "counted", counting);
        Store timed = open(engines, engine, directory, "timed", new Counting(true))) {
      List<Store> stores = List.of(plain, same, counted, timed);
      for (int i = 0; i < RECORDS; i++) {
        for (Store store : stores) {
          store.table().put(keys[i], values[i]);
        }
      }
      long before = counting.calls.sum();
      for (String what : List.of("get", "put")) {
        List<Way> ways = new ArrayList<>();
        List<String> names =
            List.of("no listener", "no listener again", "a listener", "a listener that times");
        for (int i = 0; i < stores.size(); i++) {
          Table<byte[], byte[]> table = stores.get(i).table();
          ways.add(
              new Way(
                  what + ", " + names.get(i),
                  what.equals("get")
                      ? k -> kept = table.get(keys[k])
                      : k -> table.put(keys[k], values[k])));
        }
        compare(engine, ways);
      }
      if (counting.calls.sum() == before) {
        throw new IllegalStateException("the listener was not notified");
      }
    }
  }

  private void conditionalWrites(Engines engines, String engine, Path directory) {
    byte[] number = ByteBuffer.allocate(Long.BYTES).array();
    try (Store plain = open(engines, engine, directory, "put", null);
        Store conditional = open(engines, engine, directory, "conditional", null)) {
      Table<byte[], byte[]> put = plain.table();
      Table<byte[], byte[]> table = conditional.table();
      Table<byte[], byte[]> put8 = plain.table("numbers");
      Table<byte[], byte[]> numbers = conditional.table("numbers");
      for (int i = 0; i < RECORDS; i++) {
        put.put(keys[i], values[i]);
        table.put(keys[i], values[i]);
        put8.put(keys[i], number);
        numbers.put(keys[i], number);
      }
      Way puts = new Way("put", k -> put.put(keys[k], values[k]));
      compare(
          engine,
          List.of(
              puts,
              new Way("get and put", k -> {
                kept = put.get(keys[k]);
                put.put(keys[k], values[k]);
              }),
              new Way("putIfAbsent, present", k -> {
                if (table.putIfAbsent(keys[k], values[k])) {
                  throw new IllegalStateException("it was there");
                }
              }),
              new Way("replace", k -> {
                if (!table.replace(keys[k], values[k], values[k])) {
                  throw new IllegalStateException("it was as expected");
                }
              }),
              new Way("compute", k -> table.compute(keys[k], value -> values[k]))));
      compare(
          engine,
          List.of(
              new Way("put of 8 bytes", k -> put8.put(keys[k], number)),
              new Way("increment", k -> numbers.increment(keys[k], 1))));
    }
  }

  private static Store open(
      Engines engines, String engine, Path directory, String name, StoreListener listener) {
    OpenOptions options = OpenOptions.DEFAULT;
    return engines.open(
        engine.equals("memory")
            ? "memory:" + name
            : engine + ":" + directory.resolve(name) + "?durability=none",
        listener == null ? options : options.listener(listener));
  }

  /** Runs blocks of all ways in turns, in changing order; the first third warms up. */
  private void compare(String engine, List<Way> ways) {
    double[][] nanos = new double[ways.size()][blocks];
    SplittableRandom random = new SplittableRandom(2);
    int[] order = new int[BLOCK];
    for (int block = -blocks / 2; block < blocks; block++) {
      for (int turn = 0; turn < ways.size(); turn++) {
        for (int i = 0; i < BLOCK; i++) { // not the keys that the previous turn cached
          order[i] = random.nextInt(RECORDS);
        }
        int way = Math.floorMod(turn + block, ways.size());
        double took = run(ways.get(way).call(), order);
        if (block >= 0) {
          nanos[way][block] = took;
        }
      }
    }
    double first = median(nanos[0]);
    for (int way = 0; way < ways.size(); way++) {
      double[] above = new double[blocks];
      for (int block = 0; block < blocks; block++) {
        above[block] = nanos[way][block] - nanos[0][block];
      }
      double now = median(nanos[way]);
      System.out.printf(
          "%-10s %-30s %9.0f ns  ratio %5.2f  above the first %+8.0f ns%n",
          engine, ways.get(way).name(), now, now / first, median(above));
    }
    if (kept == null || seen == Long.MIN_VALUE) {
      throw new IllegalStateException("a key was missing");
    }
  }

  private static double run(Call call, int[] order) {
    long begun = processorTime();
    for (int number : order) {
      call.on(number);
    }
    return (processorTime() - begun) / (double) order.length;
  }

  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
