package io.kvstadium.engine.rocksjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.engine.rocksdb.RocksDbEngine;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * What the conformance tests cannot know about the adapter, directly through the SPI, with RocksDB.
 */
class RocksJavaTest extends StoreFixture {
  private static final Duration NO_WAIT = Duration.ZERO;

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

    // then RocksDB reports that it has them
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

  /** Each look for the first entry would otherwise step over all that were removed, for ever. */
  @Test
  @Timeout(60)
  void removalsThatAScanMeetsAreCompactedAway() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      for (int i = 0; i < 10_000; i++) {
        byte[] key = bytes("k%05d".formatted(i));
        store.put(table, key, bytes("v"));
        store.delete(table, key);
      }

      long removals;
      do {
        try (EngineCursor cursor = store.cursor(table, Range.all())) {
          cursor.next();
        }
        store.put(table, bytes("other"), bytes("v"));
        removals = store.db.getLongProperty("rocksdb.num-deletes-active-mem-table");
        for (var file : store.db.getLiveFilesMetaData()) {
          removals += file.numDeletions();
        }
      } while (removals > 2_048);
    }
  }

  @Test
  void everyOptionCanBeSet() throws Exception {
    for (var spec : new RocksDbEngine().info().options()) {
      String value =
          switch (spec.type()) {
            case BOOLEAN -> "true";
            case INTEGER -> "5";
            case DECIMAL -> "1.5";
            case SIZE -> spec.budget() == null ? "64k" : "128m";
            case DURATION -> "100ms";
            case CHOICE -> spec.choices().getLast();
            case TEXT -> "x";
          };
      Map<String, String> given = new HashMap<>(Map.of(spec.name(), value));
      switch (spec.name()) {
        case "partition_filters" -> given.put("index_type", "two_level");
        case "mode" -> given.put(spec.name(), "primary"); // secondary has its own tests
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
    // given a table whose options differ from the rest
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
          Range<byte[]> range = Range.<byte[]>all().from(a, from).to(b, to);
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
      assertThat(keys(store, table, Range.<byte[]>all().reverse()))
          .containsExactly("ffff", "ff", "62", "6100", "61", "");
    }
  }

  // ---- transactions

  @Test
  void capabilitiesFollowTheMode() {
    for (String mode : List.of("none", "optimistic", "pessimistic")) {
      StoreConfig config =
          config(directory, Map.of("transactions", mode), Map.of(), false, Durability.PROCESS);
      Set<Capability> capabilities = engine.capabilities(config);
      assertThat(capabilities.contains(Capability.OPTIMISTIC_TRANSACTION))
          .isEqualTo(mode.equals("optimistic"));
      assertThat(capabilities.contains(Capability.PESSIMISTIC_TRANSACTION))
          .isEqualTo(mode.equals("pessimistic"));
    }
    StoreConfig secondary =
        config(directory, Map.of("mode", "secondary"), Map.of(), true, Durability.PROCESS);
    assertThat(engine.capabilities(secondary))
        .doesNotContain(Capability.SNAPSHOT, Capability.BATCH, Capability.OPTIMISTIC_TRANSACTION);
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
        try (var snapshot = reader.snapshot()) {
          assertThat(keys(snapshot, same, Range.all())).hasSize(1);
        }
      }
      assertThat(files()).isEqualTo(before);
    }
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

    // then every way of reading reports it, and none takes it for the end
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      assertFails(Kind.CORRUPT, () -> keys(store, table, Range.all()));
      byte[] key = bytes("key500");
      assertFails(Kind.CORRUPT, () -> store.get(table, key));
      assertFails(Kind.CORRUPT, () -> store.contains(table, key));
      assertFails(Kind.CORRUPT, () -> store.multiGet(table, new byte[][] {key}));
    }
  }

  @Test
  void valuesBeyondTheBytesOfOneCallAreReadAsWell() throws Exception {
    try (RocksDbStore store = open(Map.of())) {
      RocksDbTable table = store.openTable("default", options(Map.of()), true);
      byte[][] keys = new byte[80][]; // more than RocksDB looks up in one go
      for (int i = 0; i < keys.length; i++) {
        keys[i] = bytes("key" + i);
        if (i % 3 != 0) {
          byte[] value = new byte[1 << 20];
          value[i] = (byte) i;
          store.put(table, keys[i], value);
        }
      }
      byte[][] values = store.multiGet(table, keys);
      for (int i = 0; i < keys.length; i++) {
        if (i % 3 == 0) {
          assertThat(values[i]).isNull();
        } else {
          assertThat(values[i]).hasSize(1 << 20);
          assertThat(values[i][i]).isEqualTo((byte) i);
        }
      }
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
      store.compact(table);
      store.put(table, bytes("l"), bytes("v"));
      assertThat(store.stats())
          .containsEntry("table.t.files_by_level", "0 0 0 0 0 0 1")
          .containsEntry("table.t.entries_by_level", "0 0 0 0 0 0 1")
          .hasEntrySatisfying(
              "table.t.bytes_by_level", sums -> assertThat(sums).matches("(0 ){6}[1-9]\\d*"));
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
      assertThat(store.contains(table, key)).isTrue();
      assertThat(store.clear(table)).isTrue();
      assertThat(store.contains(table, key)).isFalse();
    }
  }

  // ---- natives and version

  @Test
  void theLibraryIsUnpackedOnceAndRepairedIfCut() throws Exception {
    Path library = NativeLibrary.unpacked(directory);
    long size = Files.size(library);
    var time = Files.getLastModifiedTime(library);
    assertThat(NativeLibrary.unpacked(directory)).isEqualTo(library);
    assertThat(Files.getLastModifiedTime(library)).isEqualTo(time);
    Files.write(library, new byte[10]);
    assertThat(Files.size(NativeLibrary.unpacked(directory))).isEqualTo(size);
    try (Stream<Path> files = Files.list(library.getParent())) {
      assertThat(files).containsExactly(library);
    }
  }

  @Test
  void theVersionIsTheLibrarys() throws Exception {
    assertThat(engine.unavailable()).isNull();
    assertThat(engine.info().version()).isEqualTo(RocksDB.rocksdbVersion().toString());
  }
}
