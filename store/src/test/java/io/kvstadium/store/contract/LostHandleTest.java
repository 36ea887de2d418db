package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static io.kvstadium.store.contract.Bytes.key;
import static io.kvstadium.store.contract.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cursors and snapshots that were forgotten, or reached another thread. */
class LostHandleTest extends LibraryTest {
  private static void fill(Table<byte[], byte[]> table) {
    for (int i = 0; i < 300; i++) {
      table.put(key(i), value(50, i));
    }
  }

  /** If they were closed in the middle of a write, engines in C code would break. */
  @ParameterizedTest
  @EnumSource
  void cursorsForgottenInATransactionDoItNoHarm(TransactionMode mode) {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    fill(table);

    Thread collector = Thread.ofPlatform().daemon().unstarted(LostHandleTest::collect);
    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          Table<byte[], byte[]> inside = tx.on(table);
          for (int round = 0; round < 6; round++) {
            for (int i = 0; i < 10; i++) {
              inside.scan(Range.all()).next(); // and nobody closes it
            }
            if (collector.getState() == Thread.State.NEW) {
              collector.start();
            }
            for (int i = 0; i < 300; i++) {
              inside.put(key((round * 37 + i) % 1_000), value(200, i));
            }
          }
          return 0;
        });

    join(collector);
    assertThat(table.contains(key(5 * 37))).isTrue();
    table.put(bytes("after"), bytes("usable"));
  }

  private static void collect() {
    for (int i = 0; i < 10; i++) {
      System.gc();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cursorsOfATransactionMayBeClosedByOtherThreads(TransactionMode mode) {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    fill(table);

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          Table<byte[], byte[]> inside = tx.on(table);
          for (int round = 0; round < 6; round++) {
            List<Cursor<byte[], byte[]>> cursors = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
              Cursor<byte[], byte[]> cursor = inside.scan(Range.all());
              assertThat(cursor.next()).isTrue();
              cursors.add(cursor);
            }
            var closing = TestThreads.start(1, _ -> cursors.forEach(Cursor::close));
            for (int i = 0; i < 300; i++) {
              inside.put(key((round * 37 + i) % 1_000), value(200, i));
              inside.delete(key(500 + (round * 41 + i) % 500));
            }
            TestThreads.joinAll(closing);
          }
          inside.put(bytes("last"), bytes("1"));
          return 0;
        });

    assertThat(table.contains(bytes("last"))).isTrue();
  }

  @Test
  void aCursorKeepsTheSnapshotThatItCameFrom() {
    Store store = open();
    Table<byte[], byte[]> table = store.table();
    fill(table);
    int found = 0;

    try (Cursor<byte[], byte[]> cursor = store.snapshot().on(table).scan(Range.all())) {
      while (cursor.next()) {
        found++;
        if (found == 10) {
          collectThrice();
        }
      }
    }

    assertThat(found).isEqualTo(300);
  }

  /** Once the cleaner has closed something lost now, it has closed everything lost before. */
  private static void collectThrice() {
    for (int i = 0; i < 3; i++) {
      java.util.concurrent.CountDownLatch cleaned = new java.util.concurrent.CountDownLatch(1);
      java.lang.ref.Cleaner cleaner = java.lang.ref.Cleaner.create();
      cleaner.register(new Object(), cleaned::countDown);
      for (int tries = 0; tries < 100 && cleaned.getCount() > 0; tries++) {
        System.gc();
        Thread.onSpinWait();
      }
    }
  }
}
