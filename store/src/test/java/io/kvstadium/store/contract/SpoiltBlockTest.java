package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
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

    private void call(Table table, int tooLong) {
      switch (this) {
        case LONG_KEY -> table.put(new byte[tooLong], bytes("1"));
        case UNREADABLE -> table.typed(Codec.STRING, Codec.LONG).get("text");
        case OVERFLOW -> table.add(bytes("most"), 1);
        case NO_NUMBER -> table.add(bytes("text"), 1);
        case OWN_CODEC ->
            table
                .typed(Codec.STRING, Codec.map(Codec.STRING, text -> text, _ -> Bytes.text(fail())))
                .put("a", "a");
        case OWN_READER -> table.get(bytes("text"), _ -> fail());
        case OWN_FUNCTION -> table.update(bytes("text"), _ -> fail());
        case NOT_HERE -> table.compact();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingOfATransactionIsWrittenAfterAFailedCall(Failing failing) {
    Store store = open();
    Table table = store.table();
    table.put(bytes("text"), bytes("text"));
    table.add(bytes("most"), Long.MAX_VALUE);
    int tooLong = store.limits().maxKeyBytes() + 1;
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
    store.transact(tx -> tx.on(table).putIfAbsent(bytes("later"), bytes("1")));
    assertThat(table.exists(bytes("later"))).isTrue();
  }

  @Test
  void nothingOfABatchIsWrittenAfterAFailedCall() {
    Store store = open();
    Table table = store.table();
    byte[] tooLong = new byte[store.limits().maxKeyBytes() + 1];

    assertThatThrownBy(() ->
            store.write(batch -> {
              batch.on(table).put(bytes("before"), bytes("1"));
              assertThatThrownBy(() -> batch.on(table).put(tooLong, bytes("1"))).isNotNull();
              batch.on(table).put(bytes("after"), bytes("1"));
            }))
        .isInstanceOf(StadiumException.class)
        .hasCauseInstanceOf(StadiumException.class);

    assertThat(table.count()).isZero();
    store.write(batch -> batch.on(table).put(bytes("later"), bytes("1")));
    assertThat(table.count()).isOne();
  }
}
