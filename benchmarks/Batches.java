import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The library on its own with batches of 16: one thread, the keys and values of redis-benchmark.
 * Prints operations per second. Run by server.sh.
 */
final class Batches {
  private static final int KEYS = 100_000;
  private static final int BATCH = 16;
  private static final long WARM_UP_NANOS = 3_000_000_000L;

  private final Store store;
  private final Table<byte[], byte[]> table;
  private final byte[][] keys = new byte[KEYS][];
  private final byte[] value = new byte[100];
  private final SplittableRandom random = new SplittableRandom(1);
  private long seen;

  private Batches(Store store) {
    this.store = store;
    this.table = store.table();
    for (int i = 0; i < KEYS; i++) {
      keys[i] = "key:%012d".formatted(i).getBytes(StandardCharsets.US_ASCII);
    }
    random.nextBytes(value);
  }

  /**
   * @param args the distribution's directory, a URL, and the number of operations of each kind
   */
  public static void main(String[] args) {
    Engines engines = Engines.inFolders(List.of(Path.of(args[0], "engines")));
    try (Store store = engines.open(args[1], OpenOptions.DEFAULT)) {
      Batches batches = new Batches(store);
      long operations = Long.parseLong(args[2]);
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < WARM_UP_NANOS) {
        batches.rate(batches::put, KEYS);
        batches.rate(batches::get, KEYS);
      }
      System.out.printf("SET %.0f%n", batches.rate(batches::put, operations));
      System.out.printf("GET %.0f%n", batches.rate(batches::get, operations));
      if (batches.seen == 0) {
        throw new IllegalStateException("nothing was read");
      }
    }
  }

  private double rate(Runnable batch, long operations) {
    long begin = System.nanoTime();
    for (long done = 0; done < operations; done += BATCH) {
      batch.run();
    }
    return operations * 1e9 / (System.nanoTime() - begin);
  }

  private byte[] key() {
    return keys[random.nextInt(KEYS)];
  }

  private void put() {
    store.write(batch -> {
      for (int i = 0; i < BATCH; i++) {
        batch.put(table, key(), value);
      }
    });
  }

  private void get() {
    List<byte[]> wanted = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      wanted.add(key());
    }
    for (byte[] each : table.multiGet(wanted)) {
      seen += each == null ? 0 : 1;
    }
  }
}
