package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Virtual threads that wait in an engine must not each hold up a platform thread. */
interface WaitingTests extends Staged {
  /** Many more than connections, and few enough that a slow machine serves them in time. */
  int USERS = 40;

  /**
   * Whether they meet at one key, at some, or only in the table. Fewer where a server does the
   * work: a call may wait for a connection for so long and no longer.
   */
  @ParameterizedTest
  @CsvSource({"2000, 1", "1000, 10", "1000, 1000"})
  default void thousandsOfVirtualThreadsMayPutAtOnce(int max, int keys) {
    Store store = stage().open();
    Table<byte[], byte[]> table = store.table();
    int threads = hasConnections(store) ? max / 10 : max;
    int platformThreads = platformThreads();
    int mostPlatformThreads = 0;

    List<FutureTask<Void>> puts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      byte[] key = key(i % keys);
      byte[] value = key(i);
      FutureTask<Void> put = new FutureTask<>(() -> table.put(key, value), null);
      puts.add(put);
      Thread.ofVirtual().start(put);
      if (i % 10 == 9) {
        mostPlatformThreads = Math.max(mostPlatformThreads, platformThreads());
      }
    }
    TestThreads.joinAll(puts);

    for (int i = 0; i < Math.min(keys, threads); i++) {
      assertThat(table.contains(key(i))).isTrue();
    }
    assertThat(mostPlatformThreads)
        .as("platform threads while virtual ones wait")
        .isLessThan(platformThreads + threads / 2);
  }

  /** Snapshots, scans and transactions too, which have a connection for longer than a call. */
  @Test
  default void callsOfAllKindsWaitForOneOfFewConnections() {
    Store usual = stage().open();
    assumeTrue(hasConnections(usual), "has no connections");
    usual.close();
    Store store = stage().open(Stage.with(stage().url(), "connections", "4"), OpenOptions.DEFAULT);
    Table<byte[], byte[]> table = store.table();
    Stage.load(table, 500, Bytes::key);
    byte[] counter = bytes("counter");

    List<FutureTask<Void>> users = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      byte[] own = bytes("own" + i);
      users.add(
          new FutureTask<>(
              () -> {
                assertThat(table.putIfAbsent(own, own)).isTrue();
                table.increment(counter, 1);
                try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
                  assertThat(cursor.next()).isTrue();
                }
                if (store.capabilities().contains(Capability.SNAPSHOT)) {
                  try (Snapshot snapshot = store.snapshot()) {
                    assertThat(snapshot.on(table).get(own)).isEqualTo(own);
                  }
                }
              },
              null));
    }
    users.forEach(Thread.ofVirtual()::start);
    TestThreads.joinAll(users);

    assertThat(table.increment(counter, 0)).isEqualTo(USERS);
  }

  private static boolean hasConnections(Store store) {
    return store.engine().options().stream().anyMatch(each -> each.name().equals("connections"));
  }

  private static int platformThreads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }
}
