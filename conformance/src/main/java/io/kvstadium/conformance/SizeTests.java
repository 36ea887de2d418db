package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.filled;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.engine.declare.Limits;
import java.util.Arrays;
import java.util.List;
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
    Table<byte[], byte[]> table = store.table();
    byte[] value = value(length, 3);
    table.put(bytes("a"), bytes("before"));
    table.put(bytes("c"), bytes("after"));

    table.put(bytes("b"), value);

    assertThat(Arrays.equals(table.get(bytes("b")), value)).as("%d bytes", length).isTrue();
    Long viewLength = table.get(bytes("b"), segment -> segment.byteSize());
    assertThat(viewLength).isEqualTo(length);
    for (int size : new int[] {0, 100, length}) {
      byte[] head = new byte[size];
      assertThat(table.head(bytes("b"), head)).isEqualTo(length);
      byte[] expected = Arrays.copyOf(Arrays.copyOf(value, Math.min(length, size)), size);
      assertThat(Arrays.equals(head, expected)).as("first %d of %d bytes", size, length).isTrue();
    }
    assertThat(text(table.get(bytes("a")))).isEqualTo(text(bytes("before")));
    assertThat(text(table.get(bytes("c")))).isEqualTo(text(bytes("after")));
    table.delete(bytes("b"));
    assertThat(table.contains(bytes("b"))).isFalse();
  }

  @Test
  @Tag("full")
  default void valuesOf64MiBComeBack() {
    valuesOfAnySizeComeBack(64 << 20);
  }

  @Test
  default void keysUpToTheLimitAreKept() {
    Store store = stage().open();
    Table<byte[], byte[]> table = store.table();
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
    assertThat(table.contains(filled(limit, 0xff))).isFalse();
  }

  private static int longestKeyTried(Store store) {
    int limit = store.limits().maxKeyBytes();
    return limit > LARGEST_LIMIT_TRIED ? 64 << 10 : limit;
  }

  @Test
  default void aLargeBatchOfLargeValuesIsWritten() {
    Store store = stage().openWith(Capability.BATCH);
    int length = Math.min(1 << 20, store.limits().maxValueBytes());
    Table<byte[], byte[]> table = store.table();

    store.write(batch -> {
      for (int i = 0; i < 20; i++) {
        batch.put(table, Bytes.key(i), value(length, i));
      }
    });

    for (int i : List.of(0, 10, 19)) {
      assertThat(Arrays.equals(table.get(Bytes.key(i)), value(length, i))).isTrue();
    }
  }

  @Test
  default void manyWritesFitIntoABatchAndATransaction() {
    Store store = stage().openWith(Capability.SCAN);
    Table<byte[], byte[]> table = store.table();
    int count = 0;

    if (store.capabilities().contains(Capability.BATCH)) {
      count += 10_000;
      store.write(batch -> {
        for (int i = 0; i < 10_000; i++) {
          batch.put(table, Bytes.key(i), Bytes.key(i));
        }
      });
    }
    for (TransactionMode mode : TransactionMode.values()) {
      if (store.capabilities().contains(mode.capability())) {
        int from = 10_000 * (1 + (mode == TransactionMode.OPTIMISTIC ? 0 : 1));
        count += 2_000;
        store.transact(
            TransactionOptions.DEFAULT.mode(mode),
            tx -> {
              for (int i = from; i < from + 2_000; i++) {
                tx.on(table).put(Bytes.key(i), value(100, i));
              }
              return 0;
            });
      }
    }

    assertThat(table.count()).isEqualTo(count);
  }
}
