import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * Operations per second of the library on a Cassandra node, and of the driver used by hand on a
 * table of the same form: eight threads, half gets and half puts of 1 kB among 50,000 keys; and
 * multi-gets of 1,000 keys compared with as many single gets. Alternating rounds; medians.
 */
final class CassandraByHand {
  private static final int KEYS = 50_000;
  private static final int THREADS = 8;
  private static final int PARTITIONS = 16;
  private static final int MANY = 1_000;
  private static final byte[] VALUE = new byte[1_000];

  private CassandraByHand() {}

  /** A get or a put, by either client. */
  private interface Client {
    byte[] get(byte[] key);

    void put(byte[] key, byte[] value);
  }

  public static void main(String[] args) throws InterruptedException {
    Engines engines = Engines.inFolders(List.of(Path.of(args[0], "engines")));
    String[] host = args[1].split(":");
    int rounds = Integer.parseInt(args[2]);
    long nanos = Long.parseLong(args[3]) * 1_000_000_000;
    new SplittableRandom(1).nextBytes(VALUE);
    try (Store store =
            engines.open("cassandra://" + args[1] + "/library?durability=none", OpenOptions.DEFAULT);
        CqlSession session =
            CqlSession.builder()
                .addContactPoint(new InetSocketAddress(host[0], Integer.parseInt(host[1])))
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(
                    DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                        .build())
                .build()) {
      Table<byte[], byte[]> table = store.table();
      Client library = library(table);
      Client driver = driver(session);
      for (int i = 0; i < KEYS; i++) {
        library.put(key(i), VALUE);
        driver.put(key(i), VALUE);
      }
      double[] ratios = new double[rounds];
      for (int i = -1; i < rounds; i++) { // the first one warms up
        double byLibrary = rate(library, nanos);
        double byHand = rate(driver, nanos);
        System.out.printf("library %,7.0f/s  driver by hand %,7.0f/s%n", byLibrary, byHand);
        if (i >= 0) {
          ratios[i] = byLibrary / byHand;
        }
      }
      System.out.printf(
          "gets and puts: library / by hand %.3f %s%n", median(ratios), Arrays.toString(ratios));
      for (int i = -1; i < rounds; i++) {
        double ratio = single(library) / (double) together(table);
        if (i >= 0) {
          ratios[i] = ratio;
        }
      }
      System.out.printf(
          "1,000 gets / one multiGet of them %.1f %s%n", median(ratios), Arrays.toString(ratios));
    }
  }

  private static Client library(Table<byte[], byte[]> table) {
    return new Client() {
      @Override
      public byte[] get(byte[] key) {
        return table.get(key);
      }

      @Override
      public void put(byte[] key, byte[] value) {
        table.put(key, value);
      }
    };
  }

  private static Client driver(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS byhand WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE byhand.t (p int, k blob, v blob, PRIMARY KEY (p, k))");
    PreparedStatement get = session.prepare("SELECT v FROM byhand.t WHERE p = ? AND k = ?");
    PreparedStatement put = session.prepare("INSERT INTO byhand.t (p, k, v) VALUES (?, ?, ?)");
    return new Client() {
      @Override
      public byte[] get(byte[] key) {
        Row row = session.execute(get.bind(partition(key), ByteBuffer.wrap(key))).one();
        ByteBuffer value = row.getByteBuffer(0);
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return bytes;
      }

      @Override
      public void put(byte[] key, byte[] value) {
        session.execute(put.bind(partition(key), ByteBuffer.wrap(key), ByteBuffer.wrap(value)));
      }
    };
  }

  private static int partition(byte[] key) {
    CRC32C hash = new CRC32C();
    hash.update(key);
    return (int) (hash.getValue() % PARTITIONS);
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(16).putLong(8, number).array();
  }

  private static double rate(Client client, long nanos) throws InterruptedException {
    AtomicLong operations = new AtomicLong();
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      begin.await();
                    } catch (InterruptedException e) {
                      return;
                    }
                    long end = System.nanoTime() + nanos;
                    long done = 0;
                    while (System.nanoTime() < end) {
                      byte[] key = key(random.nextInt(KEYS));
                      if (random.nextBoolean()) {
                        check(client.get(key));
                      } else {
                        client.put(key, VALUE);
                      }
                      done++;
                    }
                    operations.addAndGet(done);
                  }));
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    return operations.get() / (nanos / 1e9);
  }

  private static long single(Client client) {
    long begun = System.nanoTime();
    for (int i = 0; i < MANY; i++) {
      check(client.get(key(i)));
    }
    return System.nanoTime() - begun;
  }

  private static long together(Table<byte[], byte[]> table) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      keys.add(key(i));
    }
    long begun = System.nanoTime();
    table.multiGet(keys).forEach(CassandraByHand::check);
    return System.nanoTime() - begun;
  }

  private static void check(byte[] value) {
    if (value == null || value.length != VALUE.length) {
      throw new IllegalStateException("no such value");
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
