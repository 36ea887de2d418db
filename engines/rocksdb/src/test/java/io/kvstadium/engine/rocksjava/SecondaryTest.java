package io.kvstadium.engine.rocksjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Read-only beside a writer: {@code mode=secondary}. */
class SecondaryTest extends StoreFixture {
  private static final Map<String, String> SECONDARY = Map.of("mode", "secondary");

  @Test
  void aSecondarySeesWhatWasWrittenUntilItsOpen() throws Exception {
    try (RocksDbStore writer = open(Map.of())) {
      RocksDbTable table = writer.openTable("default", options(Map.of()), true);
      writer.put(table, bytes("a"), bytes("1"));
      try (RocksDbStore reader = open(directory, SECONDARY, Map.of(), true)) {
        RocksDbTable same = reader.openTable("default", options(Map.of()), false);
        writer.put(table, bytes("a"), bytes("2"));
        writer.put(table, bytes("b"), bytes("2"));
        assertThat(keys(reader, same, Range.all())).containsExactly("61");
        assertThat(reader.get(same, bytes("a"))).isEqualTo(bytes("1"));

        assertThat(reader.stats()).containsKey("table.default.files_by_level");
      }
      try (RocksDbStore later = open(directory, SECONDARY, Map.of(), true)) {
        RocksDbTable same = later.openTable("default", options(Map.of()), false);
        assertThat(keys(later, same, Range.all())).containsExactly("61", "62");
        assertThat(later.get(same, bytes("a"))).isEqualTo(bytes("2"));
        assertThat(later.contains(same, bytes("b"))).isTrue();
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
      assertThat(secondaries()).hasSize(temporaryBefore.size() + 1);
    }
    assertThat(files()).isEqualTo(before);
    assertThat(secondaries()).isEqualTo(temporaryBefore);
  }

  @Test
  void throughTheLibraryASecondaryIsReadOnly() throws Exception {
    String url = "rocksdb:" + directory;
    try (Store writer = Stadium.open(url)) {
      writer.table().put(bytes("a"), bytes("1"));
    }

    assertThatThrownBy(() -> Stadium.open(url + "?mode=secondary"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("read_only=true");
    try (Store reader = Stadium.open(url + "?mode=secondary&read_only=true")) {
      assertThat(reader.table().count()).isEqualTo(1);
      assertThatThrownBy(reader::snapshot).isInstanceOf(UnsupportedException.class);
      assertThatThrownBy(() -> reader.table("none").get(bytes("a")))
          .isInstanceOf(StadiumException.class)
          .hasMessageContaining("none");
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
