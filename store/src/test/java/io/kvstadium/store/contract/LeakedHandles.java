package io.kvstadium.store.contract;

import io.kvstadium.store.Batch;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Handles that escaped from the thread that should have kept them, until another one takes the
 * place and nobody closes them.
 */
final class LeakedHandles {
  /** One of them. */
  sealed interface Handle {}

  record LeakedCursor(Cursor<byte[], byte[]> cursor, String table) implements Handle {}

  record LeakedView(Snapshot snapshot) implements Handle {}

  record LeakedTransaction(Transaction transaction, Table<byte[], byte[]> table)
      implements Handle {}

  record LeakedBatch(Batch batch) implements Handle {}

  record LeakedTable(Table<byte[], byte[]> table) implements Handle {}

  private static final int PLACES = 16;
  private final AtomicReferenceArray<@Nullable Handle> places = new AtomicReferenceArray<>(PLACES);

  void add(Handle handle, SplittableRandom random) {
    places.set(random.nextInt(PLACES), handle);
  }

  @Nullable Handle find(SplittableRandom random) {
    return places.get(random.nextInt(PLACES));
  }
}
