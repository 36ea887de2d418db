package io.kvstadium.store.internal.move;

import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import java.util.ArrayList;
import java.util.List;

/** A transaction of the store that was used when it began; no change-over comes before its end. */
final class MovedTransaction extends MovedReader implements EngineTransaction<MovedTable> {
  private final EngineTransaction<EngineTable> transaction;
  private final MovingStore.Roles roles;
  private final Runnable ended;
  private final List<Change> changes = new ArrayList<>();

  MovedTransaction(
      MovingStore.Roles roles, EngineTransaction<EngineTable> transaction, Runnable ended) {
    super(roles.used(), transaction);
    this.transaction = transaction;
    this.roles = roles;
    this.ended = ended;
  }

  @Override
  public void put(MovedTable table, byte[] key, byte[] value) throws Exception {
    transaction.put(handle(table), key, value);
    changes.add(Change.entry(table.name(), key.clone()));
  }

  @Override
  public void delete(MovedTable table, byte[] key) throws Exception {
    transaction.delete(handle(table), key);
    changes.add(Change.entry(table.name(), key.clone()));
  }

  @Override
  public void commit() throws Exception {
    ChangeLog log = roles.log();
    if (log == null || changes.isEmpty()) {
      transaction.commit();
      return;
    }
    Boolean _ =
        log.with(
            changes,
            (key, value) -> transaction.put(log.table(), key, value),
            () -> {
              transaction.commit();
              return true;
            });
  }

  @Override
  public void close() throws Exception {
    try {
      transaction.close();
    } finally {
      ended.run();
    }
  }
}
