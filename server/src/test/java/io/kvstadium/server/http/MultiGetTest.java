package io.kvstadium.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.TableReader;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MultiGetTest {
  private static final int VALUE_BYTES = 1 << 16;

  @Test
  void valuesBeyondTheLimitAreNotReadInOneCall() {
    List<byte[]> keys = new ArrayList<>();
    AtomicInteger read = new AtomicInteger();
    try (Store store = Stadium.open("memory:")) {
      for (int i = 0; i < 250; i++) {
        keys.add(new byte[] {(byte) i});
        store.table().put(keys.getLast(), new byte[VALUE_BYTES]);
      }
      assertThatThrownBy(() ->
              MultiGet.each(
                  store, counted(store.table(), read), keys, 4 * VALUE_BYTES, (_, _) -> {}))
          .isInstanceOf(HttpException.class);
      assertThat(read.getAndSet(0)).isBetween(4, 8);

      store.table().put(keys.getFirst(), new byte[1]); // which says nothing of the others
      assertThatThrownBy(() ->
              MultiGet.each(
                  store, counted(store.table(), read), keys, 4 * VALUE_BYTES, (_, _) -> {}))
          .isInstanceOf(HttpException.class);
      assertThat(read.get()).isBetween(4, 8);

      List<Integer> lengths = new ArrayList<>();
      MultiGet.each(
          store, store.table(), keys, 260 * VALUE_BYTES, (_, value) -> lengths.add(value.length));
      assertThat(lengths).hasSize(250).containsOnly(1, VALUE_BYTES);
    }
  }

  /** A table that counts the keys that are read. */
  @SuppressWarnings("unchecked")
  private static TableReader<byte[], byte[]> counted(
      TableReader<byte[], byte[]> table, AtomicInteger read) {
    return (TableReader<byte[], byte[]>)
        Proxy.newProxyInstance(
            MultiGetTest.class.getClassLoader(),
            new Class<?>[] {TableReader.class},
            (_, method, arguments) -> {
              if (method.getName().equals("multiGet")) {
                read.addAndGet(((List<?>) arguments[0]).size());
              }
              return method.invoke(table, arguments);
            });
  }
}
