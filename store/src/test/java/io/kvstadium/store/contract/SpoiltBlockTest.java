package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.codec.Codec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A block in which a call failed is not applied, though it went on. */
class SpoiltBlockTest extends LibraryTest {
  /** Calls on a table that has "text", which is no number, and "most", the greatest one. */
  enum Failing {
    LONG_KEY,
    UNREADABLE,
    OVERFLOW,
    NO_NUMBER,
    OWN_CODEC,
    OWN_READER,
    OWN_FUNCTION,
    NOT_HERE;

    private static byte[] fail() {
      throw new IllegalStateException("the application's");
    }

    private void call(Store store, Transaction tx, int tooLong) {
      Table<byte[], byte[]> table = tx.on(store.table());
      switch (this) {
        case LONG_KEY -> table.put(new byte[tooLong], bytes("1"));
        case UNREADABLE -> tx.on(store.table(table.name(), Codec.STRING, Codec.LONG)).get("text");
        case OVERFLOW -> table.increment(bytes("most"), 1);
        case NO_NUMBER -> table.increment(bytes("text"), 1);
        case OWN_CODEC ->
            tx.on(
                    store.table(
                        table.name(),
                        Codec.STRING,
                        Codec.map(Codec.STRING, text -> text, _ -> Bytes.text(fail()))))
                .put("a", "a");
        case OWN_READER -> table.get(bytes("text"), _ -> fail());
        case OWN_FUNCTION -> table.compute(bytes("text"), _ -> fail());
        case NOT_HERE -> table.compact();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingOfATransactionIsWrittenAfterAFailedCall(Failing failing) {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("text"), bytes("text"));
    table.increment(bytes("most"), Long.MAX_VALUE);
    int tooLong = store.limits().maxKeyBytes() + 1;
    List<Throwable> failures = new ArrayList<>();

    assertThatThrownBy(() ->
            store.transact(tx -> {
              Table<byte[], byte[]> inside = tx.on(table);
              inside.put(bytes("before"), bytes("1"));
              try {
                failing.call(store, tx, tooLong);
              } catch (RuntimeException e) {
                failures.add(e);
              }
              inside.put(bytes("after"), bytes("1"));
              return 0;
            }))
        .isInstanceOf(StadiumException.class)
        .satisfies(e -> assertThat(failures).containsExactly(e.getCause()));

    assertThat(table.contains(bytes("before"))).isFalse();
    assertThat(table.contains(bytes("after"))).isFalse();
    store.transact(tx -> tx.on(table).putIfAbsent(bytes("later"), bytes("1")));
    assertThat(table.contains(bytes("later"))).isTrue();
  }

  @Test
  void nothingOfABatchIsWrittenAfterAFailedCall() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    byte[] tooLong = new byte[store.limits().maxKeyBytes() + 1];

    assertThatThrownBy(() ->
            store.write(batch -> {
              batch.put(table, bytes("before"), bytes("1"));
              assertThatThrownBy(() -> batch.put(table, tooLong, bytes("1"))).isNotNull();
              batch.put(table, bytes("after"), bytes("1"));
            }))
        .isInstanceOf(StadiumException.class)
        .hasCauseInstanceOf(StadiumException.class);

    assertThat(table.count()).isZero();
    store.write(batch -> batch.put(table, bytes("later"), bytes("1")));
    assertThat(table.count()).isOne();
  }
}
