package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static io.kvstadium.store.contract.Bytes.key;
import static io.kvstadium.store.contract.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.codec.Codec;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes that depend on the current value: nobody comes between the read and the write. */
class ConditionalWriteTest extends LibraryTest {
  /** Above all that the adding threads of a test can reach. */
  private static final long STEP = 1_000_000;

  /** The ways in which others write. */
  enum Way {
    PLAIN,
    BATCH,
    LOAD,
    CLEAR,
    TRANSACTION
  }

  @Test
  void putIfAbsentPutsOnlyWhatIsNotThere() {
    Table<byte[], byte[]> table = open().table();

    assertThat(table.putIfAbsent(bytes("a"), bytes("1"))).isTrue();
    assertThat(table.putIfAbsent(bytes("a"), bytes("2"))).isFalse();

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
  }

  @Test
  void replaceComparesTheWholeValue() {
    Table<byte[], byte[]> table = open().table();
    table.put(bytes("a"), bytes("1"));

    assertThat(table.replace(bytes("a"), bytes("11"), bytes("2"))).isFalse();
    assertThat(table.replace(bytes("b"), bytes("1"), bytes("2"))).isFalse();
    assertThat(table.contains(bytes("b"))).isFalse();
    assertThat(table.replace(bytes("a"), bytes("1"), bytes("2"))).isTrue();

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("2")));
  }

  @Test
  void updateGivesThePresentValueAndWritesTheResult() {
    Table<byte[], byte[]> table = open().table();

    byte[] first = table.compute(bytes("a"), now -> now == null ? bytes("none") : bytes("some"));
    byte[] second =
        table.compute(
            bytes("a"),
            now -> {
              assertThat(text(now)).isEqualTo(text(bytes("none")));
              now[0] = 'N'; // its own copy, which may also be the result
              return now;
            });

    assertThat(text(first)).isEqualTo(text(bytes("none")));
    assertThat(text(second)).isEqualTo(text(bytes("None")));
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("None")));
  }

  @Test
  void updateToNullRemovesTheEntry() {
    Table<byte[], byte[]> table = open().table();
    table.put(bytes("a"), bytes("1"));

    assertThat(table.compute(bytes("a"), _ -> null)).isNull();
    assertThat(table.compute(bytes("absent"), _ -> null)).isNull();

    assertThat(table.contains(bytes("a"))).isFalse();
    assertThat(table.contains(bytes("absent"))).isFalse();
  }

  @Test
  void updateWhoseFunctionThrowsWritesNothing() {
    Table<byte[], byte[]> table = open().table();
    table.put(bytes("a"), bytes("1"));
    ConflictException mine = new ConflictException("mine");

    assertThatThrownBy(() ->
            table.compute(
                bytes("a"),
                _ -> {
                  throw mine;
                }))
        .isSameAs(mine);

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
    table.put(bytes("a"), bytes("usable"));
  }

  @Test
  void updateToWhatTheEngineCannotHoldIsRefused() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    int tooLong = store.limits().maxValueBytes() + 1;

    assertThatThrownBy(() -> table.compute(bytes("a"), _ -> new byte[tooLong]))
        .isInstanceOf(BadArgumentException.class);

    assertThat(table.contains(bytes("a"))).isFalse();
  }

  @Test
  void addCountsFromNothing() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    Table<String, Long> numbers = store.table(table.name(), Codec.STRING, Codec.LONG);

    assertThat(table.increment(bytes("a"), 0)).isZero();
    assertThat(table.increment(bytes("a"), 5)).isEqualTo(5);
    assertThat(numbers.increment("a", -7)).isEqualTo(-2);

    assertThat(numbers.get("a")).isEqualTo(-2);
  }

  @Test
  void addBeyondTheRangeIsRefused() {
    Table<String, Long> numbers = open().table(Store.DEFAULT_TABLE, Codec.STRING, Codec.LONG);
    numbers.put("max", Long.MAX_VALUE);
    numbers.put("min", Long.MIN_VALUE);

    assertThatThrownBy(() -> numbers.increment("max", 1)).isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> numbers.increment("min", -1)).isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> numbers.increment("min", Long.MIN_VALUE))
        .isInstanceOf(BadArgumentException.class);

    assertThat(numbers.get("max")).isEqualTo(Long.MAX_VALUE);
    assertThat(numbers.get("min")).isEqualTo(Long.MIN_VALUE);
    assertThat(numbers.increment("max", Long.MIN_VALUE)).isEqualTo(-1);
  }

  @Test
  void addToWhatIsNoNumberIsRefused() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("a"), bytes("text"));

    assertThatThrownBy(() -> table.increment(bytes("a"), 1))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("LONG")
        .hasMessageContaining("61");
    assertThatThrownBy(
            () -> store.table(table.name(), Codec.STRING, Codec.STRING).increment("a", 1))
        .isInstanceOf(BadArgumentException.class);

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("text")));
  }

  @Test
  void typedConditionalWritesConvert() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    Table<String, Integer> numbers = store.table(table.name(), Codec.STRING, Codec.INT);
    table.put(bytes("text"), bytes("text!"));

    assertThat(numbers.putIfAbsent("a", 1)).isTrue();
    assertThat(numbers.putIfAbsent("a", 2)).isFalse();
    assertThat(numbers.replace("a", 2, 3)).isFalse();
    assertThat(numbers.replace("a", 1, 3)).isTrue();
    assertThat(numbers.compute("a", now -> now == null ? null : now * 2)).isEqualTo(6);
    assertThat(numbers.get("a")).isEqualTo(6);
    assertThat(numbers.compute("a", _ -> null)).isNull();
    assertThat(numbers.contains("a")).isFalse();
    assertThatThrownBy(() -> numbers.compute("text", _ -> 1)).isInstanceOf(CorruptException.class);
  }

  @ParameterizedTest
  @EnumSource
  void insideATransactionTheyAreItsParts(TransactionMode mode) {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    TransactionOptions options = TransactionOptions.DEFAULT.mode(mode);

    store.transact(
        options,
        tx -> {
          Table<byte[], byte[]> own = tx.on(table);
          assertThat(own.putIfAbsent(bytes("a"), bytes("1"))).isTrue();
          assertThat(own.putIfAbsent(bytes("a"), bytes("2"))).isFalse();
          assertThat(own.replace(bytes("a"), bytes("1"), bytes("3"))).isTrue();
          assertThat(own.increment(bytes("n"), 5)).isEqualTo(5);
          assertThat(own.increment(bytes("n"), 6)).isEqualTo(11);
          own.compute(bytes("u"), _ -> own.get(bytes("a")));
          return 0;
        });
    store.transact(
        options,
        tx -> {
          tx.on(table).increment(bytes("n"), 100);
          tx.on(table).compute(bytes("a"), _ -> null);
          tx.rollback();
          return 0;
        });

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("3")));
    assertThat(text(table.get(bytes("u")))).isEqualTo(text(bytes("3")));
    assertThat(table.increment(bytes("n"), 0)).isEqualTo(11);
  }

  @Test
  void oneOfManyPutsWhatIsAbsent() {
    Table<byte[], byte[]> table = open().table();
    long[] won = new long[4];

    TestThreads.run(
        4,
        member -> {
          for (int i = 0; i < 50; i++) {
            if (table.putIfAbsent(key(i), key(member))) {
              won[member]++;
            }
          }
        });

    assertThat(won[0] + won[1] + won[2] + won[3]).isEqualTo(50);
  }

  /** Retries what lost to others. */
  private static void insist(Runnable write) {
    while (true) {
      try {
        write.run();
        return;
      } catch (ConflictException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void noConditionalWriteIsLost() {
    Store store = open();
    Table<String, Long> numbers = store.table(Store.DEFAULT_TABLE, Codec.STRING, Codec.LONG);
    int each = 50;

    TestThreads.run(
        4,
        member -> {
          for (int i = 0; i < each; i++) {
            switch (member) {
              case 0 -> insist(() -> numbers.increment("n", 1));
              case 1 -> insist(() -> numbers.compute("n", now -> now == null ? 1 : now + 1));
              case 2 -> {
                boolean done = false;
                while (!done) {
                  Long now = numbers.get("n");
                  done =
                      now == null
                          ? numbers.putIfAbsent("n", 1L)
                          : numbers.replace("n", now, now + 1);
                }
              }
              default -> insist(() -> store.transact(tx -> tx.on(numbers).increment("n", 1)));
            }
          }
        });

    assertThat(numbers.get("n")).isEqualTo(4L * each);
  }

  @ParameterizedTest
  @EnumSource
  void noWriteOfOthersIsLostToAConditionalOne(Way way) {
    Store store = open();
    Table<String, Long> numbers = store.table(Store.DEFAULT_TABLE, Codec.STRING, Codec.LONG);
    AtomicBoolean over = new AtomicBoolean();
    List<FutureTask<Void>> adders =
        TestThreads.start(
            3,
            member -> {
              while (!over.get()) {
                if (member == 0) {
                  insist(() -> numbers.compute("n", now -> now == null ? 1 : now + 1));
                } else {
                  insist(() -> numbers.increment("n", 1));
                }
                LockSupport.parkNanos(100_000); // lets a waiter get the entry's lock
              }
            });

    int rounds = way == Way.LOAD ? 8 : 40; // a load may flush and compact what others wrote
    try {
      for (long i = 1; i <= rounds; i++) {
        long high = i * STEP;
        insist(() -> put(way, store, numbers, high));
        assertThat(numbers.getOrDefault("n", 0L))
            .as("after a put of %d", high)
            .isGreaterThanOrEqualTo(high);
        insist(() -> delete(way, store, numbers));
        assertThat(numbers.getOrDefault("n", 0L)).as("after the delete").isLessThan(STEP);
      }
    } finally {
      over.set(true);
    }
    TestThreads.joinAll(adders);
  }

  private static void put(Way way, Store store, Table<String, Long> numbers, long value) {
    switch (way) {
      case PLAIN, CLEAR -> numbers.put("n", value);
      case BATCH -> store.write(batch -> batch.put(numbers, "n", value));
      case LOAD -> {
        Entry<byte[], byte[]> entry =
            new Entry<>(Codec.STRING.encode("n"), Codec.LONG.encode(value));
        store.table(numbers.name()).bulkLoad(List.of(entry).iterator(), true);
      }
      case TRANSACTION ->
          store.transact(tx -> {
            tx.on(numbers).put("n", value);
            return 0;
          });
    }
  }

  private static void delete(Way way, Store store, Table<String, Long> numbers) {
    switch (way) {
      case PLAIN, LOAD -> numbers.delete("n");
      case CLEAR -> numbers.clear();
      case BATCH -> store.write(batch -> batch.delete(numbers, "n"));
      case TRANSACTION ->
          store.transact(tx -> {
            tx.on(numbers).delete("n");
            return 0;
          });
    }
  }
}
