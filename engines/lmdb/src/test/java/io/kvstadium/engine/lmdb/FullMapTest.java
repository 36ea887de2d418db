package io.kvstadium.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.FullException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store whose file is as large as its map. */
class FullMapTest {
  private static final byte[] VALUE = new byte[1_000];

  @TempDir Path directory;

  private Store open(long mapSize) {
    return Stadium.open("lmdb:" + directory + "?map_size=" + mapSize);
  }

  /** As on systems whose addresses are too few for the usual one. */
  @Test
  void isSmallerWhereTheSystemRefusesTheUsualSize() throws IOException {
    Needs.program("prlimit", "util-linux");
    String url = "lmdb:" + directory;

    try (Peer limited = new Peer(url, "prlimit", "--as=" + (48L << 30))) {
      limited.run("put new key 1");
    }

    try (Store store = Stadium.open(url)) {
      assertThat(store.table("new").get(Stores.bytes("key"))).isEqualTo(Stores.bytes("1"));
    }
    assertThatThrownBy(() -> new Peer(url + "?map_size=1t", "prlimit", "--as=" + (48L << 30)))
        .as("asked for, it is not exchanged for less")
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void refusesAWriteAsAWholeAndFitsAgainInALargerOne() {
    try (Store store = open(1 << 20)) {
      Table<byte[], byte[]> table = store.table();
      table.put(Stores.key(0), VALUE);

      assertThatThrownBy(() -> putMany(store))
          .isInstanceOf(FullException.class)
          .hasMessageContaining("map_size")
          .hasMessageContaining(directory.toString());
      assertThatThrownBy(() ->
              store.transact(tx -> {
                tx.on(table).put(Stores.key(1), new byte[4 << 20]);
                return true;
              }))
          .isInstanceOf(FullException.class);

      assertThat(table.count()).isOne();
      table.put(Stores.key(1), VALUE); // there is room for this
      table.delete(Stores.key(0));
    }
    try (Store store = open(8 << 20)) {
      putMany(store);
      assertThat(store.table().count()).isEqualTo(3_000);
    }
  }

  private static void putMany(Store store) {
    store.write(batch -> {
      for (int i = 0; i < 3_000; i++) {
        batch.put(store.table(), Stores.key(i), VALUE);
      }
    });
  }

  /** The drop ends LMDB's handle even if its commit fails, so there must be space beforehand. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 7, 15})
  void aTableThatThereIsNoRoomToDropStaysUsable(int pages) {
    try (Store store = open((256 + pages) * 4096L)) {
      Table<byte[], byte[]> table = store.table("t");
      table.put(Stores.key(1), VALUE);
      assertThatThrownBy(
              () -> {
                for (int i = 0; ; i++) {
                  store.table().put(Stores.key(i), new byte[20_000]);
                }
              })
          .isInstanceOf(FullException.class);

      assertThatThrownBy(() -> store.dropTable("t")).isInstanceOf(FullException.class);

      assertThat(store.tables()).contains("t");
      assertThat(store.table("t").count()).isZero();
    }
    try (Store store = open(8 << 20)) {
      store.dropTable("t");
      assertThat(store.tables()).doesNotContain("t");
    }
  }
}
