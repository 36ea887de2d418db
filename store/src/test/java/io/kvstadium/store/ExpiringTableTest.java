package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.codec.Codec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExpiringTableTest {
  private final Store store = FakeEngine.openStore();
  private final Table<String, Long> table = store.table("t", Codec.STRING, Codec.LONG);
  private final ExpiringTable<String, Long> expiring =
      expiring("t", Duration.ofSeconds(10), () -> Instant.ofEpochMilli(1_000));

  private ExpiringTable<String, Long> expiring(String name, Duration time, InstantSource clock) {
    return ExpiringTable.of(store, name, Codec.STRING, Codec.LONG, time, clock);
  }

  @Test
  void valuesHaveTheDocumentedForm() {
    expiring.put("a", 7L);

    assertThat(store.table("t").get(Codec.STRING.encode("a")))
        .isEqualTo(
            new byte[] {
              (byte) 0xee, 0, 0, 0, 0, 0, 0x2a, (byte) 0xf8, (byte) 0x80, 0, 0, 0, 0, 0, 0, 7
            });
  }

  @Test
  void timesThatDoNotFitAreTheNearestThatDo() {
    ExpiringTable<String, Long> early =
        expiring("early", Duration.ofSeconds(10), () -> Instant.ofEpochMilli(-20_000));

    early.put("a", 1L);
    early.put("b", 2L, ChronoUnit.FOREVER.getDuration());

    assertThat(early.get("a")).isEqualTo(1L);
    assertThat(early.expiry("a")).isEqualTo(Instant.EPOCH);
    assertThat(early.get("b")).isEqualTo(2L);
    TransactionOptions patient =
        TransactionOptions.DEFAULT.lockTimeout(ChronoUnit.FOREVER.getDuration());
    assertThat(patient.lockTimeout()).isLessThan(Duration.ofDays(25));
  }

  @Test
  void worksInsideTransactionsAndBatches() {
    store.transact(tx -> {
      expiring.on(tx).put("a", 1L);
      assertThat(expiring.on(tx).get("a")).isEqualTo(1L);
      return 0;
    });
    store.write(batch -> {
      expiring.put(batch, "b", 2L);
      expiring.delete(batch, "a");
    });

    assertThat(expiring.get("a")).isNull();
    assertThat(expiring.get("b")).isEqualTo(2L);
    assertThat(expiring.expiry("b")).isEqualTo(Instant.ofEpochMilli(11_000));
  }

  @Test
  void theLimitOfARangeCountsWhatIsShown() {
    store.table("t").put(Codec.STRING.encode("a"), Arrays.copyOf(new byte[] {(byte) 0xee}, 16));
    expiring.put("b", 2L);
    expiring.put("c", 3L);

    try (var first = expiring.stream(Range.<String>all().limit(1))) {
      assertThat(first).containsExactly(new Entry<>("b", 2L));
    }
  }

  @Test
  void aFunctionThatFailsChangesNothing() {
    expiring.put("a", 1L);

    assertThatThrownBy(() ->
            expiring.compute(
                "a",
                _ -> {
                  throw new IllegalStateException("mine");
                }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("mine");

    assertThat(expiring.get("a")).isEqualTo(1L);
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> expiring("t", Duration.ZERO, InstantSource.system()))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("too short");
    assertThatThrownBy(() -> expiring.put("a", 1L, Duration.ofSeconds(-1)))
        .isInstanceOf(BadArgumentException.class);
    table.put("foreign", 5L);
    assertThatThrownBy(() -> expiring.get("foreign"))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("not put by an ExpiringTable");
    assertThatThrownBy(() -> expiring.compute("foreign", _ -> 1L))
        .isInstanceOf(CorruptException.class);
    assertThat(table.get("foreign")).isEqualTo(5L);
  }
}
