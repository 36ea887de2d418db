package io.kvstadium.engine.mvstore;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import java.util.Map;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.RootReference;
import org.jspecify.annotations.Nullable;

/**
 * The roots of one moment.
 *
 * @param roots the roots of the tables that existed then
 * @param pin keeps the pages below them from being overwritten
 */
record MvstoreSnapshot(
    MVStore store, Map<MvstoreTable, RootReference<byte[], byte[]>> roots, MVStore.TxCounter pin)
    implements EngineSnapshot<MvstoreTable> {

  @Override
  public byte @Nullable [] get(MvstoreTable table, byte[] key) {
    RootReference<byte[], byte[]> root = roots.get(table);
    if (root == null) {
      return null;
    }
    byte[] value = table.map().get(root.root, key);
    return value == null ? null : value.clone();
  }

  @Override
  public EngineCursor cursor(MvstoreTable table, Range<byte[]> range) {
    RootReference<byte[], byte[]> root = roots.get(table);
    return root == null ? EngineCursor.empty() : new MvstoreCursor(root, range, () -> {});
  }

  @Override
  public void close() {
    store.deregisterVersionUsage(pin);
  }
}
