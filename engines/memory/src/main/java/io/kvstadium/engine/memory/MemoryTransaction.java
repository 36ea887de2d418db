package io.kvstadium.engine.memory;

import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.help.NamedTable;
import java.util.ArrayList;
import java.util.List;

/** What both kinds share: a private root with the transaction's writes, and a list of these. */
abstract sealed class MemoryTransaction implements RootReader, EngineTransaction<NamedTable>
    permits OptimisticTransaction, PessimisticTransaction {
  private final MemoryStore store;
  private final List<Write<NamedTable>> writes = new ArrayList<>();
  private Root own;

  MemoryTransaction(MemoryStore store) {
    this.store = store;
    this.own = store.root();
  }

  @Override
  public Root root() {
    return own;
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) {
    add(new Write<>(table, key.clone(), value.clone()));
  }

  @Override
  public void delete(NamedTable table, byte[] key) {
    add(new Write<>(table, key.clone(), null));
  }

  private void add(Write<NamedTable> write) {
    writes.add(write);
    own = own.with(List.of(write));
  }

  /** Repeats the writes on the present root, since others may have changed other parts of it. */
  @Override
  public void commit() {
    store.update(now -> {
      check(now);
      return now.with(writes);
    });
  }

  /** Throws if the transaction may not be committed on top of this root. */
  abstract void check(Root now);
}
