package io.kvstadium.engine.memory;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.help.NamedTable;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction of the memory engine that is also logged, with its store's fault. */
final class FaultyTransaction implements EngineTransaction<NamedTable> {
  private final FaultyStore store;
  private final EngineTransaction<NamedTable> inner;
  private final Runnable atClose;
  private final Root base;
  private final List<Write<NamedTable>> writes = new ArrayList<>();
  private boolean committed;

  FaultyTransaction(
      FaultyStore store, EngineTransaction<NamedTable> inner, Runnable atClose, Root base) {
    this.store = store;
    this.inner = inner;
    this.atClose = atClose;
    this.base = base;
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) throws Exception {
    return switch (store.fault) {
      case BLIND_TO_OWN_WRITES, CHECKS_ONLY_WRITES -> base.get(table, key);
      default -> inner.get(table, key);
    };
  }

  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) throws Exception {
    return switch (store.fault) {
      case BLIND_TO_OWN_WRITES -> new MemoryCursor(base, table, range);
      case SCANS_BLIND_TO_OWN_DELETES -> new MemoryCursor(withoutDeletes(), table, range);
      case FORGETS_SCANS -> new MemoryCursor(((RootReader) inner).root(), table, range);
      default -> inner.cursor(table, range);
    };
  }

  private Root withoutDeletes() {
    return base.with(writes.stream().filter(write -> write.value() != null).toList());
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) throws Exception {
    writes.add(new Write<>(table, key.clone(), value.clone()));
    inner.put(table, key, value);
  }

  @Override
  public void delete(NamedTable table, byte[] key) throws Exception {
    writes.add(new Write<>(table, key.clone(), null));
    inner.delete(table, key);
  }

  @Override
  public void commit() throws Exception {
    try {
      store.commit(inner, writes);
    } catch (ConflictException e) {
      throw new Lost(e);
    }
    committed = true;
  }

  /** An exception that only the engine knows. */
  static final class Lost extends Exception {
    @Serial private static final long serialVersionUID = 1;

    Lost(Throwable cause) {
      super("lost to another transaction", cause);
    }
  }

  @Override
  public void close() throws Exception {
    if (store.fault == Fault.COMMITS_WHAT_WAS_ROLLED_BACK && !committed) {
      commit();
    }
    inner.close();
    atClose.run();
  }
}
