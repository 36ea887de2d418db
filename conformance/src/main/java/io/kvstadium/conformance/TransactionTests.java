package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Codec;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that nobody disturbs: all or nothing, and they see their own writes. */
interface TransactionTests extends Staged {
  private static TransactionOptions in(TransactionMode mode) {
    return TransactionOptions.DEFAULT.mode(mode);
  }

  @ParameterizedTest
  @EnumSource
  default void commitAppliesAllWritesAndGivesTheBlocksValue(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    table.put(bytes("old"), bytes("1"));

    String result =
        store.transact(
            in(mode),
            tx -> {
              tx.on(table).put(bytes("a"), bytes("1"));
              tx.on(table).put(bytes("a"), bytes("2"));
              tx.on(table).put(bytes("e"), Bytes.EMPTY);
              tx.on(table).delete(bytes("old"));
              return "done";
            });
    Object nothing = store.<@org.jspecify.annotations.Nullable Object>transact(in(mode), _ -> null);

    assertThat(result).isEqualTo("done");
    assertThat(nothing).isNull();
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("2")));
    assertThat(table.get(bytes("e"))).isNotNull().isEmpty();
    assertThat(table.exists(bytes("old"))).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  default void nothingIsWrittenIfTheBlockThrows(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    table.put(bytes("a"), bytes("before"));
    IllegalStateException mine = new IllegalStateException("mine");

    assertThatThrownBy(() ->
            store.transact(
                in(mode),
                tx -> {
                  tx.on(table).put(bytes("a"), bytes("1"));
                  tx.on(table).put(bytes("b"), bytes("1"));
                  throw mine;
                }))
        .isSameAs(mine);

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("before")));
    assertThat(table.exists(bytes("b"))).isFalse();
    store.transact(in(mode), tx -> put(tx, table, "c"));
    assertThat(table.exists(bytes("c"))).isTrue();
  }

  private static boolean put(Transaction tx, Table table, String key) {
    tx.on(table).put(bytes(key), bytes("1"));
    return true;
  }

  /** Calls on a table that has "text", which is no number, and "most", the greatest one. */
  enum Failing {
    NULL_KEY,
    LONG_KEY,
    UNREADABLE,
    OVERFLOW,
    NO_NUMBER,
    OWN_CODEC,
    OWN_READER,
    OWN_FUNCTION,
    NOT_HERE;

    private static final Codec<String> BROKEN =
        Codec.map(
            Codec.STRING,
            text -> text,
            _ -> {
              throw new IllegalStateException("the application's");
            });

    @SuppressWarnings("NullAway") // what a caller without a checker can pass
    private static byte[] nothing() {
      return null;
    }

    private void call(Table table, int tooLong) {
      switch (this) {
        case NULL_KEY -> table.get(nothing());
        case LONG_KEY -> table.put(new byte[tooLong], bytes("1"));
        case UNREADABLE -> table.typed(Codec.STRING, Codec.LONG).get("text");
        case OVERFLOW -> table.add(bytes("most"), 1);
        case NO_NUMBER -> table.add(bytes("text"), 1);
        case OWN_CODEC -> table.typed(Codec.STRING, BROKEN).put("a", "a");
        case OWN_READER ->
            table.get(
                bytes("text"),
                _ -> {
                  throw new IllegalStateException("the application's");
                });
        case OWN_FUNCTION ->
            table.update(
                bytes("text"),
                _ -> {
                  throw new IllegalStateException("the application's");
                });
        case NOT_HERE -> table.compact();
      }
    }
  }

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void nothingIsWrittenAfterAFailedCallThoughTheBlockGoesOn(Failing failing) {
    Store store = stage().openWith(Capability.TRANSACTION);
    Table table = store.table();
    table.put(bytes("text"), bytes("text"));
    table.add(bytes("most"), Long.MAX_VALUE);
    int tooLong = store.limits().maxKeyBytes() + 1;
    assumeTrue(failing != Failing.LONG_KEY || tooLong < 64 << 20, "keys may be too long to try");
    List<Throwable> failures = new ArrayList<>();

    assertThatThrownBy(() ->
            store.transact(tx -> {
              Table inside = tx.on(table);
              inside.put(bytes("before"), bytes("1"));
              try {
                failing.call(inside, tooLong);
              } catch (RuntimeException e) {
                failures.add(e);
              }
              inside.put(bytes("after"), bytes("1"));
              return 0;
            }))
        .isInstanceOf(StadiumException.class)
        .satisfies(e -> assertThat(failures).containsExactly(e.getCause()));

    assertThat(table.exists(bytes("before"))).isFalse();
    assertThat(table.exists(bytes("after"))).isFalse();
    store.transact(tx -> put(tx, table, "later"));
    assertThat(table.exists(bytes("later"))).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  default void nothingIsWrittenAfterRollback(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    table.put(bytes("a"), bytes("before"));

    int result =
        store.transact(
            in(mode),
            tx -> {
              tx.on(table).delete(bytes("a"));
              tx.on(table).put(bytes("b"), bytes("1"));
              tx.rollback();
              return 7;
            });

    assertThat(result).isEqualTo(7);
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("before")));
    assertThat(table.exists(bytes("b"))).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  default void readsSeeTheTransactionsOwnWrites(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    table.put(bytes("a"), bytes("before"));
    table.put(bytes("b"), bytes("before"));
    table.put(bytes("c"), bytes("before"));

    store.transact(
        in(mode),
        tx -> {
          Table own = tx.on(table);
          own.put(bytes("a"), bytes("own"));
          own.delete(bytes("b"));
          own.put(bytes("d"), Bytes.EMPTY);

          assertThat(text(own.get(bytes("a")))).isEqualTo(text(bytes("own")));
          assertThat(own.get(bytes("b"))).isNull();
          assertThat(text(own.get(bytes("c")))).isEqualTo(text(bytes("before")));
          assertThat(own.exists(bytes("b"))).isFalse();
          assertThat(own.exists(bytes("d"))).isTrue();
          byte[] lent = own.get(bytes("a"), s -> s.toArray(ValueLayout.JAVA_BYTE));
          assertThat(text(lent)).isEqualTo(text(bytes("own")));
          assertThat(texts(own.getAll(List.of(bytes("d"), bytes("b"), bytes("a"), bytes("c")))))
              .containsExactly("", Bytes.ABSENT, text(bytes("own")), text(bytes("before")));
          return 0;
        });
  }

  @ParameterizedTest
  @EnumSource
  default void scansSeeTheTransactionsOwnWrites(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.ORDERED_SCAN);
    Table table = store.table();
    for (int i = 0; i < 20; i += 2) {
      table.put(key(i), bytes("before"));
    }

    store.transact(
        in(mode),
        tx -> {
          Table own = tx.on(table);
          own.put(key(5), bytes("own"));
          own.put(key(6), bytes("own"));
          own.delete(key(8));
          own.put(key(99), bytes("own"));
          own.delete(key(98));

          List<Integer> expected = List.of(0, 2, 4, 5, 6, 10, 12, 14, 16, 18, 99);
          List<String> keys = expected.stream().map(i -> text(key(i))).toList();
          assertThat(Bytes.keys(own, Range.all())).isEqualTo(keys);
          assertThat(Bytes.keys(own, Range.all().reverse())).isEqualTo(keys.reversed());
          assertThat(Bytes.entries(own, Range.between(key(4), key(9))))
              .containsExactly(
                  text(key(4)) + "=" + text(bytes("before")),
                  text(key(5)) + "=" + text(bytes("own")),
                  text(key(6)) + "=" + text(bytes("own")));
          assertThat(Bytes.keys(own, Range.all().to(key(6), true).reverse().limit(2)))
              .containsExactly(text(key(6)), text(key(5)));
          assertThat(own.count()).isEqualTo(11);
          return 0;
        });
    assertThat(table.count()).isEqualTo(11);
  }

  /** If an engine keeps own writes apart, nothing committed marks the range's end. */
  @ParameterizedTest
  @EnumSource
  default void scansOfNothingButOwnWritesKeepTheirBounds(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.ORDERED_SCAN);
    Range middle = Range.between(bytes("b"), bytes("y"));

    List<String> seen = new ArrayList<>();
    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          Table table = tx.on(store.table());
          for (String key : List.of("a", "b", "m", "y", "z")) {
            table.put(bytes(key), bytes("1"));
          }
          seen.clear();
          seen.addAll(Bytes.keys(table, middle));
          seen.addAll(Bytes.keys(table, middle.reverse()));
          seen.addAll(Bytes.keys(table, Range.prefix(bytes("m")).reverse()));
          seen.addAll(Bytes.keys(table, middle.to(bytes("y"), true).limit(1).reverse()));
          return 0;
        });

    assertThat(seen)
        .containsExactlyElementsOf(
            texts(List.of(bytes("b"), bytes("m"), bytes("m"), bytes("b"), bytes("m"), bytes("y"))));
  }

  @ParameterizedTest
  @EnumSource
  default void transactionSpansTables(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.TABLES);
    Table one = store.table("one");
    Table two = store.table("two");
    one.put(bytes("a"), bytes("from"));

    store.transact(
        in(mode),
        tx -> {
          tx.on(two).put(bytes("a"), tx.on(one).getOrDefault(bytes("a"), Bytes.EMPTY));
          tx.on(one).delete(bytes("a"));
          assertThat(tx.on(two).exists(bytes("a"))).isTrue();
          return 0;
        });

    assertThat(one.exists(bytes("a"))).isFalse();
    assertThat(text(two.get(bytes("a")))).isEqualTo(text(bytes("from")));
  }

  @ParameterizedTest
  @EnumSource
  default void othersDoNotSeeWhatIsNotCommitted(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.SNAPSHOT);
    Table table = store.table();
    table.put(bytes("a"), bytes("before"));

    store.transact(
        in(mode),
        tx -> {
          tx.on(table).put(bytes("a"), bytes("own"));
          String seen = Crew.elsewhere(() -> text(table.get(bytes("a"))));
          assertThat(seen).isEqualTo(text(bytes("before")));
          return 0;
        });

    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("own")));
  }

  @ParameterizedTest
  @EnumSource
  default void handlesAreOverAtTheEndOfTheBlock(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.SCAN);
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));
    List<Transaction> transactions = new ArrayList<>();
    List<Table> tables = new ArrayList<>();
    List<Cursor> cursors = new ArrayList<>();

    store.transact(
        in(mode),
        tx -> {
          transactions.add(tx);
          tables.add(tx.on(table));
          Cursor cursor = tx.on(table).scan(Range.all());
          cursors.add(cursor);
          return cursor.next();
        });

    Table own = tables.getFirst();
    assertThatThrownBy(() -> own.get(bytes("a"))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> own.put(bytes("a"), bytes("2"))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> own.delete(bytes("a"))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> own.scan(Range.all())).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> Crew.elsewhere(() -> own.exists(bytes("a"))))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> transactions.getFirst().on(table).get(bytes("a")))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> cursors.getFirst().next()).isInstanceOf(ClosedException.class);
    cursors.getFirst().close();
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("1")));
  }

  @ParameterizedTest
  @EnumSource
  default void nothingInsideGoesPastTheTransaction(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));

    store.transact(
        in(mode),
        tx -> {
          assertThatThrownBy(() -> tx.on(table).compact()).isInstanceOf(StadiumException.class);
          try {
            tx.on(table).clear();
          } catch (StadiumException e) {
            assertThat(e).isInstanceOf(UnsupportedException.class); // as good as a rollback
          }
          tx.rollback();
          return 0;
        });

    assertThat(table.exists(bytes("a"))).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  default void aTransactionThatOnlyReadsIsFine(TransactionMode mode) {
    Store store = stage().openWith(mode.capability());
    Table table = store.table();
    table.put(bytes("a"), bytes("1"));

    String read = store.transact(in(mode), tx -> text(tx.on(table).get(bytes("a"))));
    assertThat(read).isEqualTo(text(bytes("1")));
    store.transact(in(mode), _ -> 0);
  }

  @ParameterizedTest
  @EnumSource
  default void aLargeTransactionIsCommitted(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.SCAN);
    Table table = store.table();

    store.transact(
        in(mode),
        tx -> {
          Table own = tx.on(table);
          for (int i = 0; i < 2_000; i++) {
            own.put(key(i), Bytes.value(100, i));
          }
          return 0;
        });

    assertThat(table.count()).isEqualTo(2_000);
  }
}
