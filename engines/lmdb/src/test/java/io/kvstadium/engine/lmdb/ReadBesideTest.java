package io.kvstadium.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reading beside a writer in another process: what the conformance tests do not require of every
 * engine.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReadBesideTest {
  private static final byte[] KEY = Stores.bytes("key");

  @TempDir Path directory;

  private String url() {
    return "lmdb:" + directory.resolve("store");
  }

  private Store reader(String options) {
    return Stadium.open(url() + options, OpenOptions.DEFAULT.readOnly(true));
  }

  @Test
  void tableThatTheWriterDropsIsRefusedAndComesAgainIfItIsMadeAgain() throws Exception {
    try (Peer writer = new Peer(url())) {
      writer.run("put new key 1");
      try (Store reader = reader("")) {
        writer.run("put later key 1");
        assertThat(reader.tables()).containsExactly("default", "new");
        Table<byte[], byte[]> table = reader.table("new");
        assertThat(table.get(KEY)).isEqualTo(Stores.bytes("1"));

        writer.run("drop new");

        for (ThrowingCallable read :
            List.<ThrowingCallable>of(
                () -> table.get(KEY), table::count, () -> table.scan(Range.all()).next())) {
          assertThatThrownBy(read)
              .isInstanceOf(BadArgumentException.class)
              .hasMessageContaining("dropped");
        }

        writer.run("put new key 2");

        assertThat(table.get(KEY)).isEqualTo(Stores.bytes("2"));
        assertThat(table.count()).isEqualTo(1);
      }
    }
  }

  @Test
  void aReaderWithASmallerMapIsToldToOpenAgain() throws Exception {
    try (Peer writer = new Peer(url());
        Store reader = reader("?map_size=1m")) {
      assertThat(reader.table().count()).isZero();

      writer.run("megabytes 8");

      assertThatThrownBy(() -> reader.table().count())
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("map_size");
    }
    try (Store reader = reader("?map_size=1m")) { // LMDB takes what the file has
      assertThat(reader.table().count()).isEqualTo(8);
    }
  }

  @Test
  void pagesThatAKilledProcessReadAreUsedAgain() throws Exception {
    byte[] value = new byte[8 << 10]; // takes whole pages
    try (Store store = Stadium.open(url() + "?durability=power")) { // slow, so the file stays small
      Table<byte[], byte[]> table = store.table();
      table.put(KEY, value);
      try (Peer reader = new Peer(url() + "?read_only=true")) {
        reader.run("snapshot");
      } // killed with its snapshot open

      // each write takes new pages, until those are freed that the dead reader held
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      long before;
      do {
        before = used(store);
        table.put(KEY, value);
        table.put(KEY, value);
      } while (used(store) > before && System.nanoTime() < end);
      assertThat(used(store)).isEqualTo(before);
    }
  }

  private static long used(Store store) {
    return Long.parseLong(store.stats().get("used_bytes"));
  }

  @Test
  void oneProcessReadsItOnce() {
    Stadium.open(url()).close();
    try (Store first = reader("")) {
      assertThatThrownBy(() -> reader(""))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("this process")
          .hasMessageContaining("share");
      assertThat(first.table().count()).isZero();
    }
    reader("").close();
  }

  @Test
  void whatAnotherProcessReadsIsNotRemoved() throws Exception {
    Stadium.open(url()).close();
    try (Peer _ = new Peer(url() + "?read_only=true")) {
      assertThatThrownBy(() -> Stadium.destroy(url()))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("another process");
      Stadium.open(url()).close();
    }
    Stadium.destroy(url());
  }

  @Test
  void aSecondWriterIsToldThatItMayRead() throws Exception {
    try (Peer _ = new Peer(url())) {
      assertThatThrownBy(() -> Stadium.open(url()))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("read_only=true");
      try (Store reader = reader("")) {
        assertThat(reader.table().count()).isZero();
      }
    }
  }
}
