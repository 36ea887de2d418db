package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that meet each other: none is lost, none waits forever. */
interface TransactionConflictTests extends Staged {
  private static byte[] number(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  private static long number(TableReader<byte[], byte[]> table, byte[] key) {
    return ByteBuffer.wrap(table.getOrDefault(key, new byte[8])).getLong();
  }

  @ParameterizedTest
  @EnumSource
  default void noUpdateIsLost(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table<byte[], byte[]> table = store.table();
    byte[] counter = bytes("counter");
    TransactionOptions options = TransactionOptions.DEFAULT.mode(mode);

    TestThreads.run(
        4,
        _ -> {
          for (int i = 0; i < 50; i++) {
            store.transact(
                options,
                tx -> {
                  Table<byte[], byte[]> own = tx.on(table);
                  long read = number(own, counter);
                  LockSupport.parkNanos(20_000); // lets others come in between, if they can
                  own.put(counter, number(read + 1));
                  return 0;
                });
          }
        });

    assertThat(number(table, counter)).isEqualTo(200);
  }

  /** Many want the same, and each write takes its time: with the default options all get it. */
  @ParameterizedTest
  @EnumSource(names = {"CONSISTENT", "POWER"})
  default void everyIncrementOfManyThreadsIsDone(Durability level) {
    Store store = stage().openWith(Capability.TRANSACTION);
    if (store.engine().durability().containsKey(level)) {
      store.close();
      store = stage().open(Stage.with(stage().url(), level), OpenOptions.DEFAULT);
    }
    increment(store);
  }

  private static void increment(Store store) {
    Table<byte[], byte[]> table = store.table();
    byte[] counter = bytes("counter");
    byte[] other = bytes("other");

    TestThreads.run(
        8,
        _ -> {
          for (int i = 0; i < 100; i++) {
            store.transact(tx -> {
              Table<byte[], byte[]> own = tx.on(table);
              own.increment(counter, 1);
              return own.increment(other, 1);
            });
          }
        });

    assertThat(table.increment(counter, 0)).isEqualTo(800);
    assertThat(table.increment(other, 0)).isEqualTo(800);
  }

  @Test
  default void optimisticBlockRunsAgainAfterAConflict() {
    Store store = stage().openWith(Capability.OPTIMISTIC_TRANSACTION);
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("a"), bytes("0"));
    AtomicInteger runs = new AtomicInteger();

    String seen =
        store.transact(
            TransactionOptions.DEFAULT.mode(TransactionMode.OPTIMISTIC),
            tx -> {
              String read = text(tx.on(table).get(bytes("a")));
              if (runs.incrementAndGet() == 1) {
                TestThreads.doElsewhere(() -> table.put(bytes("a"), bytes("1")));
              }
              tx.on(table).put(bytes("a"), bytes("2"));
              return read;
            });

    assertThat(runs).hasValue(2);
    assertThat(seen).isEqualTo(text(bytes("1")));
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("2")));
  }

  @Test
  default void pessimisticLockIsWaitedForNoLongerThanAsked() {
    Store store = stage().openWith(Capability.PESSIMISTIC_TRANSACTION);
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("read"), bytes("0"));
    TransactionOptions impatient =
        TransactionOptions.DEFAULT
            .mode(TransactionMode.PESSIMISTIC)
            .retryTimeout(Duration.ZERO)
            .lockTimeout(Duration.ofMillis(50));

    store.transact(
        TransactionOptions.DEFAULT.mode(TransactionMode.PESSIMISTIC),
        tx -> {
          tx.on(table).get(bytes("read"));
          tx.on(table).put(bytes("written"), bytes("1"));
          for (String locked : List.of("read", "written")) {
            assertThatThrownBy(
                    () -> TestThreads.doElsewhere(() -> set(store, table, impatient, locked)))
                .isInstanceOf(ConflictException.class);
          }
          return 0;
        });

    set(store, table, impatient, "read");
    assertThat(text(table.get(bytes("read")))).isEqualTo(text(bytes("other")));
    assertThat(text(table.get(bytes("written")))).isEqualTo(text(bytes("1")));
  }

  private static void set(
      Store store, Table<byte[], byte[]> table, TransactionOptions options, String key) {
    store.transact(
        options,
        tx -> {
          tx.on(table).put(bytes(key), bytes("other"));
          return 0;
        });
  }

  @Test
  default void pessimisticTransactionKeepsPlainWritesOut() {
    Store store = stage().openWith(Capability.PESSIMISTIC_TRANSACTION);
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("a"), number(1));
    List<FutureTask<Void>> others = new ArrayList<>();

    store.transact(
        TransactionOptions.DEFAULT.mode(TransactionMode.PESSIMISTIC),
        tx -> {
          Table<byte[], byte[]> own = tx.on(table);
          long read = number(own, bytes("a"));
          others.addAll(TestThreads.start(1, _ -> table.put(bytes("a"), number(100))));
          Thread.onSpinWait();
          own.put(bytes("a"), number(read + 1));
          return 0;
        });

    // The other write came after the commit, or gave up; between read and commit it cannot have
    // come, since then what is there now would be 2.
    boolean gaveUp = false;
    try {
      TestThreads.joinAll(others);
    } catch (ConflictException e) {
      gaveUp = true;
    }
    assertThat(number(table, bytes("a"))).isEqualTo(gaveUp ? 2 : 100);
  }
}
