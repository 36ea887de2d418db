package io.kvstadium.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of engines with files that never change, and of those that only give entries. */
class EngineBackupsTest {
  @TempDir private Path directory;

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private static void fill(Store store) {
    Random random = new Random(1);
    store
        .table()
        .bulkLoad(
            IntStream.range(0, 5_000)
                .mapToObj(i -> {
                  byte[] value = new byte[200];
                  random.nextBytes(value);
                  return new Entry<>(key(i), value);
                })
                .iterator(),
            true);
  }

  @Test
  void tableFilesAreStoredOnceAlsoAfterTheStoreWasOpenedAgain() {
    Path store = directory.resolve("store");
    Path backups = directory.resolve("backups");
    try (Store open = Stadium.open("rocksdb:" + store)) {
      fill(open);
      Backups.in(backups).create(open);
    }
    Backup second;
    try (Store open = Stadium.open("rocksdb:" + store)) {
      open.table().put(key(7_000), key(1));
      second = Backups.in(backups).create(open);
    }

    assertThat(second.form()).isEqualTo(Backup.Form.FILES);
    assertThat(second.shared()).isGreaterThan(5_000 * 200);
    assertThat(second.written()).isLessThan(100_000);
    assertThat(store).isDirectoryNotContaining("glob:**/unfinished-*");
    String restored = Backups.in(backups).restore(second.id(), directory.resolve("again"));
    try (Store again = Stadium.open(restored)) {
      assertThat(again.table().count()).isEqualTo(5_001);
    }
  }

  @Test
  void withoutALogAllTablesAreOfOneMoment() {
    try (Store open = Stadium.open("rocksdb:" + directory.resolve("store?durability=none"))) {
      fill(open);

      Backup made = Backups.in(directory.resolve("backups")).create(open);

      assertThat(made.form()).isEqualTo(Backup.Form.ENTRIES);
      assertThat(made.entries()).isEqualTo(5_000);
    }
  }

  @Test
  void filesOfALogAreStoredOnce() {
    Backups backups = Backups.in(directory.resolve("backups"));
    try (Store store =
        Stadium.open("berkeleydb:" + directory.resolve("store") + "?log_file_size=1m")) {
      for (int i = 0; i < 400; i++) {
        store.table().put(key(i), new byte[10_000]);
      }
      Backup first = backups.create(store);
      store.table().put(key(0), new byte[10]);

      Backup second = backups.create(store);

      assertThat(second.shared()).isEqualTo(first.bytes());
      assertThat(second.written()).isLessThan(1_000_000);
      assertThat(backups.verify(second.id())).isEmpty();
    }
  }
}
