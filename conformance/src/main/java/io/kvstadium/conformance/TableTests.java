package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The life of tables, from creation to drop. */
interface TableTests extends Staged {
  /** The names of all tables but the default one. */
  private static List<String> others(Store store) {
    List<String> names = new ArrayList<>(store.tables());
    names.remove(Store.DEFAULT_TABLE);
    return names;
  }

  @Test
  default void fiftyTablesAreMadeListedDroppedAndMadeAgain() {
    Store store = stage().openWith(Capability.TABLES);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      names.add("table-%02d".formatted(i));
    }
    List<String> shuffled = new ArrayList<>(names);
    Collections.shuffle(shuffled, new Random(2));

    for (String name : shuffled) {
      store.table(name).put(bytes("a"), bytes(name));
    }
    for (String name : names) {
      assertThat(text(store.table(name).get(bytes("a")))).isEqualTo(text(bytes(name)));
    }
    List<String> expected = new ArrayList<>(names);
    assertThat(others(store)).isEqualTo(expected);

    for (int i = 0; i < 50; i += 2) {
      store.dropTable(names.get(i));
      expected.remove(names.get(i));
    }
    assertThat(others(store)).isEqualTo(expected);

    Table<byte[], byte[]> again = store.table(names.get(4));
    assertThat(again.get(bytes("a"))).isNull();
    again.put(bytes("a"), bytes("again"));
    assertThat(text(store.table(names.get(4)).get(bytes("a")))).isEqualTo(text(bytes("again")));
    assertThat(text(store.table(names.get(5)).get(bytes("a"))))
        .isEqualTo(text(bytes(names.get(5))));
  }

  @Test
  default void namesMayHaveLettersDigitsAndAFewSigns() {
    Store store = stage().openWith(Capability.TABLES);
    List<String> names =
        List.of("a", "A", "9", "a-b", "a_b", "a.b", "-", "_x", ".x", "select", "x".repeat(63));

    for (String name : names) {
      store.table(name).put(bytes("name"), bytes(name));
    }

    assertThat(store.tables()).containsAll(names);
    for (String name : names) {
      assertThat(text(store.table(name).get(bytes("name")))).isEqualTo(text(bytes(name)));
    }
  }

  @Test
  default void aTableIsDroppedBesideReadersAndWritersOfOthers() {
    Store store = stage().openWith(Capability.TABLES, Capability.SCAN);
    Table<byte[], byte[]> slow = store.table("slow");
    slow.put(bytes("a"), bytes("1"));
    Table<byte[], byte[]> busy = store.table("busy");
    Stage.load(busy, 50, _ -> bytes("1"));
    List<String> names = List.of("gone0", "gone1", "gone2", "gone3");
    names.forEach(name -> store.table(name).put(bytes("a"), bytes("1")));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch dropped = new CountDownLatch(1);

    List<FutureTask<Void>> threads =
        TestThreads.start(
            3,
            member -> {
              switch (member) {
                case 0 ->
                    slow.get(
                        bytes("a"),
                        value -> {
                          inside.countDown();
                          await(leave);
                          return TestThreads.elsewhere(() -> text(slow.get(bytes("a"))));
                        });
                case 1 -> {
                  for (int i = 0; dropped.getCount() > 0; i++) {
                    if (i < 25) { // more would fill a small map that the reader keeps from growing
                      busy.put(key(i), bytes("2"));
                    }
                    Stage.sync(store);
                    store.stats();
                  }
                }
                default -> {
                  while (dropped.getCount() > 0) {
                    assertThat(Bytes.entries(busy)).hasSize(50);
                  }
                }
              }
            });
    await(inside);
    FutureTask<Void> dropping = new FutureTask<>(() -> names.forEach(store::dropTable), null);
    Thread dropper = Thread.ofPlatform().daemon().start(dropping);
    try {
      while (dropper.getState() == Thread.State.RUNNABLE) {
        Thread.onSpinWait(); // until it waits for the slow reader, or is done
      }
      String value = TestThreads.elsewhere(() -> text(slow.get(bytes("a"))));
      assertThat(value).isEqualTo(text(bytes("1")));
      TestThreads.doElsewhere(() -> busy.put(key(1), bytes("3")));
      leave.countDown();
      TestThreads.join(dropping);
    } finally {
      leave.countDown();
      dropped.countDown();
    }

    TestThreads.joinAll(threads);
    assertThat(others(store)).containsExactly("busy", "slow");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Test
  default void anExistingTableIsOpenedWhileAnotherIsMade() {
    Store first = stage().openWith(Capability.TABLES, Capability.PERSISTENT);
    Assumptions.assumeTrue(
        first.capabilities().contains(Capability.TRANSACTION), "no transactions");
    first.table("users").put(bytes("a"), bytes("1"));
    first.close();
    Store store = stage().openAny();
    Table<byte[], byte[]> table = store.table();
    FutureTask<Void> making = new FutureTask<>(() -> store.table("new"), null);
    Thread maker = Thread.ofPlatform().daemon().unstarted(making);

    String found =
        store.transact(tx -> {
          tx.on(table).put(bytes("b"), bytes("1"));
          if (maker.getState() == Thread.State.NEW) {
            maker.start();
          }
          while (maker.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait(); // until it waits for this transaction, or is done
          }
          return text(tx.on(store.table("users")).get(bytes("a")));
        });

    assertThat(found).isEqualTo(text(bytes("1")));
    TestThreads.join(making);
    assertThat(others(store)).containsExactly("new", "users");
  }

  @Test
  default void scansBeginWhileOtherTablesAreMadeAndDropped() {
    Store store = stage().openWith(Capability.TABLES, Capability.SCAN);
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("a"), bytes("1"));
    AtomicBoolean done = new AtomicBoolean();

    TestThreads.run(
        3,
        member -> {
          if (member == 0) {
            try {
              Rounds.upTo(
                  40,
                  4,
                  i -> {
                    store.table("other" + i % 4);
                    store.dropTable("other" + i % 4);
                  });
            } finally {
              done.set(true);
            }
            return;
          }
          while (!done.get()) {
            assertThat(Bytes.keys(table, Range.all())).containsExactly(text(bytes("a")));
          }
        });
  }
}
