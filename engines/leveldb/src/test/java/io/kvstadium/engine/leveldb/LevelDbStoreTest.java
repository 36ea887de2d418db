package io.kvstadium.engine.leveldb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LevelDbStoreTest {
  private static final int ENTRIES = 1_000;

  @TempDir Path directory;

  @BeforeEach
  void needLibrary() {
    String missing = new LevelDbEngine().unavailable();
    Assumptions.assumeTrue(missing == null, "needs: " + missing);
  }

  private Store open(String options) {
    return Stadium.open("leveldb:" + directory + "?durability=process" + options);
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private Path onlyTable() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("leveldb"))) {
      List<Path> tables = files.filter(file -> file.toString().endsWith(".ldb")).toList();
      assertThat(tables).hasSize(1);
      return tables.getFirst();
    }
  }

  private void write() {
    byte[] value = new byte[200];
    Random random = new Random(1);
    try (Store store = open("&compression=none")) {
      for (int i = 0; i < ENTRIES; i++) {
        random.nextBytes(value);
        store.table().put(key(i), value);
      }
      store.compact();
    }
  }

  @Test
  void missingLibraryIsNamedWithThePackageThatHasIt() {
    assertThat(LevelDbEngine.missing("libnosuch.so.1d"))
        .contains("libnosuch.so.1d")
        .contains("apt install libleveldb1d");
  }

  @Test
  void missingTableIsCorrupt() throws IOException {
    write();
    Files.delete(onlyTable());

    assertThatThrownBy(() -> open(""))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("missing file")
        .hasMessageContaining(directory.toString());
  }

  @Test
  void scanThatPassedADamagedBlockFailsAtItsClose() throws IOException {
    write();
    Path table = onlyTable();
    byte[] bytes = Files.readAllBytes(table);
    bytes[bytes.length / 2] ^= 1;
    Files.write(table, bytes);

    try (Store store = open("")) {
      Cursor<byte[], byte[]> cursor = store.table().scan(Range.atLeast(key(ENTRIES / 3)));
      int seen = 0;
      for (int before = ENTRIES / 3 - 1; cursor.next(); seen++) {
        int now = ByteBuffer.wrap(cursor.key()).getInt();
        if (now != before + 1) {
          break; // behind the damage
        }
        before = now;
      }

      assertThat(seen).isLessThan(ENTRIES / 2);
      assertThatThrownBy(cursor::close).isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void valuesAreReadInPlaceAndNotAfterwards() {
    write();
    try (Store store = open("");
        var cursor = store.table().scan(Range.all())) {
      assertThat(cursor.next()).isTrue();

      MemorySegment kept =
          cursor.value(value -> {
            assertThat(value.isNative()).isTrue();
            return value;
          });

      assertThatThrownBy(() -> kept.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anotherProgramsOptionsChangeNothing() {
    write();
    try (Store store = open("&bloom_bits_per_key=10&block_size=1k&cache_size=64k")) {
      assertThat(store.table().count()).isEqualTo(ENTRIES);
      assertThat(store.table().contains(key(ENTRIES - 1))).isTrue();
      assertThat(store.stats()).containsKey("files_at_level_0");
    }
  }
}
