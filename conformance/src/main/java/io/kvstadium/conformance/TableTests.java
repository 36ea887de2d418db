package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
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
  default void defaultTableIsAlwaysThere() {
    Store store = stage().open();

    assertThat(store.tables()).contains(Store.DEFAULT_TABLE);
    assertThat(store.table().name()).isEqualTo(Store.DEFAULT_TABLE);
    store.table().put(bytes("a"), bytes("1"));
    assertThat(store.table(Store.DEFAULT_TABLE).exists(bytes("a"))).isTrue();
  }

  @Test
  default void tablesAreIndependent() {
    Store store = stage().openWith(Capability.TABLES, Capability.SCAN);
    Table one = store.table("one");
    Table two = store.table("two");

    one.put(bytes("a"), bytes("1"));
    two.put(bytes("a"), bytes("2"));
    two.put(bytes("b"), bytes("2"));
    one.delete(bytes("b"));

    assertThat(text(one.get(bytes("a")))).isEqualTo(text(bytes("1")));
    assertThat(text(two.get(bytes("a")))).isEqualTo(text(bytes("2")));
    assertThat(one.count()).isEqualTo(1);
    assertThat(two.count()).isEqualTo(2);
    assertThat(store.table().count()).isZero();
    assertThat(store.table("one").exists(bytes("a"))).isTrue();
    one.clear();
    assertThat(two.count()).isEqualTo(2);
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

    Table again = store.table(names.get(4));
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
        List.of("a", "A", "9", "a-b", "a_b", "a.b", "-", "_x", ".x", "select", "x".repeat(64));

    for (String name : names) {
      store.table(name).put(bytes("name"), bytes(name));
    }

    assertThat(store.tables()).containsAll(names);
    for (String name : names) {
      assertThat(text(store.table(name).get(bytes("name")))).isEqualTo(text(bytes(name)));
    }
  }

  @Test
  default void badNamesAreRefused() {
    Store store = stage().openWith(Capability.TABLES);
    List<String> before = store.tables();

    for (String name :
        List.of("", "a b", "a/b", "..\\a", "a\"b", "a'b", "a\0b", "ä", "a\nb", "x".repeat(65))) {
      assertThatThrownBy(() -> store.table(name))
          .as("'%s'", name)
          .isInstanceOf(BadArgumentException.class);
    }

    assertThat(store.tables()).isEqualTo(before);
  }

  @Test
  default void defaultTableCannotBeDroppedAndAMissingOneNeedNot() {
    Store store = stage().openWith(Capability.TABLES);

    assertThatThrownBy(() -> store.dropTable(Store.DEFAULT_TABLE))
        .isInstanceOf(BadArgumentException.class);
    store.dropTable("missing");

    assertThat(others(store)).isEmpty();
  }

  @Test
  default void handlesOfADroppedTableAreClosed() {
    Store store = stage().openWith(Capability.TABLES, Capability.ORDERED_SCAN);
    Table table = store.table("gone");
    Table other = store.table("kept");
    for (int i = 0; i < 10; i++) {
      table.put(key(i), bytes("1"));
      other.put(key(i), bytes("1"));
    }
    Cursor cursor = table.scan(Range.all());
    Cursor otherCursor = other.scan(Range.all());
    assertThat(cursor.next()).isTrue();
    assertThat(otherCursor.next()).isTrue();

    store.dropTable("gone");

    assertThatThrownBy(() -> table.get(key(1))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> table.put(key(1), bytes("2"))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> table.scan(Range.all())).isInstanceOf(ClosedException.class);
    assertThatThrownBy(table::clear).isInstanceOf(ClosedException.class);
    assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
    cursor.close();
    assertThat(others(store)).containsExactly("kept");
    assertThat(otherCursor.next()).isTrue();
    otherCursor.close();
    assertThat(other.count()).isEqualTo(10);
    assertThat(store.table("gone").count()).isZero();
    assertThatThrownBy(() -> table.get(key(1))).isInstanceOf(ClosedException.class);
  }

  @Test
  default void aTableMayBeDroppedWhileOthersUseIt() {
    Store store = stage().openWith(Capability.TABLES, Capability.ORDERED_SCAN);

    for (int round = 0; round < 5; round++) {
      Table table = store.table("busy");
      Stage.fill(
          store,
          table,
          writer -> {
            for (int i = 0; i < 100; i++) {
              writer.put(key(i), bytes("1"));
            }
          });
      CloseTests.closedWhile(
          () -> store.dropTable("busy"),
          List.of(
              () -> table.get(key(7)),
              () -> Bytes.entries(table),
              () -> table.put(key(8), bytes("2")),
              () -> table.delete(key(9))));
      assertThat(store.table("busy").count()).isZero();
      store.dropTable("busy");
    }
  }

  @Test
  default void aTableIsDroppedBesideReadersAndWritersOfOthers() {
    Store store = stage().openWith(Capability.TABLES, Capability.SCAN);
    Table slow = store.table("slow");
    slow.put(bytes("a"), bytes("1"));
    Table busy = store.table("busy");
    Stage.fill(
        store,
        busy,
        writer -> {
          for (int i = 0; i < 50; i++) {
            writer.put(key(i), bytes("1"));
          }
        });
    List<String> names = List.of("gone0", "gone1", "gone2", "gone3");
    names.forEach(name -> store.table(name).put(bytes("a"), bytes("1")));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch dropped = new CountDownLatch(1);

    List<FutureTask<Void>> crew =
        Crew.start(
            3,
            member -> {
              switch (member) {
                case 0 ->
                    slow.get(
                        bytes("a"),
                        value -> {
                          inside.countDown();
                          await(leave);
                          return Crew.elsewhere(() -> text(slow.get(bytes("a"))));
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
      String value = Crew.elsewhere(() -> text(slow.get(bytes("a"))));
      assertThat(value).isEqualTo(text(bytes("1")));
      Crew.doElsewhere(() -> busy.put(key(1), bytes("3")));
      leave.countDown();
      Crew.join(dropping);
    } finally {
      leave.countDown();
      dropped.countDown();
    }

    Crew.joinAll(crew);
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
    Table table = store.table();
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
    Crew.join(making);
    assertThat(others(store)).containsExactly("new", "users");
  }

  @Test
  default void tablesMayBeMadeByManyThreadsAtOnce() {
    Store store = stage().openWith(Capability.TABLES);

    Crew.run(
        4,
        member -> {
          for (int i = 0; i < 10; i++) {
            store.table("shared" + i).put(key(member), bytes("1"));
            store.table("own" + member).put(key(i), bytes("1"));
          }
        });

    assertThat(others(store)).hasSize(14);
    for (int i = 0; i < 10; i++) {
      for (int member = 0; member < 4; member++) {
        assertThat(store.table("shared" + i).exists(key(member))).isTrue();
        assertThat(store.table("own" + member).exists(key(i))).isTrue();
      }
    }
  }

  @Test
  default void scansBeginWhileOtherTablesAreMadeAndDropped() {
    Store store = stage().openWith(Capability.TABLES, Capability.SCAN);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));
    AtomicBoolean done = new AtomicBoolean();

    Crew.run(
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
