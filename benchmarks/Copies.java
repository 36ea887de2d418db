import io.kvstadium.transfer.CopyOptions;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.Copy;
import io.kvstadium.transfer.Export;
import io.kvstadium.transfer.ExportOptions;
import io.kvstadium.transfer.format.Format;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;

/**
 * How close a copy comes to the slower of a scan of its source and a bulk load of its target, each
 * alone. Entries have keys of 16 bytes, in order, and values of 1,000 bytes, half of which can be
 * compressed. Each round does everything once; the medians of the rounds are printed, with the
 * slowest and the fastest, which show the machine's noise.
 */
final class Copies {
  private static final int VALUE = 1_000;
  private static final int POOL = 1 << 20;

  private final Engines engines;
  private final Path work;
  private final int entries;
  private final byte[] pool = new byte[POOL + VALUE];

  private Copies(Path home, Path work, double gigabytes) {
    engines = Engines.inFolders(List.of(home.resolve("engines")));
    this.work = work;
    entries = (int) (gigabytes * 1e9 / (VALUE + 16));
    Random random = new Random(1);
    random.nextBytes(pool);
    for (int i = 0; i < pool.length; i++) {
      pool[i] = i / 500 % 2 == 0 ? pool[i] : 0;
    }
  }

  public static void main(String[] args) throws IOException {
    Copies copies = new Copies(Path.of(args[0]), Path.of(args[1]), Double.parseDouble(args[2]));
    int rounds = Integer.parseInt(args[3]);
    System.out.printf("%,d entries of 1,016 bytes, %d rounds; MB/s%n", copies.entries, rounds);
    copies.oneWay("lmdb", "rocksdb", rounds);
    copies.oneWay("rocksdb", "lmdb", rounds);
  }

  private interface Step {
    void run() throws IOException;
  }

  private void oneWay(String from, String to, int rounds) throws IOException {
    String source = from + ":" + work.resolve("source-" + from);
    String target = to + ":" + work.resolve("target-" + to);
    try (Store store = engines.open(source, OpenOptions.DEFAULT)) {
      store.table().bulkLoad(generated(), true);
    }
    double[][] rates = new double[5][rounds];
    for (int i = 0; i < rounds; i++) {
      rates[0][i] = rate(() -> scan(source));
      rates[1][i] = rate(() -> load(target));
      rates[2][i] = rate(() -> copy(source, target, false));
      rates[3][i] = rate(() -> copy(source, target, true));
      rates[4][i] = rate(() -> dump(source));
    }
    engines.destroy(source);
    engines.destroy(target);
    System.out.printf("%n%s to %s%n", from, to);
    double slower = Math.min(median(rates[0]), median(rates[1]));
    print("scan alone", rates[0], 0);
    print("bulk load alone", rates[1], 0);
    print("copy, not verified", rates[2], slower);
    print("copy, verified", rates[3], slower);
    print("export as dump", rates[4], median(rates[0]));
  }

  private double rate(Step step) throws IOException {
    long begun = System.nanoTime();
    step.run();
    return entries * (VALUE + 16) / 1e6 / ((System.nanoTime() - begun) / 1e9);
  }

  private void scan(String url) {
    long bytes = 0;
    try (Store store = engines.open(url, OpenOptions.DEFAULT.readOnly(true));
        Cursor<byte[], byte[]> cursor = store.table().scan(Range.all())) {
      while (cursor.next()) {
        bytes += cursor.key().length + cursor.value().length;
      }
    }
    if (bytes != (long) entries * (VALUE + 16)) {
      throw new IllegalStateException("the scan found " + bytes + " bytes");
    }
  }

  private void load(String url) {
    engines.destroy(url);
    try (Store store = engines.open(url, OpenOptions.DEFAULT)) {
      store.table().bulkLoad(generated(), true);
      store.sync();
    }
  }

  private void copy(String source, String target, boolean verify) {
    engines.destroy(target);
    try (Store from = engines.open(source, OpenOptions.DEFAULT.readOnly(true));
        Store to = engines.open(target, OpenOptions.DEFAULT)) {
      if (Copy.run(from, to, CopyOptions.DEFAULT.verify(verify)).identical() != verify) {
        throw new IllegalStateException("the two differ");
      }
    }
  }

  private void dump(String url) throws IOException {
    Path file = work.resolve("dump");
    try (Store store = engines.open(url, OpenOptions.DEFAULT.readOnly(true));
        OutputStream out = Files.newOutputStream(file)) {
      Export.run(store, out, Format.DUMP, ExportOptions.DEFAULT);
    }
    Files.delete(file);
  }

  private Iterator<Entry<byte[], byte[]>> generated() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < entries;
      }

      @Override
      public Entry<byte[], byte[]> next() {
        byte[] key = ByteBuffer.allocate(16).putLong(next).array();
        int at = (int) (next * 7_919L % POOL);
        next++;
        return new Entry<>(key, Arrays.copyOfRange(pool, at, at + VALUE));
      }
    };
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void print(String what, double[] rates, double of) {
    System.out.printf(
        "  %-20s %6.0f  (%.0f to %.0f)%s%n",
        what,
        median(rates),
        Arrays.stream(rates).min().orElse(0),
        Arrays.stream(rates).max().orElse(0),
        of == 0 ? "" : String.format("  %.2f of the slower", median(rates) / of));
  }
}
