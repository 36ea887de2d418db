package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.help.KeyLocks;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;

/**
 * A transaction of either mode. An optimistic one reads its snapshot, so that what it reads is
 * consistent even if its commit will fail. A pessimistic one reads the latest state of what it has
 * just locked, so that waiting for a lock is not wasted.
 */
final class RocksDbTransaction implements EngineTransaction<RocksDbTable> {
  /** Runs RocksDB's commit. */
  interface Committer {
    /**
     * Commits.
     *
     * @param touched the locks of the keys that it read and wrote
     */
    void commit(Transaction transaction, long touched) throws Exception;
  }

  private final Transaction transaction;
  private final Committer committer;
  private final Runnable atEnd;
  private final ReadOptions reads = new ReadOptions();
  private final @Nullable Snapshot snapshot;
  private long touched;

  /**
   * Takes over a transaction.
   *
   * @param committer commits it
   * @param atEnd runs when it is closed
   */
  RocksDbTransaction(Transaction transaction, Committer committer, Runnable atEnd) {
    this.transaction = transaction;
    this.committer = committer;
    this.atEnd = atEnd;
    this.snapshot = transaction.getSnapshot();
    if (snapshot != null) {
      reads.setSnapshot(snapshot);
    }
  }

  /**
   * Not a plain get, because keys that were only read are protected too: an optimistic transaction
   * remembers the key for its commit, a pessimistic one locks it. That lock is exclusive; otherwise
   * any two transactions that read a key before they write it would deadlock, and the work of one
   * of them would be lost.
   */
  @Override
  public byte @Nullable [] get(RocksDbTable table, byte[] key) throws RocksDBException {
    touched |= KeyLocks.of(table, key);
    return transaction.getForUpdate(reads, table.family(), key, true);
  }

  @Override
  public EngineCursor cursor(RocksDbTable table, Range<byte[]> range) {
    return new RocksDbCursor(
        range, snapshot, null, options -> transaction.getIterator(options, table.family()));
  }

  @Override
  public void put(RocksDbTable table, byte[] key, byte[] value) throws RocksDBException {
    touched |= KeyLocks.of(table, key);
    transaction.put(table.family(), key, value);
  }

  @Override
  public void delete(RocksDbTable table, byte[] key) throws RocksDBException {
    touched |= KeyLocks.of(table, key);
    transaction.delete(table.family(), key);
  }

  @Override
  public void commit() throws Exception {
    committer.commit(transaction, touched);
  }

  @Override
  public void close() {
    reads.close();
    transaction.close(); // rolls back what was not committed
    atEnd.run();
  }
}
