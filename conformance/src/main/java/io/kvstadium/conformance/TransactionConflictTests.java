package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that meet each other: none is lost, none waits forever. */
interface TransactionConflictTests extends Staged {
  /** Runs the block until it is committed, which deadlocks may delay but not prevent. */
  private static void transactPersistently(
      Store store, TransactionMode mode, Consumer<Transaction> block) {
    TransactionOptions options =
        TransactionOptions.DEFAULT.mode(mode).attempts(100).lockTimeout(Duration.ofMillis(200));
    for (int conflicts = 0; ; conflicts++) {
      try {
        store.transact(
            options,
            tx -> {
              block.accept(tx);
              return 0;
            });
        return;
      } catch (ConflictException e) {
        if (conflicts == 100) {
          throw e;
        }
      }
    }
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  private static long number(TableReader table, byte[] key) {
    return ByteBuffer.wrap(table.getOrDefault(key, new byte[8])).getLong();
  }

  @ParameterizedTest
  @EnumSource
  default void noUpdateIsLost(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    byte[] counter = bytes("counter");

    Crew.run(
        4,
        _ -> {
          for (int i = 0; i < 50; i++) {
            transactPersistently(
                store,
                mode,
                tx -> {
                  Table own = tx.on(table);
                  long read = number(own, counter);
                  LockSupport.parkNanos(20_000); // lets others come in between, if they can
                  own.put(counter, number(read + 1));
                });
          }
        });

    assertThat(number(table, counter)).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  default void transfersKeepTheSum(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    boolean snapshots = store.capabilities().contains(Capability.SNAPSHOT);
    int accounts = 6;
    for (int i = 0; i < accounts; i++) {
      table.put(Bytes.key(i), number(100));
    }

    List<FutureTask<Void>> crew =
        Crew.start(
            3,
            member -> {
              SplittableRandom random = new SplittableRandom(member);
              for (int i = 0; i < 60; i++) {
                int from = random.nextInt(accounts);
                int to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
                transactPersistently(
                    store,
                    mode,
                    tx -> {
                      Table own = tx.on(table);
                      own.put(Bytes.key(from), number(number(own, Bytes.key(from)) - 1));
                      own.put(Bytes.key(to), number(number(own, Bytes.key(to)) + 1));
                    });
              }
            });
    while (snapshots && crew.stream().anyMatch(task -> !task.isDone())) {
      try (Snapshot snapshot = store.snapshot()) {
        assertThat(sum(snapshot.on(table), accounts)).isEqualTo(100L * accounts);
      }
    }
    Crew.joinAll(crew);

    assertThat(sum(table, accounts)).isEqualTo(100L * accounts);
  }

  private static long sum(TableReader table, int accounts) {
    long sum = 0;
    for (int i = 0; i < accounts; i++) {
      sum += number(table, Bytes.key(i));
    }
    return sum;
  }

  @Test
  default void optimisticBlockRunsAgainAfterAConflict() {
    Store store = stage().openWith(Capability.OPTIMISTIC_TRANSACTION);
    Table table = store.table();
    table.put(bytes("a"), bytes("0"));
    AtomicInteger runs = new AtomicInteger();

    String seen =
        store.transact(
            TransactionOptions.DEFAULT.mode(TransactionMode.OPTIMISTIC),
            tx -> {
              String read = text(tx.on(table).get(bytes("a")));
              if (runs.incrementAndGet() == 1) {
                Crew.doElsewhere(() -> table.put(bytes("a"), bytes("1")));
              }
              tx.on(table).put(bytes("a"), bytes("2"));
              return read;
            });

    assertThat(runs).hasValue(2);
    assertThat(seen).isEqualTo(text(bytes("1")));
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("2")));
  }

  @Test
  default void optimisticConflictOfWhatWasOnlyRead() {
    Store store = stage().openWith(Capability.OPTIMISTIC_TRANSACTION);
    Table table = store.table();
    table.put(bytes("deleted"), bytes("0"));
    List<Runnable> reads =
        List.of(
            () -> table.put(bytes("get"), bytes("1")),
            () -> table.put(bytes("exists"), bytes("1")),
            () -> table.put(bytes("all"), bytes("1")),
            () -> table.put(bytes("lent"), bytes("1")),
            () -> table.delete(bytes("deleted")));

    for (Runnable change : reads) {
      AtomicInteger runs = new AtomicInteger();
      store.transact(
          TransactionOptions.DEFAULT.mode(TransactionMode.OPTIMISTIC),
          tx -> {
            Table own = tx.on(table);
            List<Object> read = new ArrayList<>();
            read.add(text(own.get(bytes("get"))));
            read.add(text(own.get(bytes("deleted"))));
            read.add(own.exists(bytes("exists")));
            read.add(own.getAll(List.of(bytes("all"))));
            Long lentLength = own.get(bytes("lent"), segment -> segment.byteSize());
            read.add(String.valueOf(lentLength));
            if (runs.incrementAndGet() == 1) {
              Crew.doElsewhere(change);
            }
            own.put(bytes("result"), bytes(read.size()));
            return 0;
          });
      assertThat(runs).hasValue(2);
    }
  }

  @Test
  default void optimisticAttemptsAreBounded() {
    Store store = stage().openWith(Capability.OPTIMISTIC_TRANSACTION);
    Table table = store.table();
    AtomicInteger runs = new AtomicInteger();

    assertThatThrownBy(() ->
            store.transact(
                TransactionOptions.DEFAULT.mode(TransactionMode.OPTIMISTIC).attempts(3),
                tx -> {
                  byte[] now = bytes(runs.incrementAndGet());
                  assertThat(tx.on(table).exists(bytes("other"))).isFalse();
                  tx.on(table).get(bytes("a"));
                  Crew.doElsewhere(() -> table.put(bytes("a"), now));
                  tx.on(table).put(bytes("a"), bytes("mine"));
                  tx.on(table).put(bytes("other"), bytes("mine"));
                  return 0;
                }))
        .isInstanceOf(ConflictException.class);

    assertThat(runs).hasValue(3);
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes(3)));
    assertThat(table.exists(bytes("other"))).isFalse();
  }

  @Test
  default void optimisticTransactionsThatShareNothingDoNotConflict() {
    Store store = stage().openWith(Capability.OPTIMISTIC_TRANSACTION);
    Table table = store.table();
    AtomicInteger runs = new AtomicInteger();

    store.transact(
        TransactionOptions.DEFAULT.mode(TransactionMode.OPTIMISTIC),
        tx -> {
          runs.incrementAndGet();
          tx.on(table).get(bytes("a"));
          tx.on(table).put(bytes("a"), bytes("1"));
          return 0;
        });

    assertThat(runs).hasValue(1);
  }

  @Test
  default void pessimisticLockIsWaitedForNoLongerThanAsked() {
    Store store = stage().openWith(Capability.PESSIMISTIC_TRANSACTION);
    Table table = store.table();
    table.put(bytes("read"), bytes("0"));
    TransactionOptions impatient =
        TransactionOptions.DEFAULT
            .mode(TransactionMode.PESSIMISTIC)
            .attempts(1)
            .lockTimeout(Duration.ofMillis(50));

    store.transact(
        TransactionOptions.DEFAULT.mode(TransactionMode.PESSIMISTIC),
        tx -> {
          tx.on(table).get(bytes("read"));
          tx.on(table).put(bytes("written"), bytes("1"));
          for (String locked : List.of("read", "written")) {
            assertThatThrownBy(() -> Crew.doElsewhere(() -> set(store, table, impatient, locked)))
                .isInstanceOf(ConflictException.class);
          }
          return 0;
        });

    set(store, table, impatient, "read");
    assertThat(text(table.get(bytes("read")))).isEqualTo(text(bytes("other")));
    assertThat(text(table.get(bytes("written")))).isEqualTo(text(bytes("1")));
  }

  private static void set(Store store, Table table, TransactionOptions options, String key) {
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
    Table table = store.table();
    table.put(bytes("a"), number(1));
    List<FutureTask<Void>> others = new ArrayList<>();

    store.transact(
        TransactionOptions.DEFAULT.mode(TransactionMode.PESSIMISTIC),
        tx -> {
          Table own = tx.on(table);
          long read = number(own, bytes("a"));
          others.addAll(Crew.start(1, _ -> table.put(bytes("a"), number(100))));
          Thread.onSpinWait();
          own.put(bytes("a"), number(read + 1));
          return 0;
        });

    // The other write came after the commit, or gave up; between read and commit it cannot have
    // come, since then what is there now would be 2.
    boolean gaveUp = false;
    try {
      Crew.joinAll(others);
    } catch (ConflictException e) {
      gaveUp = true;
    }
    assertThat(number(table, bytes("a"))).isEqualTo(gaveUp ? 2 : 100);
  }
}
