package io.kvstadium.engine.rocksjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Follower;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.spi.EngineCursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Following a writer: {@code mode=secondary}. */
class FollowingTest extends StoreFixture {
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
        // given a cursor in the middle of the entries
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

          // then the cursor continues as if nothing had happened
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

        // then the secondary still has the first and does not have the other yet
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
}
