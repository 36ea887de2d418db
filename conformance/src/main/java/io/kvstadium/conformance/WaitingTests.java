package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who waits for whom: a close for readers, a drop for those of its own table, and nobody in a
 * circle.
 */
interface WaitingTests extends Staged {
  /** A thread that stays inside a value reader until it is told to leave. */
  final class SlowReader implements AutoCloseable {
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);
    private final FutureTask<Void> thread;

    SlowReader(Table table, byte[] key) {
      thread =
          Crew.start(
                  1,
                  _ ->
                      table.get(
                          key,
                          _ -> {
                            inside.countDown();
                            await(leave);
                            return 0;
                          }))
              .getFirst();
      await(inside);
    }

    /** Lets it leave, and waits until it has. */
    @Override
    public void close() {
      leave.countDown();
      Crew.join(thread);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("what should have happened did not");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  /** Waits until a thread can only continue when another one does something. */
  private static void awaitWaiting(Thread thread) {
    while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
  }

  /** Whether they meet at one key, at some, or only in the table. */
  @ParameterizedTest
  @CsvSource({"2000, 1", "1000, 10", "1000, 1000"})
  default void thousandsOfVirtualThreadsMayPutAtOnce(int threads, int keys) {
    Table table = stage().open().table();
    int platformThreads = platformThreads();
    int mostPlatformThreads = 0;

    List<FutureTask<Void>> puts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      byte[] key = key(i % keys);
      byte[] value = key(i);
      FutureTask<Void> put = new FutureTask<>(() -> table.put(key, value), null);
      puts.add(put);
      Thread.ofVirtual().start(put);
      if (i % 100 == 99) {
        mostPlatformThreads = Math.max(mostPlatformThreads, platformThreads());
      }
    }
    Crew.joinAll(puts);

    for (int i = 0; i < keys; i++) {
      assertThat(table.exists(key(i))).isTrue();
    }
    assertThat(mostPlatformThreads)
        .as("platform threads while virtual ones wait")
        .isLessThan(platformThreads + threads / 4);
  }

  private static int platformThreads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  private Table filled(Store store) {
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));
    return table;
  }

  @Tag("library")
  @Test
  default void theSecondCloseWaitsForTheFirst() {
    Store store = stage().open();
    Table table = filled(store);
    FutureTask<Void> first;
    FutureTask<Void> second;
    Thread[] closers = new Thread[2];

    try (SlowReader _ = new SlowReader(table, bytes("a"))) {
      first = closing(store, closers, 0);
      while (!refuses(table)) {
        Thread.onSpinWait();
      }
      second = closing(store, closers, 1);
      awaitWaiting(closers[1]);
      assertThat(second.isDone()).isFalse();
    }

    Crew.join(second);
    stage().open().close(); // refused if it were not closed
    Crew.join(first);
  }

  private static FutureTask<Void> closing(Store store, Thread[] closers, int which) {
    FutureTask<Void> task = new FutureTask<>(store::close, null);
    closers[which] = Thread.ofPlatform().daemon().start(task);
    return task;
  }

  private static boolean refuses(Table table) {
    try {
      table.exists(bytes("a"));
      return false;
    } catch (ClosedException e) {
      return true;
    }
  }

  @Tag("library")
  @Test
  default void aCloseThatWaitsNoLongerIsFinishedByTheLastReader() {
    Store store = stage().open();
    Table table = filled(store);

    try (SlowReader _ = new SlowReader(table, bytes("a"))) {
      assertThat(store.close(Duration.ofMillis(10))).isFalse();
      while (!refuses(table)) {
        Thread.onSpinWait();
      }
    }

    assertThat(store.close(Duration.ofSeconds(60))).isTrue();
    assertThatThrownBy(() -> table.get(bytes("a"))).isInstanceOf(ClosedException.class);
    stage().open(OpenOptions.DEFAULT).close();
  }

  @Tag("library")
  @Test
  default void makingAndDroppingTablesHoldsUpNobodyElse() {
    Store store = stage().openWith(Capability.TABLES);
    Table table = filled(store);
    store.table("other");
    FutureTask<Void> drop = new FutureTask<>(() -> store.dropTable("other"), null);
    FutureTask<Void> making;

    try (SlowReader _ = new SlowReader(table, bytes("a"))) {
      awaitWaiting(Thread.ofPlatform().daemon().start(drop));
      making = Crew.start(1, _ -> store.table("new")).getFirst();
      for (int i = 0; i < 20; i++) {
        assertThat(Crew.elsewhere(() -> store.table().exists(bytes("a")))).isTrue();
      }
      assertThat(drop.isDone()).as("a drop waits for those who might be in its table").isFalse();
    }

    Crew.join(drop);
    Crew.join(making);
    assertThat(store.tables()).contains("new").doesNotContain("other");
  }

  /**
   * The reader waits for its helper; so the helper must not wait for a drop that waits for readers.
   */
  @Tag("library")
  @Test
  default void aReaderMayWaitForAHelperWhileATableIsDropped() {
    Store store = stage().openWith(Capability.TABLES);
    Table table = filled(store);
    store.table("other");
    CountDownLatch inside = new CountDownLatch(1);
    FutureTask<Void> drop = new FutureTask<>(() -> store.dropTable("other"), null);
    Thread dropper = Thread.ofPlatform().daemon().unstarted(drop);

    FutureTask<Void> reader =
        Crew.start(
                1,
                _ ->
                    table.get(
                        bytes("a"),
                        _ -> {
                          inside.countDown();
                          awaitWaiting(dropper);
                          return Crew.elsewhere(() -> table.exists(bytes("a")));
                        }))
            .getFirst();
    await(inside);
    dropper.start();

    Crew.join(reader);
    Crew.join(drop);
  }

  /** One thread makes a table, which may need the writer lock that a transaction has. */
  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void aTransactionMayOpenATableWhileAnotherIsMade(TransactionMode mode) {
    Store before = stage().openWith(Capability.TABLES, Capability.PERSISTENT, mode.capability());
    before.table("users").put(bytes("ann"), bytes("1"));
    before.close();
    Store store = stage().open();
    Table table = store.table();
    Thread[] maker = new Thread[1];
    FutureTask<Void> making = new FutureTask<>(() -> store.table("new"), null);

    boolean found =
        Crew.elsewhere(() ->
            store.transact(
                TransactionOptions.DEFAULT.mode(mode),
                tx -> {
                  tx.on(table).put(bytes("x"), bytes("y"));
                  if (maker[0] == null) {
                    maker[0] = Thread.ofPlatform().daemon().start(making);
                    awaitWaitingOrDone(maker[0]);
                  }
                  return tx.on(store.table("users")).exists(bytes("ann"));
                }));

    assertThat(found).isTrue();
    Crew.join(making);
    assertThat(store.tables()).containsAll(List.of("users", "new"));
  }

  private static void awaitWaitingOrDone(Thread thread) {
    for (int i = 0; i < 1_000_000 && thread.getState() == Thread.State.RUNNABLE; i++) {
      Thread.onSpinWait(); // in C code it counts as running while it waits
    }
  }
}
