package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Engines whose handles fail when they are closed. */
class FailingCloseTest {
  private static final byte[] KEY = "key".getBytes(StandardCharsets.US_ASCII);

  private final FakeEngine engine = new FakeEngine();

  private static void fail() {
    throw new StoreIoException("the close failed");
  }

  @Test
  void aCommitIsNotHiddenByACloseThatFails() {
    engine.atTransactionClose = FailingCloseTest::fail;
    try (Store store = engine.openHere("fake:")) {
      Table<byte[], byte[]> table = store.table();

      int result =
          store.transact(tx -> {
            tx.on(table).put(KEY, KEY);
            return 7;
          });

      assertThat(result).isEqualTo(7);
      assertThat(table.get(KEY)).isEqualTo(KEY);
    }
  }

  @Test
  void whatABlockThrewIsNotHiddenEither() {
    engine.atTransactionClose = FailingCloseTest::fail;
    IllegalStateException thrown = new IllegalStateException("the block failed");
    try (Store store = engine.openHere("fake:")) {
      assertThatThrownBy(() ->
              store.transact(_ -> {
                throw thrown;
              }))
          .isSameAs(thrown)
          .hasSuppressedException(new StoreIoException("the close failed"));
    }
  }

  @Test
  void theStoreIsClosedThoughAForgottenHandleCannotBe() {
    AtomicInteger closes = new AtomicInteger();
    engine.atCursorClose =
        () -> {
          closes.incrementAndGet();
          fail();
        };
    Store store = engine.openHere("fake:");
    store.table().scan(Range.all());
    store.table().scan(Range.all());

    assertThatCode(store::close).doesNotThrowAnyException();

    assertThat(closes).hasValue(2);
    assertThatThrownBy(() -> store.table()).isInstanceOf(ClosedException.class);
  }

  @Test
  void aTransactionGoesOnThoughACursorThatAnotherThreadClosedCannotBe() {
    engine.atCursorClose = FailingCloseTest::fail;
    try (Store store = engine.openHere("fake:")) {
      Table<byte[], byte[]> table = store.table();

      store.transact(tx -> {
        Cursor<byte[], byte[]> cursor = tx.on(table).scan(Range.all());
        CompletableFuture.runAsync(cursor::close).join();
        tx.on(table).put(KEY, KEY);
        tx.on(table).delete(KEY);
        tx.on(table).put(KEY, KEY);
        return 0;
      });

      assertThat(table.contains(KEY)).isTrue();
    }
  }

  @Test
  void aTransactionIsEndedThoughItsCursorsCannotBeClosed() {
    engine.atCursorClose = FailingCloseTest::fail;
    AtomicInteger ends = new AtomicInteger();
    engine.atTransactionClose = ends::incrementAndGet;
    try (Store store = engine.openHere("fake:")) {
      Table<byte[], byte[]> table = store.table();

      store.transact(tx -> {
        tx.on(table).put(KEY, KEY);
        tx.on(table).scan(Range.all()); // left open
        return 0;
      });

      assertThat(ends).hasValue(1);
      assertThat(table.contains(KEY)).isTrue();
    }
  }
}
