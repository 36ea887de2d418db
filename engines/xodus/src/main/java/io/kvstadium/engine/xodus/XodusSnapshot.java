package io.kvstadium.engine.xodus;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import java.util.function.Function;
import jetbrains.exodus.env.Transaction;
import org.jspecify.annotations.Nullable;

/** A read-only transaction, from which each read takes another: one serves only one thread. */
final class XodusSnapshot extends XodusAccess implements EngineSnapshot<XodusTable> {
  private final Transaction snapshot;

  XodusSnapshot(Transaction snapshot) {
    this.snapshot = snapshot;
  }

  @Override
  <R extends @Nullable Object> R read(Function<Transaction, R> read) {
    return reading(snapshot.getReadonlySnapshot(), read);
  }

  @Override
  public EngineCursor cursor(XodusTable table, Range<byte[]> range) {
    return XodusCursor.alone(table, range, snapshot.getReadonlySnapshot());
  }

  @Override
  public void close() {
    snapshot.abort();
  }
}
