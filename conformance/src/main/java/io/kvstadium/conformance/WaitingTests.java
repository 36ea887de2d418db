package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Table;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Virtual threads that wait in an engine must not each hold up a platform thread. */
interface WaitingTests extends Staged {
  /** Whether they meet at one key, at some, or only in the table. */
  @ParameterizedTest
  @CsvSource({"2000, 1", "1000, 10", "1000, 1000"})
  default void thousandsOfVirtualThreadsMayPutAtOnce(int threads, int keys) {
    Table<byte[], byte[]> table = stage().open().table();
    int platformThreads = platformThreads();
    int mostPlatformThreads = 0;

    List<FutureTask<Void>> puts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      byte[] key = key(i % keys);
      byte[] value = key(i);
      FutureTask<Void> put = new FutureTask<>(() -> table.put(key, value), null);
      puts.add(put);
      Thread.ofVirtual().start(put);
      if (i % 100 == 99) {
        mostPlatformThreads = Math.max(mostPlatformThreads, platformThreads());
      }
    }
    TestThreads.joinAll(puts);

    for (int i = 0; i < keys; i++) {
      assertThat(table.contains(key(i))).isTrue();
    }
    assertThat(mostPlatformThreads)
        .as("platform threads while virtual ones wait")
        .isLessThan(platformThreads + threads / 4);
  }

  private static int platformThreads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }
}
