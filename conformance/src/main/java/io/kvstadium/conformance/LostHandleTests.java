package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static io.kvstadium.conformance.Bytes.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cursors and snapshots that were forgotten, or reached another thread. */
interface LostHandleTests extends Staged {
  private static void fill(Store store, Table table) {
    Stage.fill(
        store,
        table,
        writer -> {
          for (int i = 0; i < 300; i++) {
            writer.put(key(i), value(50, i));
          }
        });
  }

  /** If they were closed in the middle of a write, engines in C code would break. */
  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void cursorsForgottenInATransactionDoItNoHarm(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.SCAN);
    Table table = store.table();
    fill(store, table);

    Thread collector = Thread.ofPlatform().daemon().unstarted(LostHandleTests::collect);
    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          Table inside = tx.on(table);
          for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 50; i++) {
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
    assertThat(table.exists(key(19 * 37))).isTrue();
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

  @Tag("library")
  @ParameterizedTest
  @EnumSource
  default void cursorsOfATransactionMayBeClosedByOtherThreads(TransactionMode mode) {
    Store store = stage().openWith(mode.capability(), Capability.SCAN);
    Table table = store.table();
    fill(store, table);

    store.transact(
        TransactionOptions.DEFAULT.mode(mode),
        tx -> {
          Table inside = tx.on(table);
          for (int round = 0; round < 20; round++) {
            List<Cursor> cursors = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
              Cursor cursor = inside.scan(Range.all());
              assertThat(cursor.next()).isTrue();
              cursors.add(cursor);
            }
            var closing = Crew.start(1, _ -> cursors.forEach(Cursor::close));
            for (int i = 0; i < 300; i++) {
              inside.put(key((round * 37 + i) % 1_000), value(200, i));
              inside.delete(key(500 + (round * 41 + i) % 500));
            }
            Crew.joinAll(closing);
          }
          inside.put(bytes("last"), bytes("1"));
          return 0;
        });

    assertThat(table.exists(bytes("last"))).isTrue();
  }

  @Tag("library")
  @Test
  default void aCursorKeepsTheSnapshotThatItCameFrom() {
    Store store = stage().openWith(Capability.SNAPSHOT, Capability.SCAN);
    Table table = store.table();
    fill(store, table);
    int found = 0;

    try (Cursor cursor = store.snapshot().on(table).scan(Range.all())) {
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
