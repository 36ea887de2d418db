package io.kvstadium.benchmarks;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What library and adapter cost: each operation through the library and by hand, on a store of its
 * own with the same entries, at a level that keeps the disk out of it. Batches are those of xodus
 * and postgresql only.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls what is annotated with Setup
public class LibraryOverhead {
  private static final int RECORDS = 100_000;
  private static final int BATCH = 100;

  /** So many at once, or the cleaning after the loading would be measured with the reads. */
  private static final int LOADED = 1_000;

  @Param({"rocksdb", "lmdb", "sqlite", "mvstore", "mapdb", "berkeleydb"})
  public String engine = "";

  @Param("100")
  public int valueSize;

  @Param("100")
  public int scanned;

  private final SplittableRandom random = new SplittableRandom(1);
  private final byte[][] keys = new byte[RECORDS][];
  private byte[] value;
  private Path directory;
  private Store store;
  private Table<byte[], byte[]> table;
  private ByHand byHand;
  private long seen;

  /** Opens both stores and loads the same entries. */
  @Setup(Level.Trial)
  public void open() throws Exception {
    directory = Files.createTempDirectory("stadium-overhead");
    value = new byte[valueSize];
    random.nextBytes(value);
    Engines engines = Engines.installed();
    store = engines.open(url(directory.resolve("library")), OpenOptions.DEFAULT);
    table = store.table();
    Path other = Files.createDirectories(directory.resolve("by hand"));
    byHand = ByHand.open(engine, engines.config(url(other)));
    for (int i = 0; i < RECORDS; i++) {
      keys[i] = new byte[16];
      random.nextBytes(keys[i]);
    }
    for (int from = 0; from < RECORDS; from += LOADED) {
      List<byte[]> some = List.of(keys).subList(from, from + LOADED);
      store.write(batch -> some.forEach(key -> batch.put(table, key, value)));
      byHand.putAll(some, value);
    }
  }

  private String url(Path place) {
    return engine + ":" + place + "?durability=" + (engine.equals("xodus") ? "process" : "none");
  }

  private byte[] key() {
    return keys[random.nextInt(RECORDS)];
  }

  @Benchmark
  public byte @Nullable [] getByHand() throws Exception {
    return byHand.get(key());
  }

  @Benchmark
  public byte @Nullable [] getThroughLibrary() {
    return table.get(key());
  }

  @Benchmark
  public void putByHand() throws Exception {
    byHand.put(key(), value);
  }

  @Benchmark
  public void putThroughLibrary() {
    table.put(key(), value);
  }

  private List<byte[]> someKeys() {
    return Stream.generate(this::key).limit(BATCH).distinct().toList();
  }

  @Benchmark
  public void batchByHand() throws Exception {
    byHand.putAll(someKeys(), value);
  }

  @Benchmark
  public void batchThroughLibrary() {
    store.write(batch -> someKeys().forEach(key -> batch.put(table, key, value)));
  }

  /** Entries from a random key on, keys and values. */
  @Benchmark
  public void scanByHand(Blackhole seen) throws Exception {
    byHand.scan(
        key(),
        scanned,
        (key, found) -> {
          seen.consume(key);
          seen.consume(found);
        });
  }

  /** The same through the library. */
  @Benchmark
  public void scanThroughLibrary(Blackhole seen) {
    try (Cursor<byte[], byte[]> cursor =
        table.scan(Range.<byte[]>all().from(key(), true).limit(scanned))) {
      while (cursor.next()) {
        seen.consume(cursor.key());
        seen.consume(cursor.value());
      }
    }
  }

  /** Entries from a random key on, in place; lmdb only. */
  @Benchmark
  public long viewByHand() throws Exception {
    return byHand.view(key(), scanned);
  }

  /** The same through the library. */
  @Benchmark
  public long viewThroughLibrary() {
    seen = 0;
    try (Cursor<byte[], byte[]> cursor =
        table.scan(Range.<byte[]>all().from(key(), true).limit(scanned))) {
      cursor.readRemaining((key, found) -> {
        seen += seen(key) + seen(found);
        return true;
      });
    }
    return seen;
  }

  private static long seen(MemorySegment found) {
    return found.byteSize() + found.get(ValueLayout.JAVA_BYTE, 0);
  }

  /** Closes and removes both stores. */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    byHand.close();
    store.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
