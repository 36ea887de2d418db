package io.kvstadium.conformance;

import io.kvstadium.store.Batch;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.ReadView;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Handles that escaped from the thread that should have kept them. */
sealed interface Lost {
  /**
   * A cursor.
   *
   * @param onlyToClose whether its thread continues to use what the cursor came from, and must not
   *     notice
   */
  record LostCursor(Cursor cursor, String table, boolean onlyToClose) implements Lost {}

  /**
   * A snapshot, or the view of a {@code read} block, with what was found in it.
   *
   * @param seen what was read in it so far, by table and key; empty for what was absent
   * @param dropped as of its beginning, see {@link SharedStore#dropped}
   */
  record LostView(ReadView view, Map<String, byte[]> seen, Map<String, Long> dropped)
      implements Lost {
    /** Some views are disguised snapshots. */
    void close() {
      if (view instanceof Snapshot snapshot) {
        snapshot.close();
      }
    }
  }

  /** The transaction itself and a table of it. */
  record LostTransaction(Transaction transaction, Table table, Map<String, Long> dropped)
      implements Lost {}

  record LostBatch(Batch batch) implements Lost {}

  record LostTable(Table table) implements Lost {}

  /**
   * Where they are until somebody finds them, or another one takes the place and nobody ever does.
   */
  final class Pool {
    private static final int PLACES = 16;
    private final AtomicReferenceArray<@Nullable Lost> places = new AtomicReferenceArray<>(PLACES);

    void add(Lost handle, SplittableRandom random) {
      places.set(random.nextInt(PLACES), handle);
    }

    @Nullable Lost find(SplittableRandom random) {
      return places.get(random.nextInt(PLACES));
    }

    @Nullable Lost take(SplittableRandom random) {
      return places.getAndSet(random.nextInt(PLACES), null);
    }
  }
}
