package io.kvstadium.benchmarks;

import io.kvstadium.store.Recording;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
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
 * What a recording costs the thread that calls: gets and puts with and without one, with work in
 * between, so that the writer keeps up. The end prints what was dropped: a drop is cheaper.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls what is annotated with Setup
public class RecordingOverhead {
  @Param({"memory", "rocksdb"})
  public String engine = "";

  @Param({"off", "on", "1/16"})
  public String record = "";

  /** Few, or misses of the processor's caches hide the difference. */
  @Param({"1000", "100000"})
  public int records;

  /** About a nanosecond each. */
  @Param("500")
  public int work;

  private final SplittableRandom random = new SplittableRandom(1);
  private byte[][] keys = {};
  private final byte[] value = new byte[100];
  private Path directory;
  private Store store;
  private Table<byte[], byte[]> table;
  private @Nullable Recording recording;

  /** Opens and loads the store, and begins to record. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    directory = Files.createTempDirectory("stadium-recording");
    store = Stadium.open(engine + ":" + directory.resolve("store") + "?durability=none");
    table = store.table();
    keys = new byte[records][];
    for (int i = 0; i < records; i++) {
      keys[i] = new byte[16];
      random.nextBytes(keys[i]);
      table.put(keys[i], value);
    }
    if (!record.equals("off")) {
      recording =
          Recording.start(
              store,
              Recording.Options.parse(
                  directory.resolve("app.trace").toString(),
                  record.equals("on") ? null : record,
                  null));
    }
  }

  @Benchmark
  public byte @Nullable [] get() {
    Blackhole.consumeCPU(work);
    return table.get(keys[random.nextInt(records)]);
  }

  @Benchmark
  public void put() {
    Blackhole.consumeCPU(work);
    table.put(keys[random.nextInt(records)], value);
  }

  /** Closes and removes everything. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    store.close();
    if (recording != null) {
      System.out.println(
          "dropped: "
              + recording.dropped()
              + "; the file has "
              + Files.size(recording.file())
              + " bytes");
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
