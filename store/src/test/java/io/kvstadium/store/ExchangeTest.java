package io.kvstadium.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.codec.Codec;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Conditional writes on tables of an engine that compares and writes on its own. */
class ExchangeTest {
  private static final byte[] KEY = {1};

  private final FakeEngine engine = new FakeEngine();
  private final AtomicInteger exchanges = new AtomicInteger();

  private Store open() {
    engine.conditional = true;
    engine.atExchange = exchanges::incrementAndGet;
    return engine.openHere("fake:");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void conditionalWritesAreTheEngines() {
    try (Store store = open()) {
      Table<byte[], byte[]> table = store.table();
      Table<byte[], Long> numbers = store.table(Store.DEFAULT_TABLE, Codec.BYTES, Codec.LONG);

      assertThat(table.putIfAbsent(KEY, bytes("a"))).isTrue();
      assertThat(table.putIfAbsent(KEY, bytes("b"))).isFalse();
      assertThat(table.replace(KEY, bytes("b"), bytes("c"))).isFalse();
      assertThat(table.replace(KEY, bytes("a"), bytes("c"))).isTrue();
      assertThat(table.get(KEY)).isEqualTo(bytes("c"));
      assertThat(exchanges).hasValue(2); // the others found that they had nothing to write
      assertThat(table.compute(KEY, _ -> null)).isNull();
      assertThat(table.get(KEY)).isNull();
      assertThat(exchanges).hasValue(3);
      assertThat(table.compute(KEY, _ -> null)).isNull();
      assertThat(exchanges).hasValue(3); // nothing became of nothing
      assertThat(numbers.increment(KEY, 5)).isEqualTo(5);
      assertThat(numbers.increment(KEY, 2)).isEqualTo(7);
      assertThat(exchanges).hasValue(5);
    }
  }

  @Test
  void whoIsForestalledLooksAgain() {
    try (Store store = open()) {
      Table<byte[], Long> numbers = store.table(Store.DEFAULT_TABLE, Codec.BYTES, Codec.LONG);
      engine.atExchange =
          () -> {
            if (exchanges.incrementAndGet() <= 3) {
              numbers.put(KEY, 100L * exchanges.get());
            }
          };

      assertThat(numbers.increment(KEY, 1)).isEqualTo(301);
      assertThat(exchanges).hasValue(4);
      assertThat(numbers.compute(KEY, now -> now == null ? 0 : now * 2)).isEqualTo(602);
    }
  }

  @Test
  void valueThatIsNoNumberIsReportedAndKept() {
    try (Store store = open()) {
      store.table().put(KEY, bytes("abc"));

      assertThatThrownBy(() -> store.table().increment(KEY, 1))
          .isInstanceOf(CorruptException.class);
      assertThat(store.table().get(KEY)).isEqualTo(bytes("abc"));
      assertThat(exchanges).hasValue(0);
    }
  }
}
