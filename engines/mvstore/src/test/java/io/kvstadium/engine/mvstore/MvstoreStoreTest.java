package io.kvstadium.engine.mvstore;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the conformance tests cannot check. */
class MvstoreStoreTest {
  private static final int BLOCK = 4096;

  @TempDir Path directory;

  private Store open(String options) {
    return Stadium.open("mvstore:" + directory.resolve("store") + options);
  }

  private Path file() {
    return directory.resolve("store/store.mvstore");
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private void fill(String options, int entries, int bytes) {
    try (Store store = open(options)) {
      store.write(batch -> {
        for (int i = 0; i < entries; i++) {
          batch.put(store.table(), key(i), new byte[bytes]);
        }
      });
    }
  }

  @Test
  void optionsTakeEffect() throws IOException {
    try (Store store = open("?cache_size=33m&page_split_size=8k")) {
      assertThat(store.stats())
          .containsEntry("CACHE_MAX_SIZE", "33")
          .containsEntry("PAGE_SIZE", "8192");
      store.table().put(new byte[] {1}, new byte[1000]);
      store.sync();
      assertThat(store.stats())
          .hasEntrySatisfying("bytes_by_chunk", sizes -> assertThat(sizes).matches("\\d+( \\d+)*"))
          .hasEntrySatisfying(
              "live_bytes_by_chunk", sizes -> assertThat(sizes).matches("\\d+( \\d+)*"));
    }

    fill("?compress=none", 100, 10_000);
    long plain = Files.size(file());
    Stadium.destroy("mvstore:" + directory.resolve("store"));
    fill("?compress=deflate", 100, 10_000);

    assertThat(Files.size(file())).isLessThan(plain / 4);
  }

  /** A wrong assertion in MVStore, where assertions are on, once closed the store. */
  @Test
  void compactionBesideWritersLeavesTheStoreUsable() throws Exception {
    fill("", 300, 700);
    try (Store store = open("")) {
      Table<byte[], byte[]> table = store.table();
      AtomicBoolean over = new AtomicBoolean();
      List<FutureTask<Void>> writers = new ArrayList<>();
      for (int n = 0; n < 3; n++) {
        Random random = new Random(n);
        FutureTask<Void> writer =
            new FutureTask<>(
                () -> {
                  while (!over.get()) {
                    table.put(key(random.nextInt(300)), new byte[700]);
                  }
                },
                null);
        writers.add(writer);
        Thread.ofPlatform().start(writer);
      }

      try {
        for (int i = 0; i < 200; i++) {
          table.compact();
        }
      } finally {
        over.set(true);
      }

      for (FutureTask<Void> writer : writers) {
        writer.get();
      }
      assertThat(table.count()).isEqualTo(300);
    }
  }

  /** Each commit frees the pages that it replaced; other writers may still walk them. */
  @Test
  void writersFindThePagesThatOthersReplace() throws Exception {
    for (int round = 0; round < 40; round++) {
      fill("", 100, 1);
      try (Store store = open("")) {
        Table<byte[], byte[]> table = store.table();
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Void> deletes =
            new FutureTask<>(
                () -> {
                  while (!over.get()) {
                    table.delete(key(9));
                  }
                },
                null);
        Thread.ofPlatform().start(deletes);
        try {
          for (int i = 0; i < 100; i++) {
            table.put(key(8), new byte[1]);
          }
        } finally {
          over.set(true);
        }
        deletes.get();
      }
      Stadium.destroy("mvstore:" + directory.resolve("store"));
    }
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> open("?keys_per_page=1"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("keys_per_page");
    assertThatThrownBy(() -> open("?auto_compact_fill_rate=101"))
        .isInstanceOf(BadArgumentException.class);
  }

  @Test
  void fileDoesNotGrowWithEachCommit() throws IOException {
    try (Store store = open("")) {
      for (int i = 0; i < 600; i++) {
        store.table().put(key(i % 10), key(i));
      }
    }

    assertThat(Files.size(file())).isLessThan(600 * 2 * BLOCK / 2);
  }

  @Test
  void damagedHeaderIsReported() throws IOException {
    fill("", 10, 10);
    byte[] bytes = Files.readAllBytes(file());
    Arrays.fill(bytes, 0, 2 * BLOCK, (byte) 'x');
    Files.write(file(), bytes);

    assertThatThrownBy(() -> open(""))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(file().toString());
  }

  @Test
  void damagedPageIsReported() throws IOException {
    fill("", 1_000, 1_000);
    byte[] bytes = Files.readAllBytes(file());
    int middle = bytes.length / 2;
    Arrays.fill(bytes, middle, middle + 16 * BLOCK, (byte) 'x');
    Files.write(file(), bytes);

    try (Store store = open("?read_only=true")) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  store.table().get(key(i));
                }
              })
          .isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void newerFormatIsReported() throws IOException {
    fill("", 10, 10);
    byte[] bytes = Files.readAllBytes(file());
    String header = new String(bytes, 0, BLOCK, ISO_8859_1);
    String changed =
        header
            .substring(0, header.indexOf(",fletcher"))
            .replaceFirst("format:\\d+", "format:99,formatRead:99");
    byte[] text = changed.getBytes(ISO_8859_1);
    int sum = DataUtils.getFletcher32(text, 0, text.length);
    byte[] made = (changed + ",fletcher:" + Integer.toHexString(sum) + "\n").getBytes(ISO_8859_1);
    for (int block : new int[] {0, BLOCK}) {
      Arrays.fill(bytes, block, block + BLOCK, (byte) 0);
      System.arraycopy(made, 0, bytes, block, made.length);
    }
    Files.write(file(), bytes);

    assertThatThrownBy(() -> open(""))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("format");
  }

  @Test
  void fileThatIsOpenElsewhereIsLocked() {
    fill("", 1, 1);

    MVStore other = MVStore.open(file().toString());
    assertThatThrownBy(() -> open("")).isInstanceOf(LockedException.class);
    other.close();

    open("").close();
  }

  @Test
  void anInterruptedWriteIsKept() {
    Store store = open("");
    Table<byte[], byte[]> table = store.table();

    Thread.currentThread().interrupt();
    table.put(key(2), key(2));
    assertThat(Thread.interrupted()).isTrue();
    table.put(key(3), key(3));
    store.close();

    try (Store again = open("")) {
      assertThat(again.table().get(key(2))).isEqualTo(key(2));
      assertThat(again.table().get(key(3))).isEqualTo(key(3));
    }
  }

  @Test
  void readersNeverSeeHalfABatch() throws Exception {
    try (Store store = open("?durability=none")) {
      Table<byte[], byte[]> first = store.table("first");
      Table<byte[], byte[]> second = store.table("second");
      first.put(key(0), key(0));
      second.put(key(0), key(0));
      FutureTask<Void> writer =
          new FutureTask<>(
              () -> {
                for (int i = 1; i < 20_000; i++) {
                  byte[] value = key(i);
                  store.write(batch -> {
                    batch.put(first, key(0), value);
                    batch.put(second, key(0), value);
                  });
                }
              },
              null);
      Thread.ofPlatform().start(writer);

      do {
        byte[] before = first.getOrDefault(key(0), key(0));
        byte[] after = second.getOrDefault(key(0), key(0));
        assertThat(Arrays.compareUnsigned(before, after)).isLessThanOrEqualTo(0);
      } while (!writer.isDone());
      writer.get();
    }
  }

  @Test
  void afterAFailedWriteNothingIsAcknowledged() throws Exception {
    assumeTrue(limitFileSize("unlimited"), "needs prlimit (Debian: util-linux)");
    Store store = open("");
    Table<byte[], byte[]> table = store.table();
    table.put(key(1), key(1));
    byte[] large = new byte[1 << 20];
    new Random(1).nextBytes(large);

    limitFileSize(Long.toString(Files.size(file())));
    try {
      assertThatThrownBy(() -> table.put(key(2), large)).isInstanceOf(StoreIoException.class);
    } finally {
      limitFileSize("unlimited");
    }
    assertThatThrownBy(() -> table.put(key(2), key(2))).isInstanceOf(StoreIoException.class);
    assertThatThrownBy(() -> table.get(key(1))).isInstanceOf(StoreIoException.class);
    assertThatThrownBy(store::sync).isInstanceOf(StoreIoException.class);
    store.close();

    try (Store again = open("")) {
      assertThat(again.table().get(key(1))).isEqualTo(key(1));
      assertThat(again.table().contains(key(2))).isFalse();
      again.table().put(key(2), large);
    }
    try (Store again = open("")) {
      assertThat(again.table().get(key(2))).isEqualTo(large);
    }
  }

  /** Limits how large this process may make a file, so that a write fails as on a bad disk. */
  private static boolean limitFileSize(String bytes) throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "prlimit", "--pid=" + ProcessHandle.current().pid(), "--fsize=" + bytes + ":")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // no such program
    }
  }
}
