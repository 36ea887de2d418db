package io.kvstadium.engine.ignite;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineSnapshot;
import java.util.Map;
import org.apache.ignite.tx.Transaction;
import org.jspecify.annotations.Nullable;

/** A read-only transaction of Ignite's, which reads as of the time at which it began. */
final class IgniteSnapshot extends IgniteReader implements EngineSnapshot<IgniteTable> {
  private final Transaction transaction;
  private final Map<String, Integer> tables; // which existed then

  private IgniteSnapshot(
      Connection connection, Transaction transaction, Map<String, Integer> tables) {
    super(connection, transaction);
    this.transaction = transaction;
    this.tables = tables;
  }

  static IgniteSnapshot of(IgniteReader latest, Schema schema) {
    Map<String, Integer> tables = schema.tables();
    latest.learnTime();
    Transaction transaction = latest.beginReadOnly();
    IgniteSnapshot snapshot = new IgniteSnapshot(schema.connection(), transaction, tables);
    try {
      snapshot.query("SELECT 1", 1); // only the first statement begins it
      return snapshot;
    } catch (RuntimeException | Error e) {
      snapshot.close();
      throw e;
    }
  }

  private boolean knows(IgniteTable table) {
    Integer id = tables.get(table.name());
    return id != null && id == table.id();
  }

  @Override
  public byte @Nullable [] get(IgniteTable table, byte[] key) {
    return knows(table) ? super.get(table, key) : null;
  }

  @Override
  public boolean exists(IgniteTable table, byte[] key) {
    return knows(table) && super.exists(table, key);
  }

  @Override
  public byte[] @Nullable [] getAll(IgniteTable table, byte[][] keys) {
    return knows(table) ? super.getAll(table, keys) : new byte[keys.length] @Nullable [];
  }

  @Override
  public EngineCursor cursor(IgniteTable table, Range range) {
    return knows(table) ? super.cursor(table, range) : EngineCursor.empty();
  }

  @Override
  public void close() {
    Calls.read(transaction.rollbackAsync());
  }
}
