package io.kvstadium.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTransaction;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TransactionTest {
  @TempDir Path directory;

  @Test
  void virtualThreadsMayMoveBetweenBeginAndCommit() throws Exception {
    try (LmdbStore store = Stores.open(directory)) {
      LmdbTable table = Stores.table(store, "default");
      store.put(table, Stores.key(0), Stores.key(0));
      // when many virtual threads count in transactions in which they leave their carrier
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> results = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          results.add(
              threads.submit(() -> {
                increment(store, table);
                return true;
              }));
          results.add(threads.submit(() -> store.put(table, Stores.key(1), Stores.key(1))));
        }
        for (Future<?> result : results) {
          result.get();
        }
      }
      // then
      assertThat(store.get(table, Stores.key(0))).isEqualTo(Stores.key(200));
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // lets virtual threads switch inside it
  private static void increment(LmdbStore store, LmdbTable table) throws Exception {
    try (EngineTransaction<LmdbTable> transaction =
        store.begin(TransactionMode.PESSIMISTIC, Duration.ofMinutes(1))) {
      byte[] value = transaction.get(table, Stores.key(0));
      Thread.yield();
      transaction.put(table, Stores.key(0), next(value));
      Thread.yield();
      transaction.commit();
    }
  }

  private static byte[] next(byte[] value) {
    return Stores.key(ByteBuffer.wrap(value).getInt() + 1);
  }

  @Test
  void waitForAnotherWriterEndsWithAConflict() throws Exception {
    try (LmdbStore store = Stores.open(directory);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      Future<?> holder =
          other.submit(() -> {
            try (var _ = store.begin(TransactionMode.PESSIMISTIC, Duration.ZERO)) {
              begun.countDown();
              end.await();
            }
            return true;
          });
      begun.await();
      assertThatThrownBy(() -> store.begin(TransactionMode.PESSIMISTIC, Duration.ofMillis(1)))
          .isInstanceOf(ConflictException.class)
          .hasMessageContaining("1 ms");
      end.countDown();
      holder.get();
      store.begin(TransactionMode.PESSIMISTIC, Duration.ZERO).close();
    }
  }

  @Test
  void writeBesideTheTransactionIsRefusedInsteadOfWaitingForItself() throws Exception {
    try (LmdbStore store = Stores.open(directory)) {
      LmdbTable table = Stores.table(store, "default");
      try (EngineTransaction<LmdbTable> transaction =
          store.begin(TransactionMode.PESSIMISTIC, Duration.ZERO)) {
        transaction.put(table, Stores.key(1), Stores.key(1));
        assertThatThrownBy(() -> store.put(table, Stores.key(2), Stores.key(2)))
            .isInstanceOf(BadArgumentException.class)
            .hasMessageContaining("transaction");
        assertThat(store.get(table, Stores.key(1))).isNull(); // reads beside it are free
        transaction.commit();
      }
      assertThat(store.count(table)).isEqualTo(1);
    }
  }

  @Test
  void walkGoesOnRightlyWhileItsTransactionWrites() throws Exception {
    Random random = new Random(42);
    try (LmdbStore store = Stores.open(directory)) {
      LmdbTable table = Stores.table(store, "default");
      for (int round = 0; round < 200; round++) {
        boolean reverse = random.nextBoolean();
        try (EngineTransaction<LmdbTable> transaction =
            store.begin(TransactionMode.PESSIMISTIC, Duration.ZERO)) {
          TreeMap<Integer, Integer> model = new TreeMap<>();
          for (int i = 0; i < 300; i++) {
            int key = random.nextInt(1_000);
            transaction.put(table, Stores.key(key), Stores.key(i));
            model.put(key, i);
          }
          Range<byte[]> range = reverse ? Range.<byte[]>all().reverse() : Range.all();
          Integer at = null;
          try (EngineCursor cursor = transaction.cursor(table, range)) {
            while (cursor.next()) {
              Integer expected =
                  at == null
                      ? (reverse ? model.lastKey() : model.firstKey())
                      : (reverse ? model.lowerKey(at) : model.higherKey(at));
              assertThat(cursor.key()).isEqualTo(Stores.key(expected));
              assertThat(cursor.value()).isEqualTo(Stores.key(model.get(expected)));
              at = expected;
              for (int i = random.nextInt(4); i > 0; i--) {
                int key = random.nextInt(4) == 0 ? at : random.nextInt(1_000);
                if (random.nextBoolean()) {
                  transaction.put(table, Stores.key(key), Stores.key(i));
                  model.put(key, i);
                } else {
                  transaction.delete(table, Stores.key(key));
                  model.remove(key);
                }
              }
            }
          }
          assertThat(reverse ? model.lowerKey(at) : model.higherKey(at)).isNull();
        } // and nothing is committed
      }
      assertThat(store.count(table)).isZero();
    }
  }
}
