package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreStatus;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnknownOutcomeException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A connection to a server that is lost ends what was done on it, and never the store. */
interface LostConnectionTests extends Staged {
  int LOSSES = 5;

  /**
   * Ends all connections of the stores of {@code url} on the server's side, as an administrator
   * does; returns false if they have none, or if that cannot be done.
   */
  boolean endConnections() throws Exception;

  private void end() {
    boolean ended;
    try {
      ended = endConnections();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    assumeTrue(ended, "has no server that ends connections");
  }

  @Test
  default void transactionRunsAgainIfItsConnectionIsLost() {
    end();
    Store store = stage().openWith(Capability.TRANSACTION);
    Table<byte[], byte[]> table = store.table();
    AtomicInteger runs = new AtomicInteger();

    store.transact(tx -> {
      tx.on(table).increment(key(1), 1);
      if (runs.incrementAndGet() == 1) {
        end();
      }
      return tx.on(table).increment(key(2), 1);
    });

    assertThat(runs).hasValue(2);
    assertThat(table.increment(key(1), 0)).isEqualTo(1);
    assertThat(table.increment(key(2), 0)).isEqualTo(1);
  }

  @Test
  default void commitWhoseConnectionIsLostIsOpenAndTheStoreIsNot() {
    end();
    Store store = stage().openWith(Capability.TRANSACTION);
    Table<byte[], byte[]> table = store.table();

    assertThatThrownBy(() ->
            store.transact(tx -> {
              tx.on(table).put(key(1), bytes("1"));
              end();
              return 0;
            }))
        .isInstanceOfAny(UnknownOutcomeException.class, ConflictException.class);

    assertThat(table.contains(key(2))).isFalse(); // whatever idle connections there are
    table.put(key(2), bytes("2"));
    assertThat(table.contains(key(2))).isTrue();
    assertThat(store.status().state()).isEqualTo(StoreStatus.State.OPEN);
  }

  @Test
  default void readsOfALostViewFailAndOthersWork() {
    end();
    Store store = stage().open();
    Stage.load(store.table(), 1_000, _ -> new byte[1_000]);

    try (Cursor<byte[], byte[]> cursor = store.table().scan(Range.all())) {
      assertThat(cursor.next()).isTrue();
      end();
      readToTheEnd(cursor);
    }
    if (store.capabilities().contains(Capability.SNAPSHOT)) {
      try (Snapshot snapshot = store.snapshot()) {
        end();
        assertThatThrownBy(() -> snapshot.on(store.table()).get(key(1)))
            .isInstanceOf(StadiumException.class);
      }
    }

    assertThat(store.table().get(key(1))).hasSize(1_000);
    store.table().put(key(1), bytes("1"));
    assertThat(store.status().state()).isEqualTo(StoreStatus.State.OPEN);
  }

  private static void readToTheEnd(Cursor<byte[], byte[]> cursor) {
    try {
      while (cursor.next()) {
        assertThat(cursor.value()).hasSize(1_000);
      }
    } catch (StadiumException e) {
      assertThat(e).isNotInstanceOf(UnknownOutcomeException.class); // nothing was written
    }
  }

  /** Nothing acknowledged is lost, and nothing is done that was not asked for. */
  @Test
  default void writersGoOnWhileConnectionsAreLost() {
    end();
    Store store = stage().open();
    Table<byte[], byte[]> table = store.table();
    AtomicLong done = new AtomicLong();
    AtomicLong open = new AtomicLong();
    AtomicInteger ends = new AtomicInteger();

    List<FutureTask<Void>> writers =
        TestThreads.start(
            4,
            _ -> {
              while (ends.get() < LOSSES) {
                try {
                  table.increment(key(1), 1);
                  done.incrementAndGet();
                } catch (UnknownOutcomeException e) {
                  open.incrementAndGet();
                } catch (StadiumException e) {
                  // nothing was done
                }
              }
            });
    while (ends.get() < LOSSES) {
      long before = done.get();
      while (done.get() < before + 5 && writers.stream().noneMatch(FutureTask::isDone)) {
        Thread.onSpinWait();
      }
      end();
      ends.incrementAndGet();
    }
    TestThreads.joinAll(writers);

    assertThat(table.increment(key(1), 0)).isBetween(done.get(), done.get() + open.get());
    assertThat(store.status().state()).isEqualTo(StoreStatus.State.OPEN);
  }
}
