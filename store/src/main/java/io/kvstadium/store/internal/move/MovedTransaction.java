package io.kvstadium.store.internal.move;

import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A transaction of the store that was used when it began; no change-over comes before its end. */
final class MovedTransaction extends MovedReader.Fixed implements EngineTransaction<MovedTable> {
  private final EngineTransaction<EngineTable> transaction;
  private final MovingStore.Roles roles;
  private final Runnable ended;
  private final List<Write<EngineTable>> changes = new ArrayList<>();

  MovedTransaction(
      MovingStore.Roles roles, EngineTransaction<EngineTable> transaction, Runnable ended) {
    super(roles.used(), transaction);
    this.transaction = transaction;
    this.roles = roles;
    this.ended = ended;
  }

  @Override
  public void put(MovedTable table, byte[] key, byte[] value) throws Exception {
    EngineTable opened = handle(side(), table);
    transaction.put(opened, key, value);
    changes.add(new Write<>(opened, key.clone(), null));
  }

  @Override
  public void delete(MovedTable table, byte[] key) throws Exception {
    EngineTable opened = handle(side(), table);
    transaction.delete(opened, key);
    changes.add(new Write<>(opened, key.clone(), null));
  }

  @Override
  public void commit() throws Exception {
    ChangeLog log = roles.log();
    if (log == null || changes.isEmpty()) {
      transaction.commit();
      return;
    }
    log.with(
        changes,
        entries -> {
          for (Write<EngineTable> entry : entries) {
            transaction.put(entry.table(), entry.key(), Objects.requireNonNull(entry.value()));
          }
          transaction.commit();
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
