package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Backup;
import io.kvstadium.store.BackupOptions;
import io.kvstadium.store.Backups;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
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

/** Backups: another store, equal to the first one at one moment. */
interface BackupTests extends Staged {
  /** More than there is time for during a backup of so few entries. */
  int MOST_WRITES = 20_000;

  private Path backups() {
    return stage().path().resolveSibling("backups");
  }

  private Store restored(long id) {
    String url = stage().url("restored" + id);
    Backups.in(backups()).restore(id, url);
    return stage().open(url, OpenOptions.DEFAULT);
  }

  /** Puts entries, in the way that the store has. */
  private static void fill(Table table, int from, int to, long seed) {
    table.load(
        IntStream.range(from, to)
            .mapToObj(i -> new Entry(key(i), value(1 + i % 300, seed + i)))
            .iterator(),
        true);
  }

  private static Map<String, List<String>> everything(Store store) {
    Map<String, List<String>> all = new TreeMap<>();
    for (String name : store.tables()) {
      all.put(name, Bytes.entries(store.table(name)).stream().sorted().toList());
    }
    return all;
  }

  @Test
  default void everyBackupIsTheStoreAsItWasThen() {
    Store store = stage().openAny();
    Stage.need(store, Capability.BACKUP);
    boolean tables = store.capabilities().contains(Capability.TABLES);
    Table other = tables ? store.table("other") : store.table();
    fill(store.table(), 0, 500, 1);
    fill(other, 500, 1_000, 1);
    Map<String, List<String>> first = everything(store);

    Backup one = store.backup(backups());
    assertThat(everything(store)).as("the store after its backup").isEqualTo(first);
    fill(store.table(), 400, 600, 2);
    Map<String, List<String>> second = everything(store);
    Thread.currentThread().interrupt(); // which must wait until the end of the call
    Backup two = store.backup(backups(), BackupOptions.DEFAULT.links(true).maxRate(100 << 20));
    assertThat(Thread.interrupted()).isTrue();
    fill(other, 100, 200, 3);
    store.close();

    assertThat(two.id()).isGreaterThan(one.id());
    assertThat(everything(restored(one.id()))).isEqualTo(first);
    Backups all = Backups.in(backups());
    assertThat(all.prune(1)).containsExactly(one.id());
    assertThat(all.verify(two.id())).isEmpty();
    Store last = restored(two.id());
    assertThat(everything(last)).isEqualTo(second);
    fill(last.table(), 0, 10, 4); // it is a store like any other
  }

  @Test
  default void backupWhileOthersWriteIsAPrefixOfWholeBatches() {
    Store store = stage().openWith(Capability.BACKUP);
    boolean batches =
        store.capabilities().contains(Capability.BATCH)
            && store.capabilities().contains(Capability.TABLES);
    Table one = store.table();
    Table two = batches ? store.table("two") : one;
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger acknowledged = new AtomicInteger();
    AtomicBoolean enough = new AtomicBoolean();
    List<FutureTask<Void>> writer =
        Crew.start(
            1,
            _ -> {
              for (int i = 0; i < MOST_WRITES && !enough.get(); i++) {
                byte[] key = key(i);
                begun.set(i + 1);
                if (batches) {
                  store.write(batch -> {
                    batch.on(one).put(key, bytes("1"));
                    batch.on(two).put(key, bytes("2"));
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
    long id = store.backup(backups()).id();
    int most = begun.get();
    enough.set(true);
    Crew.joinAll(writer);

    Map<String, List<String>> found = everything(restored(id));
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

  @Test
  default void whatIsOpenReadOnlyCanBeBackedUpIfItSaysSo() {
    Store store = stage().openAny();
    Stage.need(store, Capability.BACKUP, Capability.READ_ONLY);
    fill(store.table(), 0, 100, 1);
    Map<String, List<String>> before = everything(store);
    store.close();
    Store reader = stage().open(OpenOptions.DEFAULT.readOnly(true));
    Stage.need(reader, Capability.BACKUP);

    long id = reader.backup(backups()).id();

    assertThat(everything(restored(id))).isEqualTo(before);
  }
}
