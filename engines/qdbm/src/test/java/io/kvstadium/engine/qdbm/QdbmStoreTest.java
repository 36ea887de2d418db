package io.kvstadium.engine.qdbm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QdbmStoreTest {
  @BeforeEach
  void needLibrary() {
    String missing = new QdbmEngine().unavailable();
    Assumptions.assumeTrue(missing == null, "needs: " + missing);
  }

  private static Store open(Path directory, String options) {
    return Stadium.open("qdbm:" + directory + "?" + options + "durability=none");
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  @Test
  void missingLibraryIsNamedWithThePackageThatHasIt() {
    assertThat(QdbmEngine.missing("libnosuch.so.14"))
        .contains("libnosuch.so.14")
        .contains("apt install libqdbm14");
  }

  @Test
  void durabilityItCannotGiveIsRefused(@TempDir Path directory) {
    assertThatThrownBy(() -> Stadium.open("qdbm:" + directory + "?durability=process"))
        .isInstanceOf(UnsupportedException.class);
  }

  @Test
  void foreignAndTruncatedFilesAreCorrupt(@TempDir Path directory) throws IOException {
    try (Store store = open(directory, "")) {
      for (int i = 0; i < 2_000; i++) {
        store.table("cut").put(key(i), new byte[100]);
      }
    }
    Path file = directory.resolve("cut.villa");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    Files.writeString(directory.resolve("foreign.villa"), "no database at all");

    try (Store store = open(directory, "")) {
      for (String name : new String[] {"cut", "foreign"}) {
        assertThatThrownBy(() -> store.table(name))
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining(name + ".villa")
            .hasMessageContaining("broken database file")
            .hasMessageContaining("vlmgr");
      }
      assertThat(store.table().contains(key(1))).isFalse();
    }
  }

  @Test
  void compactingMakesTheFileSmaller(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("default.villa");
    try (Store store = open(directory, "")) {
      Table<byte[], byte[]> table = store.table();
      for (int i = 0; i < 20_000; i++) {
        table.put(key(i), new byte[100]);
      }
      for (int i = 1; i < 20_000; i++) {
        table.delete(key(i));
      }
      store.sync();
      long before = Files.size(file);

      table.compact();

      assertThat(Files.size(file)).isLessThan(before / 2);
      assertThat(table.get(key(0))).hasSize(100);
      assertThat(table.get(key(1))).isNull();
    }
  }

  @Test
  void smallCacheChangesNothing(@TempDir Path directory) {
    try (Store store = open(directory, "leaf_cache=16&")) {
      Table<byte[], byte[]> table = store.table();
      for (int i = 0; i < 50_000; i++) {
        table.put(key(i * 7 % 50_000), key(i));
      }

      assertThat(table.count()).isEqualTo(50_000);
      try (var cursor = table.scan(Range.<byte[]>all().reverse())) {
        for (int i = 49_999; i >= 0; i--) {
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.key()).isEqualTo(key(i));
        }
      }
    }
  }

  @Test
  void cursorsTakeTheTreesOnlyCursorInTurn(@TempDir Path directory) {
    try (Store store = open(directory, "")) {
      Table<byte[], byte[]> table = store.table();
      for (int i = 0; i < 1_000; i += 2) {
        table.put(key(i), key(i));
      }

      try (var up = table.scan(Range.all());
          var down = table.scan(Range.<byte[]>all().reverse())) {
        for (int i = 0; i < 250; i++) {
          assertThat(up.next()).isTrue();
          assertThat(up.key()).isEqualTo(key(2 * i));
          assertThat(down.next()).isTrue();
          assertThat(down.key()).isEqualTo(key(998 - 2 * i));
          assertThat(up.value()).isEqualTo(key(2 * i));
          table.put(key(2 * i + 1), key(0)); // ahead of one cursor, behind or far from the other
          table.delete(key(2 * i + 1));
        }
      }
    }
  }
}
