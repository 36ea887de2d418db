package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The anomalies of Hermitage's table, which isolation prevents: for reads by key on every engine
 * that has transactions, for scans where {@link Capability#SERIALIZABLE_SCANS} is declared. Two
 * transactions meet after the first has read; either may lose, but those that are committed must
 * look as if one had run after the other.
 */
interface IsolationTests extends Staged {
  /** One of them, by its name in the literature. */
  enum Anomaly {
    G0_DIRTY_WRITE(false, IsolationTests::dirtyWrite),
    G1A_ABORTED_READ(false, IsolationTests::abortedRead),
    P2_FUZZY_READ(false, IsolationTests::fuzzyRead),
    P4_LOST_UPDATE(false, IsolationTests::lostUpdate),
    G2_ITEM_SKEW_OF_PRESENT_KEYS(false, IsolationTests::skewOfPresentKeys),
    G2_ITEM_SKEW_OF_ABSENT_KEYS(false, IsolationTests::skewOfAbsentKeys),
    P2_FUZZY_SCAN(true, IsolationTests::fuzzyScan),
    P3_PHANTOM(true, IsolationTests::phantom),
    G2_SKEW_OF_SCANNED_KEYS(true, IsolationTests::skewOfScannedKeys),
    PLAIN_WRITES_BESIDE_A_SCAN(true, IsolationTests::plainWritesBesideAScan);

    private final boolean ofScans;

    @SuppressWarnings("ImmutableEnumChecker") // a method
    private final Scenario scenario;

    Anomaly(boolean ofScans, Scenario scenario) {
      this.ofScans = ofScans;
      this.scenario = scenario;
    }
  }

  /** Lets transactions meet and checks the outcome. */
  interface Scenario {
    void play(Meeting meeting, Table<byte[], byte[]> table);
  }

  @ParameterizedTest
  @EnumSource
  default void isolationPreventsTheAnomaly(Anomaly anomaly) {
    Store store = stage().openWith(Capability.TRANSACTION, Capability.SCAN);
    Assumptions.assumeTrue(
        !anomaly.ofScans || store.capabilities().contains(Capability.SERIALIZABLE_SCANS),
        "does not declare " + Capability.SERIALIZABLE_SCANS.description());
    for (TransactionMode mode : TransactionMode.values()) {
      for (Order order : Order.values()) {
        if (store.capabilities().contains(mode.capability())) {
          store.table().clear();
          anomaly.scenario.play(new Meeting(store, mode, order), store.table());
        }
      }
    }
  }

  /** Whose commit comes first. */
  enum Order {
    /** The second reads, writes and commits between the first's reads and its writes. */
    SECOND,
    /** The second reads before the first writes, and writes after the first's end. */
    FIRST
  }

  /** How two transactions meet; each runs once, and soon gives up waiting for a lock. */
  record Meeting(Store store, TransactionMode mode, Order order) {
    /**
     * Lets them meet.
     *
     * @param one reads, and returns what it then does
     * @return whether the first was committed, and whether the second was
     */
    boolean[] of(Function<Transaction, Runnable> one, Function<Transaction, Runnable> two) {
      CountDownLatch secondHasRead = new CountDownLatch(1);
      CountDownLatch firstIsOver = new CountDownLatch(order == Order.FIRST ? 1 : 0);
      FutureTask<Boolean> second =
          new FutureTask<>(() -> {
            try {
              return commits(tx -> {
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
          commits(tx -> {
            Runnable rest = one.apply(tx);
            Thread.ofPlatform().daemon().name("second").start(second);
            if (order == Order.SECOND) {
              TestThreads.join(second);
            } else {
              await(secondHasRead);
            }
            return rest;
          });
      firstIsOver.countDown();
      boolean[] committed = {first, TestThreads.join(second)};
      assertThat(committed).as("who was committed, %s", this).contains(true);
      return committed;
    }

    boolean commits(Function<Transaction, Runnable> block) {
      try {
        store.transact(
            TransactionOptions.DEFAULT
                .mode(mode)
                .retryTimeout(Duration.ZERO)
                .lockTimeout(Duration.ofMillis(50)),
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

    @Override
    public String toString() {
      return mode + ", commits first: " + order;
    }
  }

  /** Each of two writes both keys. */
  private static void dirtyWrite(Meeting meeting, Table<byte[], byte[]> table) {
    Function<Integer, Function<Transaction, Runnable>> writeBoth =
        mine ->
            tx -> {
              tx.on(table).put(key(1), bytes(mine));
              return () -> tx.on(table).put(key(2), bytes(mine));
            };

    meeting.of(writeBoth.apply(1), writeBoth.apply(2));

    assertThat(text(table.get(key(1)))).as("%s", meeting).isEqualTo(text(table.get(key(2))));
  }

  private static void abortedRead(Meeting meeting, Table<byte[], byte[]> table) {
    table.put(bytes("changed"), bytes("before"));
    table.put(bytes("deleted"), bytes("before"));
    List<String> before = Bytes.entries(table);
    List<String> seen = new ArrayList<>();
    Function<Transaction, Runnable> reader =
        tx -> {
          for (String key : List.of("changed", "added", "deleted")) {
            seen.add(key + text(tx.on(table).get(bytes(key))));
          }
          seen.addAll(Bytes.entries(tx.on(table)));
          return () -> {};
        };

    meeting.commits(tx -> {
      tx.on(table).put(bytes("changed"), bytes("own"));
      tx.on(table).put(bytes("added"), bytes("own"));
      tx.on(table).delete(bytes("deleted"));
      TestThreads.elsewhere(
          () -> meeting.commits(reader)); // one that waits for a lock reads nothing
      return tx::rollback;
    });

    List<String> possible = new ArrayList<>(before);
    String old = text(bytes("before"));
    possible.addAll(List.of("changed" + old, "added" + Bytes.ABSENT, "deleted" + old));
    assertThat(seen).as("%s", meeting).isSubsetOf(possible);
    assertThat(Bytes.entries(table)).isEqualTo(before);
  }

  private static void fuzzyRead(Meeting meeting, Table<byte[], byte[]> table) {
    List<byte[]> keys = List.of(bytes("changed"), bytes("added"), bytes("deleted"));
    table.put(bytes("changed"), bytes("before"));
    table.put(bytes("deleted"), bytes("before"));
    List<List<String>> seen = new ArrayList<>();

    boolean[] committed =
        meeting.of(
            tx -> {
              seen.add(Bytes.texts(tx.on(table).multiGet(keys)));
              return () -> seen.add(Bytes.texts(tx.on(table).multiGet(keys)));
            },
            tx ->
                () -> {
                  tx.on(table).put(bytes("changed"), bytes("other"));
                  tx.on(table).put(bytes("added"), bytes("other"));
                  tx.on(table).delete(bytes("deleted"));
                });

    if (committed[0]) {
      assertThat(seen.get(1)).as("%s", meeting).isEqualTo(seen.get(0));
    }
  }

  private static void lostUpdate(Meeting meeting, Table<byte[], byte[]> table) {
    byte[] counter = bytes("counter");
    table.put(counter, bytes(0));
    Function<Transaction, Runnable> increment =
        tx -> {
          int now = tx.on(table).getOrDefault(counter, bytes(0))[0];
          return () -> tx.on(table).put(counter, bytes(now + 1));
        };

    boolean[] committed = meeting.of(increment, increment);

    assertThat(text(table.get(counter)))
        .as("%s", meeting)
        .isEqualTo(text(bytes(committed[0] && committed[1] ? 2 : 1)));
  }

  /** Each of two reads both keys and deletes one, if the other is there. */
  private static void skewOfPresentKeys(Meeting meeting, Table<byte[], byte[]> table) {
    table.put(key(1), bytes("there"));
    table.put(key(2), bytes("there"));
    Function<Integer, Function<Transaction, Runnable>> deleteIfBoth =
        mine ->
            tx -> {
              Long other = tx.on(table).get(key(3 - mine), view -> view.byteSize());
              boolean both = tx.on(table).contains(key(mine)) && other != null;
              return () -> {
                if (both) {
                  tx.on(table).delete(key(mine));
                }
              };
            };

    meeting.of(deleteIfBoth.apply(1), deleteIfBoth.apply(2));

    assertThat(table.count()).as("%s", meeting).isPositive();
  }

  /** Each of two looks for both keys and puts one, if there is none. */
  private static void skewOfAbsentKeys(Meeting meeting, Table<byte[], byte[]> table) {
    Function<Integer, Function<Transaction, Runnable>> putIfNone =
        mine ->
            tx -> {
              boolean none = !tx.on(table).contains(key(mine));
              boolean noOther = tx.on(table).get(key(3 - mine)) == null;
              return () -> {
                if (none && noOther) {
                  tx.on(table).put(key(mine), bytes("there"));
                }
              };
            };

    meeting.of(putIfNone.apply(1), putIfNone.apply(2));

    assertThat(table.count()).as("%s", meeting).isOne();
  }

  private static void fuzzyScan(Meeting meeting, Table<byte[], byte[]> table) {
    Range<byte[]> range = Range.prefix(bytes("k"));
    table.put(key(1), bytes("before"));
    table.put(key(3), bytes("before"));
    List<List<String>> seen = new ArrayList<>();

    boolean[] committed =
        meeting.of(
            tx -> {
              seen.add(Bytes.entries(tx.on(table), range));
              return () -> {
                // outside of the range; who saw the range as it was cannot see this
                boolean done = tx.on(table).contains(bytes("done"));
                seen.add(done ? List.of() : Bytes.entries(tx.on(table), range));
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
      assertThat(seen.get(1)).as("%s", meeting).isEqualTo(seen.get(0)).hasSize(2);
    }
  }

  /** Each of two counts the entries of a range and adds one. */
  private static void phantom(Meeting meeting, Table<byte[], byte[]> table) {
    Range<byte[]> range = Range.prefix(bytes("k"));
    List<ToIntFunction<Table<byte[], byte[]>>> scans =
        List.of(
            own -> Bytes.keys(own, range).size(),
            own -> Bytes.entries(own, range.reverse().limit(1)).size(),
            own -> Bytes.entries(own, Range.between(key(0), key(9))).size());
    for (ToIntFunction<Table<byte[], byte[]>> scan : scans) {
      table.clear();
      if (meeting.order() == Order.FIRST) {
        table.put(bytes("a"), bytes("neighbour"));
        table.put(bytes("z"), bytes("neighbour"));
      }
      Function<Integer, Function<Transaction, Runnable>> countAndAdd =
          mine ->
              tx -> {
                int count = scan.applyAsInt(tx.on(table));
                return () -> tx.on(table).put(key(mine), bytes(count));
              };

      boolean[] committed = meeting.of(countAndAdd.apply(1), countAndAdd.apply(2));

      assertThat(table.contains(key(1))).isEqualTo(committed[0]);
      assertThat(table.contains(key(2))).isEqualTo(committed[1]);
      assertThat(text(table.get(key(1))))
          .as("what each has counted, %s", meeting)
          .isNotEqualTo(text(table.get(key(2))));
    }
  }

  /** Each of two scans both entries, and changes or deletes one. */
  private static void skewOfScannedKeys(Meeting meeting, Table<byte[], byte[]> table) {
    for (boolean deletes : List.of(false, true)) {
      table.put(key(1), bytes("on duty"));
      table.put(key(2), bytes("on duty"));
      Function<Integer, Function<Transaction, Runnable>> leave =
          mine ->
              tx -> {
                boolean others = onDuty(tx.on(table)) > 1;
                return () -> {
                  if (others && deletes) {
                    tx.on(table).delete(key(mine));
                  } else if (others) {
                    tx.on(table).put(key(mine), bytes("at home"));
                  }
                };
              };

      meeting.of(leave.apply(1), leave.apply(2));

      assertThat(onDuty(table)).as("%s", meeting).isPositive();
    }
  }

  private static long onDuty(Table<byte[], byte[]> table) {
    String duty = text(bytes("on duty"));
    return Bytes.entries(table).stream().filter(entry -> entry.endsWith(duty)).count();
  }

  private static void plainWritesBesideAScan(Meeting meeting, Table<byte[], byte[]> table) {
    List<FutureTask<Void>> writers = new ArrayList<>();

    boolean saw =
        meeting
            .store()
            .transact(
                TransactionOptions.DEFAULT.mode(meeting.mode()),
                tx -> {
                  Table<byte[], byte[]> own = tx.on(table);
                  boolean entry = !Bytes.keys(own, Range.prefix(bytes("k"))).isEmpty();
                  if (writers.isEmpty()) {
                    writers.addAll(
                        TestThreads.start(
                            1,
                            _ -> {
                              table.put(key(1), bytes("1"));
                              table.put(bytes("done"), bytes("1"));
                            }));
                  }
                  letRun(writers.getFirst());
                  boolean done = own.contains(bytes("done"));
                  own.put(bytes("result"), bytes("1"));
                  return done && !entry;
                });
    TestThreads.joinAll(writers);

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
}
