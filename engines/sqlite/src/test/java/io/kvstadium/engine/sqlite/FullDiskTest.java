package io.kvstadium.engine.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {
  private static final Instant BEGIN = Instant.ofEpochSecond(1_000_000);

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  @Test
  @Timeout(60)
  void whatExpiresIsRemovedOnceThereIsSpaceAgain(@TempDir Path disk) throws Exception {
    Needs.that(
        run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString()),
        "the right to mount a file system");
    try (Store store = Stadium.open("sqlite:" + disk.resolve("store"))) {
      Table<String, String> table = store.table(Store.DEFAULT_TABLE, Codec.STRING, Codec.STRING);
      AtomicReference<Instant> clock = new AtomicReference<>(BEGIN);
      ExpiringTable<String, String> expiring =
          ExpiringTable.of(
              store,
              Store.DEFAULT_TABLE,
              Codec.STRING,
              Codec.STRING,
              Duration.ofHours(1),
              clock::get);
      for (int i = 0; i < 100; i++) {
        expiring.put("k" + i, "v".repeat(1_000));
      }
      Path filler = disk.resolve("filler");
      assertThatThrownBy(() -> fill(filler)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> expiring.put("more", "v".repeat(10_000)))
          .isInstanceOf(FullException.class);

      clock.set(BEGIN.plus(Duration.ofDays(1)));
      Files.delete(filler);

      assertThat(expiring.sweep()).isEqualTo(100);
      assertThat(table.count()).isZero();
    } finally {
      run("umount", disk.toString());
    }
  }

  private static void fill(Path file) throws IOException {
    byte[] block = new byte[512];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    }
  }
}
