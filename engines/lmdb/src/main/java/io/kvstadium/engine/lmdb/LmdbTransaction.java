package io.kvstadium.engine.lmdb;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTransaction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Txn;

/**
 * LMDB's write transaction, the only one in the store from start to end. Values are copied, not
 * zero-copy: they may be in memory that the transaction's next write frees.
 */
final class LmdbTransaction implements EngineTransaction<LmdbTable> {
  private final Environment environment;
  private final Txn<Slice> txn;
  private final KeyBuffer key = new KeyBuffer();
  private boolean ended;

  /** The calling thread has the writer's lock, which the transaction gives back. */
  LmdbTransaction(Environment environment) {
    this.environment = environment;
    this.txn = environment.writer().call(environment.env()::txnWrite);
  }

  @Override
  public byte @Nullable [] get(LmdbTable table, byte[] bytes) {
    return run(() -> {
      Slice found = table.dbi().get(txn, key.hold(bytes));
      return found == null ? null : found.toArray();
    });
  }

  @Override
  public boolean contains(LmdbTable table, byte[] bytes) {
    return run(() -> table.dbi().get(txn, key.hold(bytes)) != null);
  }

  @Override
  public EngineCursor cursor(LmdbTable table, Range<byte[]> range) {
    return run(() -> {
      Cursor<Slice> opened = table.dbi().openCursor(txn);
      // a separate buffer: the shared one may be in use when the cursor starts
      return new LmdbCursor(opened, range, new KeyBuffer(), null, null, null, () -> {});
    });
  }

  @Override
  public void put(LmdbTable table, byte[] bytes, byte[] value) {
    run(() -> {
      LmdbStore.put(txn, table, key.hold(bytes), value);
      return true;
    });
  }

  @Override
  public void delete(LmdbTable table, byte[] bytes) {
    run(() -> table.dbi().delete(txn, key.hold(bytes)));
  }

  @Override
  public void commit() {
    run(() -> {
      environment
          .writer()
          .call(() -> {
            txn.commit();
            return true;
          });
      return true;
    });
    end();
  }

  @Override
  public void close() {
    end();
  }

  private <R extends @Nullable Object> R run(Supplier<R> step) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      throw environment.noted(e);
    }
  }

  private void end() {
    if (!ended) {
      try {
        abort();
      } finally {
        release();
      }
    }
  }

  /** Does nothing to a transaction that was committed or whose commit failed. */
  private void abort() {
    environment
        .writer()
        .call(() -> {
          txn.close();
          return true;
        });
  }

  private void release() {
    ended = true;
    environment.writer().unlock();
  }
}
