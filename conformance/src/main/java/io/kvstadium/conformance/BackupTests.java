package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.internal.open.Stores;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Copies of files: another store, equal to the first one at one moment. */
interface BackupTests extends Staged {
  /** More than there is time for during a backup of so few entries. */
  int MOST_WRITES = 20_000;

  private static Map<String, List<String>> everything(Store store) {
    Map<String, List<String>> all = new TreeMap<>();
    for (String name : store.tables()) {
      all.put(name, Bytes.entries(store.table(name)).stream().sorted().toList());
    }
    return all;
  }

  @Test
  default void backupWhileOthersWriteIsAPrefixOfWholeBatches() {
    Store store = stage().openWith(Capability.BACKUP);
    boolean batches =
        store.capabilities().contains(Capability.BATCH)
            && store.capabilities().contains(Capability.TABLES);
    Table<byte[], byte[]> one = store.table();
    Table<byte[], byte[]> two = batches ? store.table("two") : one;
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger acknowledged = new AtomicInteger();
    AtomicBoolean enough = new AtomicBoolean();
    List<FutureTask<Void>> writer =
        TestThreads.start(
            1,
            _ -> {
              for (int i = 0; i < MOST_WRITES && !enough.get(); i++) {
                byte[] key = key(i);
                begun.set(i + 1);
                if (batches) {
                  store.write(batch -> {
                    batch.put(one, key, bytes("1"));
                    batch.put(two, key, bytes("2"));
                  });
                } else {
                  one.put(key, bytes("1"));
                }
                acknowledged.set(i + 1);
              }
            });
    while (acknowledged.get() < 20 && !writer.getFirst().isDone()) {
      LockSupport.parkNanos(100_000);
    }

    int least = acknowledged.get();
    Path copy = stage().path().resolveSibling("copy");
    boolean files = Stores.copyFiles(store, new FileCopy(copy));
    int most = begun.get();
    enough.set(true);
    TestThreads.joinAll(writer);

    if (!files) { // then the library copies what a snapshot has
      assertThat(store.capabilities()).contains(Capability.SNAPSHOT);
      return;
    }
    Map<String, List<String>> found;
    try (Store opened = stage().open(stage().url("copy"), OpenOptions.DEFAULT)) {
      found = everything(opened);
    }
    List<String> ones = found.getOrDefault(one.name(), List.of());
    assertThat(ones).hasSizeBetween(least, most);
    assertThat(ones).isEqualTo(expected(ones.size(), "1"));
    if (batches) {
      assertThat(found.get(two.name())).isEqualTo(expected(ones.size(), "2"));
    }
    assertThat(store.table().count()).isEqualTo(acknowledged.get());
  }

  private static List<String> expected(int count, String value) {
    return IntStream.range(0, count)
        .mapToObj(i -> Bytes.text(key(i)) + "=" + Bytes.text(bytes(value)))
        .toList();
  }
}
