package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Handles that end while others use them. The library lets no call into the engine after that;
 * these tests are for what an engine does on its own threads, and for closes in any order.
 */
interface LifetimeTests extends Staged {
  /**
   * Runs each use over and over on a separate thread, closes once each has succeeded a few times,
   * and demands that each then meets {@link ClosedException} and nothing else.
   */
  private static void closedWhile(Runnable close, List<Runnable> uses) throws InterruptedException {
    CountDownLatch warm = new CountDownLatch(uses.size());
    List<FutureTask<Void>> threads =
        TestThreads.start(
            uses.size(),
            number -> {
              for (int i = 0; ; i++) {
                try {
                  uses.get(number).run();
                } catch (ClosedException e) {
                  warm.countDown();
                  assertThat(i).as("successful calls").isPositive();
                  return;
                } catch (Throwable e) {
                  warm.countDown();
                  throw e;
                }
                if (i == 5) {
                  warm.countDown();
                }
              }
            });
    warm.await();
    close.run();
    TestThreads.joinAll(threads);
  }

  private static Table<byte[], byte[]> filled(Store store, String name) {
    Table<byte[], byte[]> table = store.table(name);
    Stage.load(table, 200, i -> value(20, i));
    return table;
  }

  @Test
  default void aStoreMayBeClosedWhileOthersUseIt() throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      Store store = stage().openAny();
      Table<byte[], byte[]> table = filled(store, Store.DEFAULT_TABLE);
      List<Runnable> uses = new ArrayList<>();
      uses.add(() -> table.get(key(7)));
      uses.add(() -> table.get(key(7), view -> view.byteSize()));
      for (Capability capability : store.capabilities()) {
        switch (capability) {
          case WRITE -> uses.add(() -> table.put(key(8), value(20, 8)));
          case SCAN -> uses.add(() -> Bytes.entries(table));
          case BATCH ->
              uses.add(() -> store.write(batch -> batch.put(table, key(2), value(20, 2))));
          case TRANSACTION ->
              uses.add(() ->
                  store.transact(tx -> {
                    tx.on(table).put(key(3), value(20, 3));
                    return 0;
                  }));
          case SNAPSHOT ->
              uses.add(() -> {
                try (Snapshot snapshot = store.snapshot()) {
                  snapshot.on(table).get(key(1));
                }
              });
          default -> {}
        }
      }

      closedWhile(store::close, uses);
    }
  }

  @Test
  default void aTableMayBeDroppedWhileOthersUseIt() throws InterruptedException {
    Store store = stage().openWith(Capability.TABLES, Capability.ORDERED_SCAN);

    for (int round = 0; round < 5; round++) {
      Table<byte[], byte[]> table = filled(store, "busy");
      closedWhile(
          () -> store.dropTable("busy"),
          List.of(
              () -> table.get(key(7)),
              () -> Bytes.entries(table),
              () -> table.put(key(8), value(20, 9)),
              () -> table.delete(key(9))));
      assertThat(store.table("busy").count()).isZero();
      store.dropTable("busy");
    }
  }

  /** If they were closed in the middle of a write, engines in C code would break. */
  @ParameterizedTest
  @EnumSource
  default void cursorsForgottenInATransactionDoItNoHarm(TransactionMode mode)
      throws InterruptedException {
    Store store = stage().openWith(mode.capability(), Capability.SCAN);
    Table<byte[], byte[]> table = filled(store, Store.DEFAULT_TABLE);
    Thread collector = Thread.ofPlatform().daemon().unstarted(System::gc);

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          Table<byte[], byte[]> inside = tx.on(table);
          for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 10; i++) {
              inside.scan(Range.all()).next(); // and nobody closes it
            }
            if (round == 3 && collector.getState() == Thread.State.NEW) {
              collector.start();
            }
            for (int i = 0; i < 100; i++) {
              inside.put(key((round * 37 + i) % 1_000), value(200, i));
            }
          }
          return 0;
        });

    collector.join();
    assertThat(table.contains(key(19 * 37))).isTrue();
  }
}
