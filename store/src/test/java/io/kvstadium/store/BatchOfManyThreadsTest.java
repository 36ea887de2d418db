package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A batch that is used by several threads, although it belongs to one. */
class BatchOfManyThreadsTest {
  private static final int THREADS = 4;
  private static final int WRITES = 20_000;

  @Test
  void everyWriteIsWholeAndNoneIsLost() {
    try (Store store = FakeEngine.openStore();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      Table<byte[], byte[]> table = store.table();

      store.write(batch -> {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          int first = thread * WRITES;
          running.add(CompletableFuture.runAsync(() -> put(batch, table, first), threads));
        }
        running.forEach(CompletableFuture::join);
      });

      assertThat(table.count()).isEqualTo(THREADS * WRITES);
    }
  }

  private static void put(Batch batch, Table<byte[], byte[]> table, int first) {
    for (int i = first; i < first + WRITES; i++) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
      batch.put(table, key, key);
    }
  }
}
