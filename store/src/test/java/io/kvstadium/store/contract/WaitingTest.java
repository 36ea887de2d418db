package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A close waits for readers, a drop for those of its own table, and nobody in a circle. */
class WaitingTest extends LibraryTest {
  private static final byte[] A = bytes("a");

  /** A thread that stays inside a value reader until it is told to leave. */
  private static final class SlowReader implements AutoCloseable {
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);
    private final FutureTask<Void> thread;

    SlowReader(Table<byte[], byte[]> table) throws InterruptedException {
      thread =
          TestThreads.start(
                  1,
                  _ ->
                      table.get(
                          A,
                          _ -> {
                            inside.countDown();
                            await(leave);
                            return 0;
                          }))
              .getFirst();
      inside.await();
    }

    @Override
    public void close() {
      leave.countDown();
      TestThreads.join(thread);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  /** Waits until a thread can only continue when another one does something, or is done. */
  private static void awaitWaiting(Thread thread) {
    while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
  }

  private static Thread start(FutureTask<Void> task) {
    return Thread.ofPlatform().daemon().start(task);
  }

  private static void awaitClosed(Table<byte[], byte[]> table) {
    while (true) {
      try {
        table.contains(A);
      } catch (ClosedException e) {
        return;
      }
    }
  }

  private Table<byte[], byte[]> filled(Store store) {
    store.table().put(A, A);
    return store.table();
  }

  @Test
  void theSecondCloseWaitsForTheFirst() throws InterruptedException {
    Store store = open();
    Table<byte[], byte[]> table = filled(store);
    FutureTask<Void> first = new FutureTask<>(store::close, null);
    FutureTask<Void> second = new FutureTask<>(store::close, null);

    try (SlowReader _ = new SlowReader(table)) {
      start(first);
      awaitClosed(table);
      awaitWaiting(start(second));
      assertThat(second.isDone()).isFalse();
    }

    TestThreads.join(second);
    open().close();
    TestThreads.join(first);
  }

  @Test
  void makingAndDroppingTablesHoldsUpNobodyElse() throws InterruptedException {
    Store store = open();
    Table<byte[], byte[]> table = filled(store);
    store.table("other");
    FutureTask<Void> drop = new FutureTask<>(() -> store.dropTable("other"), null);
    FutureTask<Void> making = new FutureTask<>(() -> store.table("new"), null);

    try (SlowReader _ = new SlowReader(table)) {
      awaitWaiting(start(drop));
      start(making);
      for (int i = 0; i < 20; i++) {
        assertThat(TestThreads.elsewhere(() -> store.table().contains(A))).isTrue();
      }
      assertThat(drop.isDone()).as("a drop waits for those who might be in its table").isFalse();
    }

    TestThreads.join(drop);
    TestThreads.join(making);
    assertThat(store.tables()).contains("new").doesNotContain("other");
  }

  /** The reader waits for its helper, who must not wait for a drop that waits for readers. */
  @Test
  void aReaderMayWaitForAHelperWhileATableIsDropped() throws InterruptedException {
    Store store = open();
    Table<byte[], byte[]> table = filled(store);
    store.table("other");
    CountDownLatch inside = new CountDownLatch(1);
    FutureTask<Void> drop = new FutureTask<>(() -> store.dropTable("other"), null);
    Thread dropper = Thread.ofPlatform().daemon().unstarted(drop);
    FutureTask<Void> reader =
        new FutureTask<>(
            () ->
                table.get(
                    A,
                    _ -> {
                      inside.countDown();
                      awaitWaiting(dropper);
                      return TestThreads.elsewhere(() -> table.contains(A));
                    }),
            null);

    start(reader);
    inside.await();
    dropper.start();

    TestThreads.join(reader);
    TestThreads.join(drop);
  }

  /** One thread makes a table, which may need the writer lock that a transaction has. */
  @ParameterizedTest
  @EnumSource
  void aTransactionMayOpenATableWhileAnotherIsMade(TransactionMode mode) {
    Store before = open();
    before.table("users").put(A, A);
    before.close();
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    FutureTask<Void> making = new FutureTask<>(() -> store.table("new"), null);
    Thread maker = Thread.ofPlatform().daemon().unstarted(making);

    boolean found =
        TestThreads.elsewhere(() ->
            store.transact(
                TransactionOptions.DEFAULT.mode(mode),
                tx -> {
                  tx.on(table).put(A, A);
                  if (maker.getState() == Thread.State.NEW) {
                    maker.start();
                    awaitWaiting(maker);
                  }
                  return tx.on(store.table("users")).contains(A);
                }));

    assertThat(found).isTrue();
    TestThreads.join(making);
    assertThat(store.tables()).contains("users", "new");
  }
}
