package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.text;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many threads, and many cursors: what one thread with one reader cannot show. */
interface ConcurrencyTests extends Staged {
  @Test
  default void manyThreadsReadWhatEachWrote() {
    Table<byte[], byte[]> table = stage().open().table();

    TestThreads.run(
        4,
        member -> {
          for (int i = 0; i < 100; i++) {
            byte[] key = key(member * 1_000 + i);
            table.put(key, value(20, i));
            assertThat(text(table.get(key))).isEqualTo(text(value(20, i)));
            if (i % 5 == 0) {
              table.delete(key);
              assertThat(table.contains(key)).isFalse();
            }
          }
        });

    for (int i = 0; i < 4_000; i++) {
      boolean there = i % 1_000 < 100 && i % 5 != 0;
      assertThat(text(table.get(key(i))))
          .isEqualTo(there ? text(value(20, i % 1_000)) : Bytes.ABSENT);
    }
  }

  @Test
  default void noSnapshotSeesHalfABatch() {
    Store store = stage().openWith(Capability.BATCH, Capability.SNAPSHOT);
    Table<byte[], byte[]> one = store.table();
    Table<byte[], byte[]> two =
        store.capabilities().contains(Capability.TABLES) ? store.table("two") : one;
    boolean transactions = store.capabilities().contains(Capability.TRANSACTION);
    boolean ranges = store.capabilities().contains(Capability.RANGE_DELETE);
    List<FutureTask<Void>> writer =
        TestThreads.start(
            1,
            _ -> {
              for (int i = 0; i < 200; i++) {
                byte[] value = key(i);
                if (transactions && i % 2 == 0) {
                  store.transact(tx -> {
                    for (int k = 0; k < 10; k++) {
                      tx.on(k % 2 == 0 ? one : two).put(key(k), value);
                    }
                    return 0;
                  });
                } else {
                  store.write(batch -> {
                    for (int k = 0; k < 10; k++) {
                      batch.put(k % 2 == 0 ? one : two, key(k), value);
                    }
                  });
                }
                if (ranges && i % 4 == 0) {
                  store.write(batch -> {
                    batch.delete(one, Range.all());
                    batch.delete(two, Range.all());
                  });
                }
              }
            });

    do {
      try (Snapshot snapshot = store.snapshot()) {
        String first = text(snapshot.on(one).get(key(0)));
        for (int k = 9; k > 0; k--) {
          assertThat(text(snapshot.on(k % 2 == 0 ? one : two).get(key(k)))).isEqualTo(first);
        }
      }
    } while (!writer.getFirst().isDone());
    TestThreads.joinAll(writer);
  }

  @Test
  default void aSnapshotServesManyThreads() {
    Store store = stage().openWith(Capability.SNAPSHOT, Capability.ORDERED_SCAN);
    Table<byte[], byte[]> table = store.table();
    Stage.load(table, 200, i -> value(20, i));
    List<String> before = Bytes.entries(table);

    try (Snapshot snapshot = store.snapshot()) {
      TestThreads.run(
          4,
          member -> {
            TableReader<byte[], byte[]> old = snapshot.on(table);
            for (int round = 0; round < 10; round++) {
              for (int i = round; member == 0 && i < 200; i += 10) {
                table.put(key(i), value(7, i));
              }
              assertThat(Bytes.entries(old)).isEqualTo(before);
              assertThat(text(old.get(key(member)))).isEqualTo(text(value(20, member)));
            }
          });
    }
  }

  @Test
  default void manyCursorsWalkAtOnceAndAFewThreadsMayShareOne() {
    Store store = stage().openWith(Capability.ORDERED_SCAN);
    Table<byte[], byte[]> table = store.table();
    Stage.load(table, 300, i -> value(10, i));
    List<Cursor<byte[], byte[]>> cursors = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      cursors.add(table.scan(Range.<byte[]>all().from(key(i), true)));
    }

    for (int step = 0; step < 3; step++) {
      for (int i = 0; i < 150; i++) {
        Cursor<byte[], byte[]> cursor = cursors.get(i);
        boolean found = i % 50 == 0 ? TestThreads.elsewhere(cursor::next) : cursor.next();
        assertThat(found).isTrue();
        assertThat(text(cursor.key())).isEqualTo(text(key(i + step)));
      }
    }
    TestThreads.doElsewhere(() -> cursors.forEach(Cursor::close));

    assertThat(table.get(key(0))).isNotNull();
  }

  @Test
  default void readersGoOnWhileOneLoads() {
    Table<byte[], byte[]> table = stage().openAny().table();
    int many = 5_000; // more than one portion, however a load is cut
    Stage.load(table, many, i -> value(1 + i % 50, i));
    AtomicBoolean loaded = new AtomicBoolean();

    TestThreads.run(
        3,
        member -> {
          if (member == 0) {
            try {
              Stage.load(table, many, i -> value(1 + i % 50, many + i));
            } finally {
              loaded.set(true);
            }
            return;
          }
          for (int i = member; !loaded.get(); i = (i + 7) % many) {
            assertThat(text(table.get(key(i))))
                .isIn(text(value(1 + i % 50, i)), text(value(1 + i % 50, many + i)));
          }
        });

    List<byte[]> keys = IntStream.range(0, many).mapToObj(Bytes::key).toList();
    assertThat(Bytes.texts(table.multiGet(keys)))
        .isEqualTo(
            IntStream.range(0, many).mapToObj(i -> text(value(1 + i % 50, many + i))).toList());
  }

  /** What a load's iterator throws reaches the caller, whatever was loaded before. */
  @Test
  default void aLoadThatFailsHarmsNothing() {
    Table<byte[], byte[]> table = stage().openAny().table();
    Stage.load(table, 10, i -> value(20, i));
    IllegalStateException mine = new IllegalStateException("the source broke");

    Throwable thrown =
        catchThrowable(() ->
            table.bulkLoad(
                IntStream.range(20, 3_000)
                    .mapToObj(i -> {
                      if (i == 2_999) {
                        throw mine;
                      }
                      return new Entry<>(key(i), value(20, i));
                    })
                    .iterator(),
                true));

    assertThat(thrown).isSameAs(mine);
    for (int i = 0; i < 10; i++) {
      assertThat(text(table.get(key(i)))).isEqualTo(text(value(20, i)));
    }
    Stage.load(table, 4_000, i -> value(7, i));
    assertThat(text(table.get(key(2_999)))).isEqualTo(text(value(7, 2_999)));
  }
}
