package io.kvstadium.engine.rocksjava;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** RocksDB's own work, and what a full disk does to it. */
class BackgroundTest extends StoreFixture {
  @Test
  @Timeout(60)
  void tellsWhatIsStillToBeCompactedUntilItIs() throws Exception {
    // given more files than RocksDB likes, and no permission to compact them
    Map<String, String> small = Map.of("write_buffer_size", "64k", "compression", "none");
    Map<String, String> idle = new HashMap<>(small);
    idle.put("disable_auto_compactions", "true");
    Random random = new Random(1);
    try (RocksDbStore store = open(idle)) {
      assertThat(store.background()).isEqualTo(BackgroundWork.NONE);
      RocksDbTable table = store.openTable("default", options(idle), true);
      byte[] value = new byte[20_000];
      for (int i = 0; i < 100; i++) {
        random.nextBytes(value);
        store.put(table, bytes("key" + random.nextInt(1_000)), value);
      }
      await(() -> store.background().pendingBytes() > 0);
      assertThat(store.background().jobs()).isPositive();
    }

    // when it may compact them
    try (RocksDbStore store = open(small)) {
      // then nothing is due in the end
      await(() -> store.background().equals(BackgroundWork.NONE));
    }
  }

  @Test
  @Timeout(60)
  void tellsHowLongItHeldWritersUpAndWhatToSet() throws Exception {
    Map<String, String> small = Map.of("write_buffer_size", "64k", "compression", "none");
    Random random = new Random(1);
    try (RocksDbStore store = open(small)) {
      RocksDbTable table = store.openTable("default", options(small), true);
      assertThat(store.stalls().causes()).isEmpty();
      byte[] value = new byte[20_000];

      await(() -> { // a memtable takes three of these
        random.nextBytes(value);
        store.put(table, bytes("key" + random.nextInt(1_000)), value);
        return store.stalls().nanos() > 0 && !store.stalls().causes().isEmpty();
      });

      assertThat(store.stalls().causes())
          .allSatisfy(each -> assertThat(each.times()).isPositive())
          .allSatisfy(each -> assertThat(each.advice()).startsWith("set "));
    }
  }

  @Test
  @Timeout(60)
  void aStoreWhoseDiskWasFullStaysStopped() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      // given that there was no space for one table file, but there is for the next
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      store.put(table, bytes("k"), bytes("v"));
      store.compact(table);
      int last = tableFile();
      for (int number = last + 1; number <= last + 3; number++) {
        Files.createSymbolicLink(
            directory.resolve("%06d.sst".formatted(number)), Path.of("/dev/full"));
      }
      store.put(table, bytes("k"), bytes("w"));
      assertFails(Kind.FULL, () -> store.compact(table));

      // when its background work has ended
      await(() -> Files.readString(directory.resolve("LOG")).contains("canceling all background"));

      // then it has not resumed, and reads still work
      assertFails(Kind.FULL, () -> store.put(table, bytes("k"), bytes("x")));
      assertThat(store.get(table, bytes("k"))).isEqualTo(bytes("w"));
    }
  }

  /** Returns the number of the only table file. */
  private int tableFile() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      String name =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".sst"))
              .findAny()
              .orElseThrow();
      return Integer.parseInt(name.substring(0, name.indexOf('.')));
    }
  }

  @Test
  void allThatAFullDiskEndsInIsToldAsOne() {
    String said = "No space left on device";
    for (Exception each :
        List.of(
            thrown(Status.Code.IOError, Status.SubCode.NoSpace, said),
            thrown(Status.Code.Incomplete, Status.SubCode.None, "IO error: " + said),
            thrown(Status.Code.ShutdownInProgress, Status.SubCode.None, "stalled writes"))) {
      assertThat(RocksDbFailures.of(each))
          .as("and writes are refused from then on")
          .isEqualTo(Failure.full().blocking(Failure.Blocks.WRITES));
    }
    assertThat(
            RocksDbFailures.of(thrown(Status.Code.Incomplete, Status.SubCode.None, "Write stall")))
        .extracting(Failure::kind)
        .isEqualTo(Kind.OTHER);
  }

  private static RocksDBException thrown(Status.Code code, Status.SubCode subCode, String said) {
    return new RocksDBException(said, new Status(code, subCode, said));
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    while (!condition.call()) {
      Thread.sleep(1); // up to the test's timeout, which interrupts it
    }
  }

  @Test
  void countsItsJobsOnceHoweverManyTablesThereAre() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      for (int i = 0; i < 5; i++) {
        store.openTable("t" + i, options(Map.of()), true);
      }
      assertThat(store.stats())
          .containsEntry("running_flushes", "0")
          .containsEntry("running_compactions", "0")
          .containsEntry("background_errors", "0");
      assertThat(store.background()).isEqualTo(BackgroundWork.NONE);
    }
  }
}
