package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The anomalies that isolation prevents: for reads by key on every engine that has transactions,
 * for scans where {@link Capability#SERIALIZABLE_SCANS} is declared. Two transactions meet after
 * the first has read; either may lose, but those that are committed must look as if one had run
 * after the other.
 */
interface IsolationTests extends Staged {
  /** Each runs once, and soon gives up waiting for a lock. */
  private static TransactionOptions once(TransactionMode mode) {
    return TransactionOptions.DEFAULT.mode(mode).attempts(1).lockTimeout(Duration.ofMillis(50));
  }

  /** Whose commit comes first. */
  enum Order {
    /** The second reads, writes and commits between the first's reads and its writes. */
    SECOND,
    /** The second reads before the first writes, and writes after the first's end. */
    FIRST
  }

  /**
   * Lets two transactions meet.
   *
   * @param one reads, and returns what it then does
   * @return whether the first was committed, and whether the second was
   */
  private static boolean[] meet(
      Store store,
      TransactionMode mode,
      Order order,
      Function<Transaction, Runnable> one,
      Function<Transaction, Runnable> two) {
    CountDownLatch secondHasRead = new CountDownLatch(1);
    CountDownLatch firstIsOver = new CountDownLatch(order == Order.FIRST ? 1 : 0);
    FutureTask<Boolean> second =
        new FutureTask<>(() -> {
          try {
            return commits(
                store,
                mode,
                tx -> {
                  Runnable rest = two.apply(tx);
                  secondHasRead.countDown();
                  await(firstIsOver);
                  return rest;
                });
          } finally {
            secondHasRead.countDown(); // it may have lost before
          }
        });
    boolean first =
        commits(
            store,
            mode,
            tx -> {
              Runnable rest = one.apply(tx);
              Thread.ofPlatform().daemon().name("second").start(second);
              if (order == Order.SECOND) {
                Crew.join(second);
              } else {
                await(secondHasRead);
              }
              return rest;
            });
    firstIsOver.countDown();
    boolean[] committed = {first, Crew.join(second)};
    assertThat(committed).as("who was committed, order %s", order).contains(true);
    return committed;
  }

  private static boolean commits(
      Store store, TransactionMode mode, Function<Transaction, Runnable> block) {
    try {
      store.transact(
          once(mode),
          tx -> {
            block.apply(tx).run();
            return 0;
          });
      return true;
    } catch (ConflictException e) {
      return false;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int count(boolean[] committed) {
    return (committed[0] ? 1 : 0) + (committed[1] ? 1 : 0);
  }

  // ---- reads by key, on every engine

  @ParameterizedTest
  @EnumSource
  default void nobodyReadsWhatIsNotCommitted(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.SCAN);
    Table table = store.table();
    table.put(bytes("changed"), bytes("before"));
    table.put(bytes("deleted"), bytes("before"));
    List<String> before = Bytes.entries(table);
    List<String> read = new ArrayList<>();
    List<String> scanned = new ArrayList<>();

    store.transact(
        once(mode),
        tx -> {
          Table own = tx.on(table);
          own.put(bytes("changed"), bytes("own"));
          own.put(bytes("added"), bytes("own"));
          own.delete(bytes("deleted"));
          Crew.doElsewhere(() -> {
            commits(
                store,
                mode,
                other -> {
                  scanned.addAll(Bytes.entries(other.on(table)));
                  return () -> {};
                });
            for (String key : List.of("changed", "added", "deleted")) {
              commits(
                  store,
                  mode,
                  other -> {
                    read.add(key + text(other.on(table).get(bytes(key))));
                    return () -> {};
                  });
            }
          });
          tx.rollback();
          return 0;
        });

    // a transaction that waited for the lock has read nothing
    String old = text(bytes("before"));
    assertThat(read).isSubsetOf("changed" + old, "added" + Bytes.ABSENT, "deleted" + old);
    assertThat(scanned).isSubsetOf(before);
    assertThat(Bytes.entries(table)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  default void keysThatWereReadStayAsTheyAre(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    List<byte[]> keys = List.of(bytes("changed"), bytes("added"), bytes("deleted"));

    for (Order order : Order.values()) {
      table.put(bytes("changed"), bytes("before"));
      table.delete(bytes("added"));
      table.put(bytes("deleted"), bytes("before"));
      List<List<String>> seen = new ArrayList<>();
      boolean[] committed =
          meet(
              store,
              mode,
              order,
              tx -> {
                seen.add(Bytes.texts(tx.on(table).getAll(keys)));
                return () -> seen.add(Bytes.texts(tx.on(table).getAll(keys)));
              },
              tx ->
                  () -> {
                    tx.on(table).put(bytes("changed"), bytes("other"));
                    tx.on(table).put(bytes("added"), bytes("other"));
                    tx.on(table).delete(bytes("deleted"));
                  });

      if (committed[0]) {
        assertThat(seen.get(1)).isEqualTo(seen.get(0));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void neitherOfTwoUpdatesOfAKeyIsLost(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    Function<Transaction, Runnable> increment =
        tx -> {
          int now = tx.on(table).getOrDefault(bytes("counter"), bytes(0))[0];
          return () -> tx.on(table).put(bytes("counter"), bytes(now + 1));
        };

    for (Order order : Order.values()) {
      table.put(bytes("counter"), bytes(0));
      boolean[] committed = meet(store, mode, order, increment, increment);

      assertThat((int) table.getOrDefault(bytes("counter"), bytes(0))[0])
          .isEqualTo(count(committed));
    }
  }

  /** Write skew: each of two reads both keys and writes one. */
  @ParameterizedTest
  @EnumSource
  default void whatWasOnlyReadByKeyIsProtectedToo(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();

    for (Order order : Order.values()) {
      table.put(bytes("deleted-1"), bytes("there"));
      table.put(bytes("deleted-2"), bytes("there"));
      table.delete(bytes("added-1"));
      table.delete(bytes("added-2"));
      meet(store, mode, order, deleteIfBoth(table, "1", "2"), deleteIfBoth(table, "2", "1"));
      meet(store, mode, order, addIfNone(table, "1", "2"), addIfNone(table, "2", "1"));

      assertThat(List.of(table.exists(bytes("deleted-1")), table.exists(bytes("deleted-2"))))
          .contains(true);
      assertThat(List.of(table.exists(bytes("added-1")), table.exists(bytes("added-2"))))
          .contains(false);
    }
  }

  private static Function<Transaction, Runnable> deleteIfBoth(
      Table table, String mine, String other) {
    return tx -> {
      boolean there = tx.on(table).exists(bytes("deleted-" + mine));
      boolean both = tx.on(table).exists(bytes("deleted-" + other)) && there;
      return () -> {
        if (both) {
          tx.on(table).delete(bytes("deleted-" + mine));
        }
      };
    };
  }

  private static Function<Transaction, Runnable> addIfNone(Table table, String mine, String other) {
    return tx -> {
      boolean there = tx.on(table).exists(bytes("added-" + mine));
      boolean none = !tx.on(table).exists(bytes("added-" + other)) && !there;
      return () -> {
        if (none) {
          tx.on(table).put(bytes("added-" + mine), bytes("there"));
        }
      };
    };
  }

  // ---- scans, where they are declared serializable

  private Store openSerializable(TransactionMode mode) {
    return stage().openWith(mode.capability(), Capability.SERIALIZABLE_SCANS);
  }

  @ParameterizedTest
  @EnumSource
  default void rangesThatWereScannedStayAsTheyAre(TransactionMode mode) {
    Store store = openSerializable(mode);
    Table table = store.table();

    for (Order order : Order.values()) {
      table.put(key(1), bytes("before"));
      table.put(key(3), bytes("before"));
      table.delete(key(2));
      table.delete(bytes("done"));
      List<List<String>> seen = new ArrayList<>();
      boolean[] committed =
          meet(
              store,
              mode,
              order,
              tx -> {
                seen.add(Bytes.entries(tx.on(table), Range.prefix(bytes("k"))));
                return () -> {
                  // outside of the range; who saw the range as it was cannot see this
                  boolean done = tx.on(table).exists(bytes("done"));
                  seen.add(
                      done ? List.of() : Bytes.entries(tx.on(table), Range.prefix(bytes("k"))));
                };
              },
              tx ->
                  () -> {
                    tx.on(table).put(key(1), bytes("other"));
                    tx.on(table).put(key(2), bytes("other"));
                    tx.on(table).delete(key(3));
                    tx.on(table).put(bytes("done"), bytes("other"));
                  });

      if (committed[0]) {
        assertThat(seen.get(1)).isEqualTo(seen.get(0)).hasSize(2);
      }
    }
  }

  /** Phantoms: each of two counts the entries of a range without seeing the other one's entry. */
  @ParameterizedTest
  @EnumSource
  default void whatIsAddedToAScannedRangeIsAConflict(TransactionMode mode) {
    Store store = openSerializable(mode);
    Table table = store.table();
    Range range = Range.prefix(bytes("k"));
    List<ToIntFunction<Table>> scans =
        List.of(
            own -> Bytes.keys(own, range).size(),
            own -> Bytes.entries(own, range.reverse().limit(1)).size(),
            own -> Bytes.entries(own, Range.between(key(0), key(9))).size());

    for (Order order : Order.values()) {
      for (ToIntFunction<Table> scan : scans) {
        table.clear();
        if (order == Order.FIRST) {
          table.put(bytes("a"), bytes("neighbour"));
          table.put(bytes("z"), bytes("neighbour"));
        }
        boolean[] committed =
            meet(store, mode, order, countAndAdd(table, scan, 1), countAndAdd(table, scan, 2));

        List<String> counts = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
          assertThat(table.exists(key(i))).isEqualTo(committed[i - 1]);
          if (committed[i - 1]) {
            counts.add(text(table.get(key(i))));
          }
        }
        assertThat(counts).as("what each has counted, %s", order).doesNotHaveDuplicates();
      }
    }
  }

  private static Function<Transaction, Runnable> countAndAdd(
      Table table, ToIntFunction<Table> scan, int key) {
    return tx -> {
      int count = scan.applyAsInt(tx.on(table));
      return () -> tx.on(table).put(key(key), bytes(count));
    };
  }

  /** Write skew: each of two scans both entries, and changes or deletes one. */
  @ParameterizedTest
  @EnumSource
  default void whatWasOnlyScannedIsProtectedToo(TransactionMode mode) {
    Store store = openSerializable(mode);
    Table table = store.table();

    for (Order order : Order.values()) {
      for (boolean deletes : List.of(false, true)) {
        table.put(key(1), bytes("on duty"));
        table.put(key(2), bytes("on duty"));
        meet(store, mode, order, leave(table, 1, deletes), leave(table, 2, deletes));

        assertThat(onDuty(table)).isPositive();
      }
    }
  }

  private static Function<Transaction, Runnable> leave(Table table, int who, boolean deletes) {
    return tx -> {
      long others = onDuty(tx.on(table)) - 1;
      return () -> {
        if (others > 0 && deletes) {
          tx.on(table).delete(key(who));
        } else if (others > 0) {
          tx.on(table).put(key(who), bytes("at home"));
        }
      };
    };
  }

  private static long onDuty(Table table) {
    String duty = text(bytes("on duty"));
    return Bytes.entries(table).stream().filter(entry -> entry.endsWith(duty)).count();
  }

  @ParameterizedTest
  @EnumSource
  default void scansAreProtectedFromPlainWritesToo(TransactionMode mode) {
    Store store = openSerializable(mode);
    Table table = store.table();
    List<FutureTask<Void>> writers = new ArrayList<>();

    boolean saw =
        store.transact(
            TransactionOptions.DEFAULT.mode(mode),
            tx -> {
              Table own = tx.on(table);
              boolean entry = !Bytes.keys(own, Range.prefix(bytes("k"))).isEmpty();
              if (writers.isEmpty()) {
                writers.addAll(
                    Crew.start(
                        1,
                        _ -> {
                          table.put(key(1), bytes("1"));
                          table.put(bytes("done"), bytes("1"));
                        }));
              }
              letRun(writers.getFirst());
              boolean done = own.exists(bytes("done"));
              own.put(bytes("result"), bytes("1"));
              return done && !entry;
            });
    Crew.joinAll(writers);

    assertThat(saw).as("the second of two writes was seen, and the first was not").isFalse();
  }

  /** Until its end, or until it surely waits for a lock. */
  private static void letRun(FutureTask<Void> task) {
    try {
      task.get(200, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // it waits for this transaction
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The event log: everyone looks for the last number and puts the next. */
  @ParameterizedTest
  @EnumSource
  default void noAppendIsLost(TransactionMode mode) {
    Store store = openSerializable(mode);
    Table table = store.table();
    TransactionOptions options = TransactionOptions.DEFAULT.mode(mode).attempts(100);
    Set<Integer> acknowledged = new ConcurrentSkipListSet<>();

    Crew.run(
        4,
        _ -> {
          for (int i = 0; i < 50; i++) {
            int appended =
                store.transact(
                    options,
                    tx -> {
                      Table own = tx.on(table);
                      int next = next(own);
                      LockSupport.parkNanos(20_000); // lets others come in between, if they can
                      own.put(key(next), bytes("event"));
                      return next;
                    });
            assertThat(acknowledged.add(appended)).as("first to append %s", appended).isTrue();
          }
        });

    assertThat(acknowledged).hasSize(200);
    assertThat(Bytes.keys(table, Range.all()))
        .isEqualTo(acknowledged.stream().map(number -> text(key(number))).toList());
  }

  private static int next(Table table) {
    try (Cursor last = table.scan(Range.all().reverse().limit(1).keysOnly())) {
      return last.next()
          ? Integer.parseInt(new String(last.key(), StandardCharsets.US_ASCII).substring(1)) + 1
          : 0;
    }
  }
}
