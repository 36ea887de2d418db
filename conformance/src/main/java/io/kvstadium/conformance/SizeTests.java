package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.EMPTY;
import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.filled;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Limits;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and values of every size, up to the declared limits. */
interface SizeTests extends Staged {
  /** A limit above this is taken on trust. */
  int LARGEST_LIMIT_TRIED = 1 << 20;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 100, 4_095, 4_096, 4_097, 65_536, 1 << 20})
  default void valuesOfAnySizeComeBack(int length) {
    Store store = stage().open();
    Limits limits = store.limits();
    Assumptions.assumeTrue(length <= limits.maxValueBytes(), "values are shorter");
    Assumptions.assumeTrue(length >= limits.minValueBytes(), "values are longer");
    Table table = store.table();
    byte[] value = value(length, 3);
    table.put(bytes("a"), bytes("before"));
    table.put(bytes("c"), bytes("after"));

    table.put(bytes("b"), value);

    assertThat(Arrays.equals(table.get(bytes("b")), value)).as("%d bytes", length).isTrue();
    Long lentLength = table.get(bytes("b"), segment -> segment.byteSize());
    assertThat(lentLength).isEqualTo(length);
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("before")));
    assertThat(text(table.get(bytes("c")))).isEqualTo(text(bytes("after")));
    table.delete(bytes("b"));
    assertThat(table.exists(bytes("b"))).isFalse();
  }

  @Test
  @Tag("full")
  default void valuesOf64MiBComeBack() {
    valuesOfAnySizeComeBack(64 << 20);
  }

  @Test
  default void keysUpToTheLimitAreKept() {
    Store store = stage().open();
    Table table = store.table();
    int limit = longestKeyTried(store);

    for (int length : new int[] {1, 2, 15, 16, 17, 127, 128, 255, 256, 511, limit - 1, limit}) {
      if (length >= 1 && length <= limit) {
        byte[] key = filled(length, 0xff);
        byte[] sibling = key.clone();
        sibling[length - 1] = 0;
        table.put(key, value(10, length));
        table.put(sibling, value(11, length));
        assertThat(text(table.get(key))).as("%d bytes", length).isEqualTo(text(value(10, length)));
        assertThat(text(table.get(sibling))).isEqualTo(text(value(11, length)));
      }
    }
    table.delete(filled(limit, 0xff));
    assertThat(table.exists(filled(limit, 0xff))).isFalse();
  }

  private static int longestKeyTried(Store store) {
    int limit = store.limits().maxKeyBytes();
    return limit > LARGEST_LIMIT_TRIED ? 64 << 10 : limit;
  }

  @Test
  default void keysOverTheLimitAreRefusedAndNothingIsWritten() {
    Store store = stage().open();
    Limits limits = store.limits();
    Assumptions.assumeTrue(
        limits.maxKeyBytes() <= LARGEST_LIMIT_TRIED, "keys may be too long to try");
    Table table = store.table();
    byte[] tooLong = filled(limits.maxKeyBytes() + 1, 'k');

    assertThatThrownBy(() -> table.put(tooLong, bytes("1")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(String.valueOf(limits.maxKeyBytes()));
    if (store.capabilities().contains(Capability.BATCH)) {
      assertThatThrownBy(() ->
              store.write(batch -> {
                batch.on(table).put(bytes("a"), bytes("1"));
                batch.on(table).put(tooLong, bytes("1"));
              }))
          .isInstanceOf(BadArgumentException.class);
    }

    assertThat(table.exists(bytes("a"))).isFalse();
    if (store.capabilities().contains(Capability.SCAN)) {
      assertThat(table.count()).isZero();
    }
  }

  @Test
  default void valuesOverTheLimitAreRefusedAndNothingIsWritten() {
    Store store = stage().open();
    int limit = store.limits().maxValueBytes();
    Assumptions.assumeTrue(limit <= 64 << 20, "values may be too long to try");
    Table table = store.table();

    assertThatThrownBy(() -> table.put(bytes("a"), new byte[limit + 1]))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(String.valueOf(limit));
    assertThat(table.exists(bytes("a"))).isFalse();
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without a null checker can do
  default void nullIsRefusedByNameAndNothingIsWritten() {
    Store store = stage().open();
    Table table = store.table();
    byte[] value = value(10, 1);
    Map<ThrowingCallable, String> calls = new LinkedHashMap<>();
    calls.put(() -> table.get(null), "key");
    calls.put(() -> table.get(null, segment -> segment.byteSize()), "key");
    calls.put(() -> table.getAll(Arrays.asList(bytes("a"), null)), "key");
    calls.put(() -> table.exists(null), "key");
    calls.put(() -> table.put(null, value), "key");
    calls.put(() -> table.put(bytes("a"), null), "value");
    calls.put(() -> table.delete((byte[]) null), "key");
    if (store.capabilities().contains(Capability.BATCH)) {
      calls.put(
          () ->
              store.write(batch -> {
                batch.on(table).put(bytes("a"), value);
                batch.on(table).put(bytes("b"), null);
              }),
          "value");
      calls.put(() -> store.write(batch -> batch.on(table).delete((byte[]) null)), "key");
    }

    calls.forEach((call, what) ->
        assertThatThrownBy(call)
            .isInstanceOf(BadArgumentException.class)
            .hasMessageContaining("the " + what + " is null")
            .hasMessageContaining(table.name()));

    assertThat(table.exists(bytes("a"))).isFalse();
    table.put(bytes("a"), value);
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(value));
  }

  @Test
  default void emptyKeyIsAKeyLikeAnyOtherIfDeclared() {
    Store store = stage().openWith(Capability.EMPTY_KEY);
    Table table = store.table();
    table.put(bytes(0), bytes("zero"));

    table.put(EMPTY, bytes("1"));

    assertThat(text(table.get(EMPTY))).isEqualTo(text(bytes("1")));
    if (store.capabilities().contains(Capability.ORDERED_SCAN)) {
      assertThat(Bytes.keys(table, io.kvstadium.store.Range.all())).containsExactly("", "00");
      assertThat(Bytes.keys(table, io.kvstadium.store.Range.all().reverse()))
          .containsExactly("00", "");
      assertThat(Bytes.keys(table, io.kvstadium.store.Range.all().from(EMPTY, false)))
          .containsExactly("00");
    }
    table.delete(EMPTY);
    assertThat(table.exists(EMPTY)).isFalse();
    assertThat(table.exists(bytes(0))).isTrue();
  }

  @Test
  default void emptyKeyIsRefusedIfNotDeclared() {
    Store store = stage().open();
    Assumptions.assumeFalse(
        store.capabilities().contains(Capability.EMPTY_KEY), "it takes empty keys");
    Table table = store.table();

    assertThatThrownBy(() -> table.put(EMPTY, bytes("1"))).isInstanceOf(BadArgumentException.class);
    if (store.capabilities().contains(Capability.SCAN)) {
      assertThat(table.count()).isZero();
    }
    if (store.capabilities().contains(Capability.BATCH)) {
      assertThatThrownBy(() -> store.write(batch -> batch.on(table).put(EMPTY, bytes("1"))))
          .isInstanceOf(BadArgumentException.class);
    }
  }

  @Test
  default void aLargeBatchOfLargeValuesIsWritten() {
    Store store = stage().openWith(Capability.BATCH);
    int length = Math.min(1 << 20, store.limits().maxValueBytes());
    Table table = store.table();

    store.write(batch -> {
      for (int i = 0; i < 20; i++) {
        batch.on(table).put(Bytes.key(i), value(length, i));
      }
    });

    for (int i : List.of(0, 10, 19)) {
      assertThat(Arrays.equals(table.get(Bytes.key(i)), value(length, i))).isTrue();
    }
  }
}
