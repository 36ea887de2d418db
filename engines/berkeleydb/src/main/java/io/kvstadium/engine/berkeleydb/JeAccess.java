package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads and writes, in a transaction or each on its own without one. */
abstract class JeAccess implements EngineReader<JeTable>, EngineWriter<JeTable> {
  final JeCalls calls;
  private final @Nullable Transaction txn;

  JeAccess(JeCalls calls, @Nullable Transaction txn) {
    this.calls = calls;
    this.txn = txn;
  }

  @Override
  public byte @Nullable [] get(JeTable table, byte[] key) {
    DatabaseEntry value = new DatabaseEntry();
    return find(table, key, value) ? value.getData() : null;
  }

  @Override
  public boolean contains(JeTable table, byte[] key) {
    return find(table, key, JeCursor.withoutData());
  }

  /**
   * In a transaction, searches once more if nothing was found. JE locks the range where the key
   * would be only after its search, and in between another transaction may have put the key there
   * and committed.
   */
  private boolean find(JeTable table, byte[] key, DatabaseEntry value) {
    return calls.get(
        () -> findOnce(table, key, value) || (txn != null && findOnce(table, key, value)));
  }

  private boolean findOnce(JeTable table, byte[] key, DatabaseEntry value) {
    return table.database().get(txn, new DatabaseEntry(key), value, null)
        == OperationStatus.SUCCESS;
  }

  @Override
  public void put(JeTable table, byte[] key, byte[] value) throws IOException {
    calls.run(() -> table.database().put(txn, new DatabaseEntry(key), new DatabaseEntry(value)));
  }

  @Override
  public void delete(JeTable table, byte[] key) throws IOException {
    calls.run(() -> table.database().delete(txn, new DatabaseEntry(key)));
  }
}
