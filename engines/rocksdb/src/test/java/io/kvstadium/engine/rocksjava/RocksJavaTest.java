package io.kvstadium.engine.rocksjava;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.engine.rocksdb.RocksDbEngine;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Follower;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineReader;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Kind;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What the kit cannot know of the adapter, straight through the SPI, with RocksDB. */
class RocksJavaTest {
  private static final Duration NO_WAIT = Duration.ZERO;

  @TempDir Path directory;

  private final RocksDbEngine engine = new RocksDbEngine();

  // ---- options

  @Test
  void optionsReachRocksDb() throws Exception {
    // given options of each kind
    Map<String, String> given =
        Map.of(
            "max_background_jobs", "3",
            "write_buffer_size", "1m",
            "compression", "lz4",
            "compaction_style", "universal",
            "bloom_bits_per_key", "10",
            "block_size", "8k",
            "index_type", "two_level",
            "cache_size", "2m");

    // when a store is opened with them
    String written;
    try (RocksDbStore store = open(given)) {
      written = optionsFile();
      assertThat(store.db.getProperty("rocksdb.block-cache-capacity")).isEqualTo("2097152");
    } catch (RocksDBException e) {
      throw new AssertionError(e);
    }

    // then RocksDB says that it has them
    assertThat(written)
        .contains(
            "max_background_jobs=3",
            "write_buffer_size=1048576",
            "compression=kLZ4Compression",
            "compaction_style=kCompactionStyleUniversal",
            "filter_policy=bloomfilter:10:false",
            "block_size=8192",
            "index_type=kTwoLevelIndexSearch");
  }

  @Test
  void everyOptionCanBeSet() throws Exception {
    for (var spec : RocksDbOptions.ALL) {
      String value =
          switch (spec.type()) {
            case BOOLEAN -> "true";
            case INTEGER -> "5";
            case DECIMAL -> "1.5";
            case SIZE -> "64k";
            case DURATION -> "100ms";
            case CHOICE -> spec.choices().getLast();
            case TEXT -> "x";
          };
      Map<String, String> given = new HashMap<>(Map.of(spec.name(), value));
      switch (spec.name()) {
        case "partition_filters" -> given.put("index_type", "two_level");
        case "mode" -> given.put(spec.name(), "primary"); // secondary has tests of its own
        case "compaction_style" -> given.put(spec.name(), "universal"); // fifo needs one level
        case "enable_blob_garbage_collection" -> given.put("enable_blob_files", "true");
        case "blob_garbage_collection_age_cutoff" -> given.put(spec.name(), "0.5");
        case "memtable_prefix_bloom_size_ratio" -> given.put(spec.name(), "0.1");
        case "level0_stop_writes_trigger" -> given.put(spec.name(), "50");
        default -> {}
      }
      try (RocksDbStore store = open(directory.resolve(spec.name()), given, Map.of(), false)) {
        RocksDbTable table = store.openTable("default", options(given), true);
        store.put(table, bytes("k"), bytes("v"));
        assertThat(store.get(table, bytes("k"))).as(spec.name()).isEqualTo(bytes("v"));
        assertThat(store.stats()).as(spec.name()).containsKey("table.default.files_by_level");
      }
    }
  }

  @Test
  void whatIsNotGivenKeepsRocksDbsDefault() throws Exception {
    // given a store without options and one that sets a block option to its default
    try (RocksDbStore store = open(directory.resolve("a"), Map.of(), Map.of(), false)) {
      assertThat(store.tables()).containsExactly("default");
    }
    try (RocksDbStore store =
        open(directory.resolve("b"), Map.of("whole_key_filtering", "true"), Map.of(), false)) {
      assertThat(store.tables()).containsExactly("default");
    }

    // then RocksDB wrote the same options for both
    assertThat(optionsFile(directory.resolve("b"))).isEqualTo(optionsFile(directory.resolve("a")));
  }

  @Test
  void tablesHaveOptionsOfTheirOwnAlsoAfterReopen() throws Exception {
    // given a table with other options than the rest
    Map<String, Map<String, String>> tables = Map.of("users", Map.of("compression", "zstd"));
    try (RocksDbStore store = open(directory, Map.of("compression", "lz4"), tables, false)) {
      RocksDbTable users = store.openTable("users", options(tables.get("users")), true);
      store.put(users, bytes("k"), bytes("v"));
    }

    // when the store is opened again
    try (RocksDbStore store = open(directory, Map.of("compression", "lz4"), tables, false)) {
      // then the table is found, with its entries and options
      assertThat(store.tables()).containsExactlyInAnyOrder("default", "users");
      RocksDbTable users = store.openTable("users", options(tables.get("users")), false);
      assertThat(store.get(users, bytes("k"))).isEqualTo(bytes("v"));
      String[] families = optionsFile().split("\\[CFOptions ");
      assertThat(families[1]).contains("compression=kLZ4Compression");
      assertThat(families[2]).contains("compression=kZSTD");
    }
  }

  @Test
  void aNumberOutOfRangeIsTheCallersMistake() throws Exception {
    assertThatThrownBy(() -> open(Map.of("num_levels", "99999999999999")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("num_levels");
  }

  // ---- tables

  @Test
  void aDroppedTableIsGoneAndCanBeMadeAgain() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("t", options(Map.of()), true);
      store.put(table, bytes("k"), bytes("v"));
      store.dropTable(table);
      assertThat(store.openTable("t", options(Map.of()), false)).isNull();
      RocksDbTable again = store.openTable("t", options(Map.of()), true);
      assertThat(store.get(again, bytes("k"))).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "optimistic"})
  void clearTakesTheHighestKeysToo(String transactions) throws Exception {
    try (RocksDbStore store = open(Map.of("transactions", transactions))) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      byte[] highest = new byte[200];
      Arrays.fill(highest, (byte) 0xff);
      for (byte[] key : List.of(new byte[0], bytes("k"), new byte[] {-1}, highest)) {
        store.put(table, key, bytes("v"));
      }
      assertThat(store.clear(table)).isTrue();
      assertThat(keys(store, table, Range.all())).isEmpty();
      store.put(table, highest, bytes("w"));
      assertThat(keys(store, table, Range.all())).hasSize(1);
    }
  }

  @Test
  void boundsOfEveryKindHold() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      for (String key : List.of("", "61", "6100", "62", "ff", "ffff")) {
        store.put(table, HexFormat.of().parseHex(key), bytes("v"));
      }
      byte[] a = bytes("a");
      byte[] b = bytes("b");
      for (boolean from : new boolean[] {true, false}) {
        for (boolean to : new boolean[] {true, false}) {
          Range range = Range.all().from(a, from).to(b, to);
          List<String> expected = new ArrayList<>(List.of("61", "6100", "62"));
          if (!from) {
            expected.remove("61");
          }
          if (!to) {
            expected.remove("62");
          }
          assertThat(keys(store, table, range)).isEqualTo(expected);
          assertThat(keys(store, table, range.reverse())).isEqualTo(expected.reversed());
          try (var transaction = store.begin(TransactionMode.OPTIMISTIC, NO_WAIT)) {
            transaction.put(table, new byte[] {0x61, 1}, bytes("v"));
            transaction.put(table, bytes("c"), bytes("v"));
            transaction.put(table, bytes("A"), bytes("v"));
            List<String> own = new ArrayList<>(expected);
            own.add(own.indexOf("6100") + 1, "6101");
            assertThat(keys(transaction, table, range)).isEqualTo(own);
            assertThat(keys(transaction, table, range.reverse())).isEqualTo(own.reversed());
          }
        }
      }
      assertThat(keys(store, table, Range.all().reverse()))
          .containsExactly("ffff", "ff", "62", "6100", "61", "");
    }
  }

  // ---- transactions

  @Test
  void capabilitiesFollowTheMode() throws Exception {
    for (String mode : List.of("none", "optimistic", "pessimistic")) {
      try (RocksDbStore store = open(Map.of("transactions", mode))) {
        assertThat(store.capabilities().contains(Capability.OPTIMISTIC_TRANSACTION))
            .isEqualTo(mode.equals("optimistic"));
        assertThat(store.capabilities().contains(Capability.PESSIMISTIC_TRANSACTION))
            .isEqualTo(mode.equals("pessimistic"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memtable", "flushed"})
  void anOptimisticTransactionLosesAgainstAClear(String where) throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      // given an entry, in memory or in a file
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      store.put(table, bytes("k"), bytes("1"));
      if (where.equals("flushed")) {
        store.compact(table);
      }
      try (var transaction = store.begin(TransactionMode.OPTIMISTIC, NO_WAIT)) {
        assertThat(transaction.get(table, bytes("k"))).isEqualTo(bytes("1"));
        transaction.put(table, bytes("k"), bytes("2"));

        // when the table is cleared before the commit
        store.clear(table);
        store.compact(table);

        // then the commit fails and nothing is written
        assertFails(Kind.CONFLICT, transaction::commit);
      }
      assertThat(store.get(table, bytes("k"))).isNull();
    }
  }

  @Test
  void aReadKeyIsProtectedAcrossAFlush() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      store.put(table, bytes("read"), bytes("1"));
      try (var transaction = store.begin(TransactionMode.OPTIMISTIC, NO_WAIT)) {
        assertThat(transaction.get(table, bytes("read"))).isEqualTo(bytes("1"));
        transaction.put(table, bytes("other"), bytes("2"));
        store.put(table, bytes("read"), bytes("2"));
        store.compact(table);
        assertThat(transaction.get(table, bytes("read"))).isEqualTo(bytes("1"));
        assertFails(Kind.CONFLICT, transaction::commit);
      }
      assertThat(store.get(table, bytes("other"))).isNull();
    }
  }

  @Test
  void aLockThatCannotBeHadIsAConflict() throws Exception {
    try (RocksDbStore store =
        open(Map.of("transactions", "pessimistic", "default_lock_timeout", "1ms"))) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      try (var first = store.begin(TransactionMode.PESSIMISTIC, NO_WAIT);
          var second = store.begin(TransactionMode.PESSIMISTIC, NO_WAIT)) {
        first.get(table, bytes("k"));
        assertFails(Kind.CONFLICT, () -> second.get(table, bytes("k")));
        assertFails(Kind.CONFLICT, () -> store.put(table, bytes("k"), bytes("v")));
      }
      store.put(table, bytes("k"), bytes("v"));
    }
  }

  // ---- opening

  @Test
  void aReaderBesideAWriterSeesTheStateOfItsOpenAndWritesNothing() throws Exception {
    try (RocksDbStore writer = open(Map.of())) {
      RocksDbTable table = writer.openTable("default", options(Map.of()), true);
      writer.put(table, bytes("k"), bytes("1"));
      List<Path> before = files();
      try (RocksDbStore reader = open(directory, Map.of(), Map.of(), true)) {
        writer.put(table, bytes("k"), bytes("2"));
        RocksDbTable same = reader.openTable("default", options(Map.of()), false);
        assertThat(reader.get(same, bytes("k"))).isEqualTo(bytes("1"));
        assertThat(reader.capabilities())
            .doesNotContain(Capability.BATCH, Capability.OPTIMISTIC_TRANSACTION);
        try (var snapshot = reader.snapshot()) {
          assertThat(keys(snapshot, same, Range.all())).hasSize(1);
        }
      }
      assertThat(files()).isEqualTo(before);
    }
  }

  // ---- following a writer

  private static final Map<String, String> SECONDARY = Map.of("mode", "secondary");

  @Test
  void aSecondarySeesNewWritesOnlyAfterCatchUp() throws Exception {
    try (RocksDbStore writer = open(Map.of())) {
      RocksDbTable table = writer.openTable("default", options(Map.of()), true);
      writer.put(table, bytes("a"), bytes("1"));
      try (RocksDbStore reader = open(directory, SECONDARY, Map.of(), true)) {
        RocksDbTable same = reader.openTable("default", options(Map.of()), false);
        writer.put(table, bytes("a"), bytes("2"));
        writer.put(table, bytes("b"), bytes("2"));
        assertThat(keys(reader, same, Range.all())).containsExactly("61");
        assertThat(reader.get(same, bytes("a"))).isEqualTo(bytes("1"));

        reader.catchUp();

        assertThat(keys(reader, same, Range.all())).containsExactly("61", "62");
        assertThat(reader.get(same, bytes("a"))).isEqualTo(bytes("2"));
        assertThat(reader.getAll(same, new byte[][] {bytes("b")})[0]).isEqualTo(bytes("2"));
        assertThat(reader.exists(same, bytes("b"))).isTrue();
        assertThat(reader.stats()).containsKey("table.default.files_by_level");
      }
    }
  }

  @Test
  void aSecondarysCursorKeepsItsStateOverCatchUpFlushAndCompaction() throws Exception {
    try (RocksDbStore writer = open(Map.of())) {
      RocksDbTable table = writer.openTable("default", options(Map.of()), true);
      for (int i = 0; i < 100; i++) {
        writer.put(table, bytes("key" + i), bytes("old"));
      }
      writer.compact(table);
      try (RocksDbStore reader = open(directory, SECONDARY, Map.of(), true)) {
        // given a cursor amid the entries
        RocksDbTable same = reader.openTable("default", options(Map.of()), false);
        try (EngineCursor cursor = reader.cursor(same, Range.all())) {
          assertThat(cursor.next()).isTrue();

          // when all of them change, the old files go, and the secondary catches up
          for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 100; i++) {
              writer.put(table, bytes("key" + i), bytes("new"));
              writer.put(table, bytes("more" + i), bytes("new"));
            }
            writer.compact(table);
            reader.catchUp();
          }

          // then the cursor goes on as if nothing had happened
          int seen = 1;
          while (cursor.next()) {
            assertThat(cursor.value()).isEqualTo(bytes("old"));
            seen++;
          }
          assertThat(seen).isEqualTo(100);
        }
        assertThat(keys(reader, same, Range.all())).hasSize(200);
        assertThat(reader.get(same, bytes("key1"))).isEqualTo(bytes("new"));
      }
    }
  }

  @Test
  void aSecondarySeesWhatWasLoadedAndCleared() throws Exception {
    try (RocksDbStore writer = open(Map.of())) {
      RocksDbTable table = writer.openTable("default", options(Map.of()), true);
      try (RocksDbStore reader = open(directory, SECONDARY, Map.of(), true)) {
        RocksDbTable same = reader.openTable("default", options(Map.of()), false);
        writer.load(table, List.of(new Entry(bytes("a"), bytes("1"))).iterator(), true);
        assertThat(reader.get(same, bytes("a"))).isNull();
        reader.catchUp();
        assertThat(reader.get(same, bytes("a"))).isEqualTo(bytes("1"));
        writer.clear(table);
        assertThat(reader.get(same, bytes("a"))).isEqualTo(bytes("1"));
        reader.catchUp();
        assertThat(reader.get(same, bytes("a"))).isNull();
      }
    }
  }

  @Test
  void aSecondaryKnowsTheTablesOfItsOpen() throws Exception {
    try (RocksDbStore writer = open(Map.of())) {
      RocksDbTable gone = writer.openTable("gone", options(Map.of()), true);
      writer.put(gone, bytes("a"), bytes("1"));
      try (RocksDbStore reader = open(directory, SECONDARY, Map.of(), true)) {
        // when the writer drops a table and makes another
        RocksDbTable same = reader.openTable("gone", options(Map.of()), false);
        writer.dropTable(gone);
        RocksDbTable late = writer.openTable("late", options(Map.of()), true);
        writer.put(late, bytes("a"), bytes("1"));
        reader.catchUp();

        // then the secondary has the first still and the other not yet
        assertThat(reader.get(same, bytes("a"))).isEqualTo(bytes("1"));
        assertThat(reader.openTable("late", options(Map.of()), false)).isNull();
        assertThat(reader.tables()).containsExactlyInAnyOrder("default", "gone");
      }
      try (RocksDbStore reader = open(directory, SECONDARY, Map.of(), true)) {
        assertThat(reader.tables()).containsExactlyInAnyOrder("default", "late");
      }
    }
  }

  @Test
  void aSecondaryLeavesNothingBehind() throws Exception {
    open(Map.of()).close();
    List<Path> before = files();
    List<Path> temporaryBefore = secondaries();
    try (RocksDbStore reader = open(directory, SECONDARY, Map.of(), true)) {
      assertThat(reader.capabilities())
          .contains(Capability.CATCH_UP)
          .doesNotContain(Capability.SNAPSHOT, Capability.BULK_LOAD, Capability.BATCH);
      assertThat(secondaries()).hasSize(temporaryBefore.size() + 1);
    }
    assertThat(files()).isEqualTo(before);
    assertThat(secondaries()).isEqualTo(temporaryBefore);
  }

  @Test
  void throughTheLibraryASecondaryOpensBesideAWriter() throws Exception {
    String url = "rocksdb:" + directory;
    try (Store writer = Stadium.open(url)) {
      writer.table().put(bytes("a"), bytes("1"));
      assertThatThrownBy(() -> Stadium.open(url + "?mode=secondary"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("read_only=true");
      assertThat(writer).isNotInstanceOf(Follower.class);
      try (Follower reader = (Follower) Stadium.open(url + "?mode=secondary&read_only=true")) {
        writer.table().put(bytes("b"), bytes("2"));
        reader.catchUp();
        assertThat(reader.table().count()).isEqualTo(2);
        assertThatThrownBy(reader::snapshot).isInstanceOf(UnsupportedException.class);
        assertThatThrownBy(() -> reader.table("none").get(bytes("a")))
            .isInstanceOf(StadiumException.class)
            .hasMessageContaining("none");
      }
    }
  }

  private static List<Path> secondaries() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("kv-stadium-secondary"))
          .sorted()
          .toList();
    }
  }

  // ---- work in the background

  @Test
  @Timeout(60)
  void tellsWhatIsStillToBeCompactedUntilItIs() throws Exception {
    // given more files than RocksDB likes, and no leave to compact them
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

    // when it may
    try (RocksDbStore store = open(small)) {
      // then nothing is due in the end
      await(() -> store.background().equals(BackgroundWork.NONE));
    }
  }

  @Test
  @Timeout(60)
  void aStoreWhoseDiskWasFullStaysStopped() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      // given that there was no room for a table file, and is some for the next
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

      // then it has not gone on, and reads do
      assertFails(Kind.FULL, () -> store.put(table, bytes("k"), bytes("x")));
      assertThat(store.get(table, bytes("k"))).isEqualTo(bytes("w"));
    }
  }

  /** The number of the one that there is. */
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
            thrown(Status.Code.ShutdownInProgress, Status.SubCode.None, "stalled writes"),
            new IllegalArgumentException("Illegal value provided for BackgroundErrorReason."))) {
      assertThat(RocksDbFailures.of(each)).isEqualTo(Failure.full());
    }
    assertThat(
            RocksDbFailures.of(thrown(Status.Code.Incomplete, Status.SubCode.None, "Write stall")))
        .extracting(Failure::kind)
        .isEqualTo(Kind.OTHER);
    assertThat(RocksDbFailures.of(new IllegalArgumentException("another"))).isNull();
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

  // ---- loading

  @ParameterizedTest
  @ValueSource(strings = {"none", "optimistic", "pessimistic"})
  void aLoadBecomesFilesOfTheUsualSizeWithTheTablesOptions(String transactions) throws Exception {
    Map<String, String> given =
        Map.of(
            "transactions", transactions,
            "target_file_size_base", "1m",
            "compression", "zstd",
            "bloom_bits_per_key", "10");
    try (RocksDbStore store = open(given)) {
      // when 4 MB are loaded that compress to half of it
      RocksDbTable table = store.openTable("t", options(given), true);
      Random random = new Random(1);
      List<Entry> entries = new ArrayList<>();
      entries.add(new Entry(new byte[0], new byte[0]));
      for (int i = 0; i < 4_000; i++) {
        byte[] value = new byte[1_000];
        random.nextBytes(value);
        Arrays.fill(value, 500, 1_000, (byte) 1);
        entries.add(new Entry(bytes("key%06d".formatted(i)), value));
      }
      store.load(table, entries.iterator(), true);

      // then they lie in files of about the usual size, and none went through a memtable
      List<Path> tables = files().stream().filter(f -> f.toString().endsWith(".sst")).toList();
      assertThat(tables).hasSizeBetween(2, 4);
      assertThat(store.stats()).containsEntry("table_files_bytes", size(tables));
      assertThat(Long.parseLong(size(tables))).isLessThan(3 << 20);
      assertThat(directory.resolve("loading")).isEmptyDirectory();
      for (Entry entry : entries) {
        assertThat(store.get(table, entry.key())).isEqualTo(entry.value());
      }
    }
  }

  @Test
  void whatAKilledLoadLeftBehindIsRemovedAtTheNextOpenForWriting() throws Exception {
    open(Map.of()).close();
    Path left = Files.createDirectories(directory.resolve("loading/123"));
    Files.write(left.resolve("0.sst"), new byte[100]);
    open(directory, Map.of(), Map.of(), true).close();
    assertThat(left.resolve("0.sst")).exists();

    open(Map.of()).close();

    assertThat(directory.resolve("loading")).doesNotExist();
  }

  @Test
  void aBrokenLoadLeavesNothing() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      Iterator<Entry> broken =
          Stream.of("a", "b", "c")
              .map(key -> {
                if (key.equals("c")) {
                  throw new IllegalStateException("broken");
                }
                return new Entry(bytes(key), bytes("1"));
              })
              .iterator();

      assertThatThrownBy(() -> store.load(table, broken, true)).hasMessage("broken");

      assertThat(directory.resolve("loading")).isEmptyDirectory();
      assertThat(keys(store, table, Range.all())).isEmpty();
      store.load(table, List.of(new Entry(bytes("a"), bytes("2"))).iterator(), true);
      assertThat(store.get(table, bytes("a"))).isEqualTo(bytes("2"));
    }
  }

  @Test
  void entriesLargerThanAPortionAndManyRangesAreLoadedInOrder() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      // given 200 MB, more than is in memory at a time, with large values among small ones
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      int count = 2_000;
      Iterator<Entry> entries =
          IntStream.range(0, count)
              .mapToObj(i -> new Entry(bytes("key%04d".formatted(i)), valueOf(i)))
              .iterator();

      store.load(table, entries, true);

      for (int i = 0; i < count; i++) {
        assertThat(store.get(table, bytes("key%04d".formatted(i)))).isEqualTo(valueOf(i));
      }
    }
  }

  private static byte[] valueOf(int number) {
    byte[] value = new byte[number % 20 < 3 ? 600_000 + number : number];
    Arrays.fill(value, (byte) number);
    return value;
  }

  @Test
  void whatAFileCannotBeWrittenForIsThrown() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      // given a load whose folder goes away under it, and far more entries than wait in memory
      Iterator<Entry> entries =
          IntStream.range(0, 1_000_000)
              .mapToObj(i -> {
                if (i == 0) {
                  removeFoldersOfLoads();
                }
                return new Entry(bytes("key%07d".formatted(i)), new byte[1_000]);
              })
              .iterator();

      assertThatThrownBy(() -> store.load(table, entries, true))
          .satisfies(e -> assertThat(store.classify(e).kind()).isEqualTo(Kind.IO))
          .hasMessageContaining("No such file");

      assertThat(entries.hasNext()).isTrue();
      assertThat(keys(store, table, Range.all())).isEmpty();
      store.load(table, List.of(new Entry(bytes("a"), bytes("2"))).iterator(), true);
      assertThat(store.get(table, bytes("a"))).isEqualTo(bytes("2"));
    }
  }

  private void removeFoldersOfLoads() {
    try {
      RocksDbLoad.removeLeftovers(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void unsortedRunsReplaceEachOther() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      // given enough for several runs, each key thrice, in no order
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < 90; i++) {
        numbers.add(i);
      }
      Collections.shuffle(numbers, new Random(3));
      Map<Integer, Byte> last = new HashMap<>();
      Iterator<Entry> entries =
          numbers.stream()
              .map(number -> {
                byte[] value = new byte[1 << 20];
                value[0] = number.byteValue();
                last.put(number / 3, value[0]);
                return new Entry(bytes("key" + number / 3), value);
              })
              .iterator();

      store.load(table, entries, false);

      for (var entry : last.entrySet()) {
        assertThat(store.get(table, bytes("key" + entry.getKey()))[0]).isEqualTo(entry.getValue());
      }
    }
  }

  @Test
  void anOptimisticTransactionLosesAgainstALoad() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      try (var transaction = store.begin(TransactionMode.OPTIMISTIC, NO_WAIT)) {
        assertThat(transaction.get(table, bytes("k"))).isNull();
        transaction.put(table, bytes("k"), bytes("2"));

        store.load(table, List.of(new Entry(bytes("k"), bytes("1"))).iterator(), true);

        assertFails(Kind.CONFLICT, transaction::commit);
      }
      assertThat(store.get(table, bytes("k"))).isEqualTo(bytes("1"));
    }
  }

  @Test
  void aLoadWaitsForPessimisticTransactions() throws Exception {
    try (RocksDbStore store = open(Map.of("transactions", "pessimistic"))) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      FutureTask<Boolean> load =
          new FutureTask<>(() -> {
            store.load(table, List.of(new Entry(bytes("k"), bytes("load"))).iterator(), true);
            return true;
          });
      Thread loader = new Thread(load);
      try (var transaction = store.begin(TransactionMode.PESSIMISTIC, NO_WAIT)) {
        // given a transaction that has read a key, and a load of it that stands still
        assertThat(transaction.get(table, bytes("k"))).isNull();
        loader.start();
        while (loader.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }

        // then the transaction commits what it decided upon what it read
        transaction.put(table, bytes("k"), bytes("transaction"));
        transaction.commit();
        assertThat(store.get(table, bytes("k"))).isEqualTo(bytes("transaction"));
      }
      load.get();
      assertThat(store.get(table, bytes("k"))).isEqualTo(bytes("load"));
    }
  }

  private static String size(List<Path> files) throws IOException {
    long size = 0;
    for (Path file : files) {
      size += Files.size(file);
    }
    return Long.toString(size);
  }

  // ---- errors

  @Test
  void errorsSayWhatToDo() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      assertThat(store.tables()).isNotEmpty();
      assertFails(Kind.LOCKED, () -> open(Map.of()));
    }
    Path manifest =
        files().stream().filter(f -> f.toString().contains("MANIFEST")).findFirst().orElseThrow();
    Files.write(manifest, new byte[100]);
    assertFails(Kind.CORRUPT, () -> open(Map.of()));
    Files.delete(manifest);
    assertFails(Kind.CORRUPT, () -> open(Map.of()));
  }

  @Test
  void aDamagedBlockIsReportedByGetAndByScan() throws Exception {
    // given a table file with a damaged block
    try (RocksDbStore store = open(Map.of("compression", "none"))) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      for (int i = 0; i < 1000; i++) {
        store.put(table, bytes("key" + i), new byte[100]);
      }
      store.compact(table);
    }
    Path file =
        files().stream().filter(f -> f.toString().endsWith(".sst")).findFirst().orElseThrow();
    byte[] content = Files.readAllBytes(file);
    Arrays.fill(content, 20_000, 60_000, (byte) 1);
    Files.write(file, content);

    // then every way of reading says so, and none takes it for the end
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      assertFails(Kind.CORRUPT, () -> keys(store, table, Range.all()));
      byte[] key = bytes("key500");
      assertFails(Kind.CORRUPT, () -> store.get(table, key));
      assertFails(Kind.CORRUPT, () -> store.exists(table, key));
      assertFails(Kind.CORRUPT, () -> store.getAll(table, new byte[][] {key}));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "process", "power", "engine-default"})
  void whatWasWrittenIsThereAfterClose(String level) throws Exception {
    StoreConfig config = config(directory, Map.of(), Map.of(), false, Durability.of(level));
    try (RocksDbStore store = (RocksDbStore) engine.open(config)) {
      RocksDbTable table = store.openTable("t", options(Map.of()), true);
      store.put(table, bytes("k"), bytes("v"));
      store.sync();
      store.put(table, bytes("l"), bytes("v"));
      assertThat(store.durability().word()).isEqualTo(level);
      assertThat(store.stats()).containsKey("table.t.files_by_level");
    }
    try (RocksDbStore store = (RocksDbStore) engine.open(config)) {
      RocksDbTable table = store.openTable("t", options(Map.of()), false);
      assertThat(keys(store, table, Range.all())).containsExactly("6b", "6c");
    }
  }

  @Test
  void largeKeysAndValuesFit() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      byte[] key = new byte[engine.info().limits().maxKeyBytes()];
      byte[] value = new byte[64 << 20];
      value[value.length - 1] = 7;
      store.put(table, key, value);
      assertThat(store.get(table, key)).isEqualTo(value);
      assertThat(store.exists(table, key)).isTrue();
      assertThat(store.clear(table)).isTrue();
      assertThat(store.exists(table, key)).isFalse();
    }
  }

  // ---- natives and version

  @Test
  void theLibraryIsUnpackedOnceAndRepairedIfCut() throws Exception {
    NativeLibrary natives = new NativeLibrary("rocksdb", directory.resolve("natives"), _ -> {});
    Path library = natives.unpack();
    long size = Files.size(library);
    var time = Files.getLastModifiedTime(library);
    assertThat(natives.unpack()).isEqualTo(library);
    assertThat(Files.getLastModifiedTime(library)).isEqualTo(time);
    Files.write(library, new byte[10]);
    assertThat(Files.size(natives.unpack())).isEqualTo(size);
    try (Stream<Path> files = Files.list(library.getParent())) {
      assertThat(files).containsExactly(library);
    }
  }

  @Test
  void theVersionIsTheLibrarys() throws Exception {
    assertThat(engine.unavailable()).isNull();
    assertThat(engine.info().version()).isEqualTo(RocksDB.rocksdbVersion().toString());
  }

  // ---- helpers

  private static void assertFails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .satisfies(e ->
            assertThat(
                    e instanceof ConflictException // the adapter's own
                        ? Kind.CONFLICT
                        : RocksDbFailures.ofOpen(e).kind())
                .isEqualTo(kind));
  }

  private RocksDbStore open(Map<String, String> given) throws Exception {
    return open(directory, given, Map.of(), false);
  }

  private RocksDbStore open(
      Path path,
      Map<String, String> given,
      Map<String, Map<String, String>> tables,
      boolean readOnly)
      throws Exception {
    return (RocksDbStore) engine.open(config(path, given, tables, readOnly, Durability.CONSISTENT));
  }

  private StoreConfig config(
      Path path,
      Map<String, String> given,
      Map<String, Map<String, String>> tables,
      boolean readOnly,
      Durability durability) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return new StoreConfig(
        path.toString(),
        path,
        durability,
        readOnly,
        options(given),
        name -> {
          Map<String, String> all = new HashMap<>(given);
          all.putAll(tables.getOrDefault(name, Map.of()));
          return options(all);
        });
  }

  private static Options options(Map<String, String> given) {
    return Options.of("rocksdb", RocksDbOptions.ALL, given);
  }

  private String optionsFile() throws IOException {
    return optionsFile(directory);
  }

  private static String optionsFile(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Path newest =
          files
              .filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
              .max(Path::compareTo)
              .orElseThrow();
      return Files.readString(newest);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static List<String> keys(
      EngineReader<RocksDbTable> reader, RocksDbTable table, Range range) throws Exception {
    List<String> keys = new ArrayList<>();
    try (EngineCursor cursor = reader.cursor(table, range)) {
      while (cursor.next()) {
        keys.add(HexFormat.of().formatHex(cursor.key()));
      }
    }
    return keys;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
