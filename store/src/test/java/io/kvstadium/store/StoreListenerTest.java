package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoreListenerTest {
  /** Records what it is notified of. */
  private static final class Recorder implements StoreListener {
    final List<String> told = new ArrayList<>();
    final List<Long> times = new ArrayList<>();
    boolean timed = true;

    @Override
    public boolean timesCalls() {
      return timed;
    }

    @Override
    public void called(Call call, String table, long nanoseconds, long bytes) {
      told.add(call + " " + table + " " + bytes);
      times.add(nanoseconds);
    }

    @Override
    public void failed(Call call, String table, RuntimeException failure) {
      told.add(call + " " + table + " failed: " + failure.getMessage());
    }

    @Override
    public void conflict(int attempt) {
      told.add("conflict " + attempt);
    }

    @Override
    public void leak(String handle, @Nullable Throwable opened) {
      told.add("leak: " + handle);
    }
  }

  private final Recorder recorder = new Recorder();
  private final byte[] key = {1, 2, 3};
  private final byte[] value = {4, 5};

  private final FakeEngine engine = new FakeEngine();

  private Store open() {
    return Engines.of(List.of(engine)).open("fake:", OpenOptions.DEFAULT.listener(recorder));
  }

  @Test
  void isToldOfEachCallWithItsTableAndBytes() {
    Store store = open();
    Table<byte[], byte[]> table = store.table("t");

    table.put(key, value);
    table.get(key);
    table.get(key, segment -> segment.byteSize());
    table.multiGet(List.of(key, key));
    table.contains(key);
    try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
      while (cursor.next()) {
        cursor.key();
        cursor.value();
      }
    }
    store.write(batch -> batch.put(table, key, value));
    store.transact(tx -> {
      tx.on(table).delete(key);
      return 0;
    });
    store.sync();

    assertThat(recorder.told)
        .containsExactly(
            "PUT t 5",
            "GET t 2",
            "GET t 2",
            "MULTI_GET t 4",
            "CONTAINS t 0",
            "SCAN t 5",
            "WRITE  5",
            "DELETE t 0",
            "COMMIT  0",
            "SYNC  0");
    assertThat(recorder.times).allMatch(time -> time > 0);
  }

  @Test
  void readsNoClockForAListenerThatOnlyCounts() {
    recorder.timed = false;
    Store store = open();

    store.table().put(key, value);
    store.table().scan(Range.all()).close();

    assertThat(recorder.times).containsExactly(0L, 0L);
  }

  @Test
  void isToldOfFailuresConflictsAndLeaks() {
    Store store = open();
    Table<byte[], byte[]> table = store.table("t");
    table.put(key, value);
    recorder.told.clear();

    assertThatThrownBy(() ->
            table.get(
                key,
                _ -> {
                  throw new IllegalStateException("the application's own");
                }))
        .isInstanceOf(IllegalStateException.class);
    engine.atSync =
        () -> {
          throw new ConflictException("planted in the engine");
        };
    assertThatThrownBy(store::sync).isInstanceOf(ConflictException.class);
    boolean[] lost = new boolean[1];
    store.transact(tx -> {
      if (!lost[0]) {
        lost[0] = true;
        throw new ConflictException("planted");
      }
      return 0;
    });
    Cursor<byte[], byte[]> forgotten = table.scan(Range.all());
    store.close();

    assertThat(forgotten).isNotNull();
    assertThat(recorder.told)
        .contains(
            "SYNC  failed: planted in the engine", "conflict 1", "leak: cursor on table t of fake:")
        .noneMatch(told -> told.startsWith("GET t failed"));
  }

  @Test
  void aTransactionThatLostIsAFailureOnlyIfTheApplicationGetsIt() {
    Store store = open();
    Table<byte[], byte[]> table = store.table("t");
    AtomicInteger lost = new AtomicInteger(1);
    engine.atCall =
        () -> {
          if (lost.getAndDecrement() > 0) {
            throw new ConflictException("planted");
          }
        };

    store.transact(tx -> {
      tx.on(table).put(key, value);
      return 0;
    });

    assertThat(recorder.told).containsExactly("conflict 1", "PUT t 5", "COMMIT  0");
    recorder.told.clear();
    lost.set(Integer.MAX_VALUE);
    assertThatThrownBy(() ->
            store.transact(
                TransactionOptions.DEFAULT.retryTimeout(Duration.ZERO),
                tx -> {
                  tx.on(table).put(key, value);
                  return 0;
                }))
        .isInstanceOf(ConflictException.class);
    assertThat(recorder.told)
        .hasSize(2)
        .contains("conflict 1")
        .anyMatch(told -> told.startsWith("COMMIT  failed"));
  }

  @Test
  void whatAListenerThrowsChangesNothing() {
    Store store =
        Engines.of(List.of(new FakeEngine()))
            .open(
                "fake:",
                OpenOptions.DEFAULT.listener(
                    new StoreListener() {
                      @Override
                      public void called(Call call, String table, long time, long bytes) {
                        throw new IllegalStateException("a bad listener");
                      }
                    }));

    store.table().put(key, value);

    assertThat(store.table().get(key)).isEqualTo(value);
  }
}
