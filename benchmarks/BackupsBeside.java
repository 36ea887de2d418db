import io.kvstadium.backup.Backup;
import io.kvstadium.backup.Backups;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.Options;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * How a backup affects readers. One thread reads random keys of a RocksDB store, another updates
 * 10,000 per second at {@code consistent}. In each round they run alone for as long as the previous
 * round's backup took, then during a complete backup into a new directory.
 */
final class BackupsBeside {
  private static final int VALUE = 1_000;
  private static final int RATE = 10_000;
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Engines engines;
  private final Path work;
  private final int entries;
  private final byte[] pool = new byte[(1 << 20) + VALUE];
  private final long maxRate;

  private BackupsBeside(Path home, Path work, double gigabytes, long maxRate) {
    this.maxRate = maxRate;
    engines = Engines.inFolders(List.of(home.resolve("engines")));
    this.work = work;
    entries = (int) (gigabytes * 1e9 / (VALUE + 16));
    new SplittableRandom(1).nextBytes(pool);
  }

  /** The latencies of some reads in nanoseconds, and the number of updates meanwhile. */
  private record Window(Histogram reads, double seconds, double updates) {
    void print(String what) {
      System.out.printf(
          "  %-14s %5.1f s  %,9.0f reads/s  %,7.0f updates/s  p50 %5.1f  p99 %7.1f  p99.9 %8.1f µs%n",
          what,
          seconds,
          reads.getTotalCount() / seconds,
          updates / seconds,
          reads.getValueAtPercentile(50) / 1e3,
          reads.getValueAtPercentile(99) / 1e3,
          reads.getValueAtPercentile(99.9) / 1e3);
    }
  }

  public static void main(String[] args) throws Exception {
    BackupsBeside benchmark =
        new BackupsBeside(
            Path.of(args[0]),
            Path.of(args[1]),
            Double.parseDouble(args[2]),
            Options.parseSize(args[4]));
    benchmark.run(Integer.parseInt(args[3]));
  }

  private void run(int rounds) throws Exception {
    AtomicLong updates = new AtomicLong();
    ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
    try (Store store =
        engines.open("rocksdb:" + work.resolve("store"), OpenOptions.DEFAULT)) {
      store.table().bulkLoad(generated(), true);
      store.compact();
      SplittableRandom random = new SplittableRandom(2);
      Future<?> updating =
          writer.scheduleAtFixedRate(
              () -> {
                for (int i = 0; i < RATE / 100; i++) {
                  store.table().put(key(random.nextInt(entries)), value(random.nextInt(1 << 20)));
                }
                updates.addAndGet(RATE / 100);
              },
              0,
              10,
              TimeUnit.MILLISECONDS);
      System.out.printf("%,d entries of 1,016 bytes, %d rounds%n", entries, rounds);
      window(store, updates, () -> {}, FIRST_NANOS); // warms up
      double[] ratios = new double[rounds];
      long nanos = FIRST_NANOS;
      for (int i = 0; i < rounds; i++) {
        Window alone = window(store, updates, () -> {}, nanos);
        Path into = work.resolve("backups-" + i);
        Window beside = window(store, updates, () -> Backups.in(into).create(store, maxRate), 0);
        nanos = (long) (beside.seconds() * 1e9);
        Backup made = Backups.in(into).list().getLast();
        alone.print("alone");
        beside.print("beside backup");
        ratios[i] =
            (double) beside.reads().getValueAtPercentile(99)
                / alone.reads().getValueAtPercentile(99);
        System.out.printf(
            "  backup of %.2f GB at %.0f MB/s, p99 ×%.2f%n",
            made.bytes() / 1e9, made.bytes() / 1e6 / beside.seconds(), ratios[i]);
        Backups.in(into).delete(made.id());
      }
      updating.cancel(false);
      writer.shutdown();
      writer.awaitTermination(1, TimeUnit.MINUTES);
      Arrays.sort(ratios);
      System.out.printf("p99 during a backup: ×%.2f, the median of the rounds%n", ratios[rounds / 2]);
    } finally {
      writer.shutdownNow();
    }
  }

  /** Reads on this thread while something else runs, and at least for the given time. */
  private Window window(Store store, AtomicLong updates, Runnable other, long least)
      throws Exception {
    Histogram reads = new Histogram(3);
    SplittableRandom random = new SplittableRandom(3);
    long before = updates.get();
    try (var executor = Executors.newSingleThreadExecutor()) {
      Future<?> running = executor.submit(other);
      long begun = System.nanoTime();
      long now = begun;
      while (!running.isDone() || now - begun < least) {
        byte[] key = key(random.nextInt(entries));
        long start = System.nanoTime();
        byte[] value = store.table().get(key);
        now = System.nanoTime();
        reads.recordValue(now - start);
        if (value == null) {
          throw new IllegalStateException("a key is missing");
        }
      }
      running.get();
      return new Window(reads, (now - begun) / 1e9, updates.get() - before);
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(16).putLong(number).array();
  }

  private byte[] value(int at) {
    return Arrays.copyOfRange(pool, at, at + VALUE);
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
        return new Entry<>(key(next), value((int) (next++ * 7_919L % (1 << 20))));
      }
    };
  }
}
