package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineWriter;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.help.KeyLocks;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import io.kvstadium.store.internal.guard.EngineCall;
import io.kvstadium.store.internal.guard.Gate;
import io.kvstadium.store.internal.guard.StoreAccess;
import io.kvstadium.store.record.CallRecorder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs what the tables, batches and transactions of an open store do with its engine: blocks,
 * writes under the locks of their keys, and what neither may do.
 */
public final class StoreCalls<T extends EngineTable> {
  private final Store store;
  private final EngineStore<T> engineStore;
  private final boolean readOnly;
  private final StoreAccess access;
  private final Listening listening;
  private final Function<Capability, UnsupportedException> lacking;

  /** {@code null} if there are transactions, which then make conditional writes atomic. */
  private final @Nullable KeyLocks keyLocks;

  /**
   * Read-locked while a write or load block, or what takes long, runs; write-locked by the close.
   */
  private final ReentrantReadWriteLock blocks = new ReentrantReadWriteLock();

  /** The same for transactions. */
  private final ReentrantReadWriteLock transactions = new ReentrantReadWriteLock();

  /** Where transactions that lost wait, in order, to run again. */
  private final ReentrantLock turn = new ReentrantLock(true);

  /**
   * Runs calls on a store.
   *
   * @param store which knows its URL and capabilities already
   * @param lacking what to throw for a capability that it lacks
   */
  public StoreCalls(
      Store store,
      EngineStore<T> engineStore,
      boolean readOnly,
      StoreAccess access,
      Listening listening,
      Function<Capability, UnsupportedException> lacking) {
    this.store = store;
    this.engineStore = engineStore;
    this.readOnly = readOnly;
    this.access = access;
    this.listening = listening;
    this.lacking = lacking;
    this.keyLocks = capabilities().contains(Capability.TRANSACTION) ? null : new KeyLocks();
  }

  Store store() {
    return store;
  }

  String url() {
    return store.url();
  }

  Set<Capability> capabilities() {
    return store.capabilities();
  }

  EngineStore<T> engineStore() {
    return engineStore;
  }

  StoreAccess access() {
    return access;
  }

  /** Reports to the listener and the recorder. */
  Listening listening() {
    return listening;
  }

  @Nullable KeyLocks keyLocks() {
    return keyLocks;
  }

  /** Waits for the blocks that are running, which end at their next call, and closes. */
  public void close(Runnable closing) {
    transactions.writeLock().lock();
    blocks.writeLock().lock();
    try {
      closing.run();
    } finally {
      blocks.writeLock().unlock();
      transactions.writeLock().unlock();
    }
  }

  public void require(Capability capability) {
    if (!capabilities().contains(capability)) {
      throw lacking.apply(capability);
    }
  }

  /** A table that the user got from this store. */
  @SuppressWarnings("ReferenceEquality") // a store is its identity
  <K, V> CodecTable<K, V> checkedTable(Table<K, V> table) {
    if (table instanceof CodecTable<K, V> typed && typed.view().handle().store() == this) {
      return typed;
    }
    throw new BadArgumentException(
        table + " is not a table of " + url() + ": take it from the same store");
  }

  /** The view behind a table of this store. */
  @SuppressWarnings("unchecked") // which has this store's type of table
  TableView<T> view(CodecTable<?, ?> typed) {
    return (TableView<T>) typed.view();
  }

  /** What there is but cannot be read as a table, with the reason. */
  public Map<String, String> unreadable() {
    return access.read(() -> new TreeMap<>(engineStore.unreadable()));
  }

  /** See {@link Store#write}. */
  public void write(Consumer<Batch> block) {
    Arguments.given(url(), "block of write", block);
    checkWritable();
    require(Capability.BATCH);
    inBlock(
        "write",
        () -> {
          OpenBatch<T> batch = new OpenBatch<>(this);
          try {
            block.accept(batch);
          } finally {
            batch.end();
          }
          long begun = listening.beginRecorded();
          CallRecorder.CallOutcome outcome = CallRecorder.CallOutcome.FAILED;
          try {
            called(
                StoreListener.Call.WRITE,
                batch.bytes(),
                () -> {
                  batch.apply();
                  return true;
                });
            outcome = CallRecorder.CallOutcome.OK;
          } finally {
            listening.recordBatch(outcome, batch.writes(), begun);
          }
          return true;
        });
  }

  /** Runs what calls back into the application; close waits for its end. */
  <R extends @Nullable Object> R inBlock(String call, Supplier<R> block) {
    checkOutside(call);
    blocks.readLock().lock();
    access.gate().beginBlock();
    try {
      return block.get();
    } finally {
      access.gate().endBlock();
      blocks.readLock().unlock();
    }
  }

  /**
   * Calls the engine for what may take long: close waits for its end, but not those who wait at the
   * gate, such as the drop of a table.
   */
  public <R extends @Nullable Object> R whileOpen(EngineCall<R> call, boolean writes) {
    blocks.readLock().lock();
    try {
      access.exit(access.enter()); // a close that is not seen here waits for this
      return call.run();
    } catch (Throwable e) {
      throw access.failed(e, writes);
    } finally {
      blocks.readLock().unlock();
    }
  }

  /** Gives the engine a batch; called between enter and exit of an {@link StoreAccess}. */
  boolean writeBatch(List<Write<T>> writes) throws Exception {
    return locked(
        keyLocks == null ? 0 : KeyLocks.of(writes),
        () -> {
          engineStore.write(writes);
          return true;
        });
  }

  /** Calls what may write any entry; called between enter and exit of an {@link StoreAccess}. */
  <R> R writeAny(EngineCall<R> call) throws Exception {
    return locked(KeyLocks.ALL, call);
  }

  private <R> R locked(long keys, EngineCall<R> call) throws Exception {
    if (keyLocks == null) {
      return call.run();
    }
    keyLocks.lockShared(keys);
    try {
      return call.run();
    } finally {
      keyLocks.unlockShared(keys);
    }
  }

  /** Puts one entry; called between enter and exit of an {@link StoreAccess}. */
  boolean put(T table, byte[] key, byte[] value) throws Exception {
    return locked(
        keyLocks == null ? 0 : KeyLocks.of(table, key),
        () -> {
          engineStore.put(table, key, value);
          return true;
        });
  }

  /** What writes single entries, or {@code null} if nothing does. */
  @Nullable EngineWriter<T> writer() {
    return capabilities().contains(Capability.WRITE) ? engineStore : null;
  }

  /** Calls the engine for something that concerns the whole store and writes. */
  public <R> R called(StoreListener.Call call, long bytes, EngineCall<R> work) {
    Gate.Pass pass = access.enter();
    try {
      long begun = listening.isOn() ? listening.begin() : 0;
      R result = work.run();
      if (listening.isOn()) {
        listening.called(call, "", begun, bytes);
      }
      return result;
    } catch (Throwable e) {
      RuntimeException failure = access.failed(e, true);
      if (!(call == StoreListener.Call.COMMIT && failure instanceof ConflictException)) {
        listening.failed(call, "", failure);
      }
      throw failure;
    } finally {
      access.exit(pass);
    }
  }

  /**
   * Runs a conditional write: in a transaction if the store has them; otherwise under the key's
   * lock.
   */
  ConditionalWrites.Change atomically(
      String call, TableView<T> table, byte[] key, ConditionalWrites.Step step) {
    checkOutside(call);
    long begun = listening.beginRecorded();
    ConditionalWrites.Change done = null;
    try {
      done = Listening.asParts(begun, () -> change(call, table, key, step));
      return done;
    } finally {
      listening.recordConditional(table.name(), key, done, begun);
    }
  }

  private ConditionalWrites.Change change(
      String call, TableView<T> table, byte[] key, ConditionalWrites.Step step) {
    if (keyLocks != null) {
      long locked = KeyLocks.of(table.handle().engineTable(), key);
      Gate.Pass pass = access.enter();
      keyLocks.lockAlone(locked);
      try {
        return ConditionalWrites.take(table, key, step);
      } finally {
        keyLocks.unlockAlone(locked);
        access.exit(pass);
      }
    }
    try {
      return transactions(call + " of key " + Hex.of(key) + " of " + table)
          .run(
              TransactionOptions.DEFAULT,
              tx -> ConditionalWrites.take(checkedTable(tx.on(table.bytes())).view(), key, step));
    } catch (ConflictException e) {
      throw lost(e);
    }
  }

  /** See {@link Store#transact}. */
  public <R extends @Nullable Object> R transact(
      TransactionOptions options, Function<Transaction, R> block) {
    Arguments.given(url(), "TransactionOptions", options);
    Arguments.given(url(), "block of transact", block);
    checkWritable();
    checkOutside("transact");
    try {
      return transactions("the transaction").run(options, block);
    } catch (ConflictException e) {
      throw lost(e);
    }
  }

  private Transactions<T> transactions(String name) {
    return new Transactions<>(this, name, transactions.readLock(), turn);
  }

  /** Tells the listener of a conflict after the last attempt: only this one the caller gets. */
  private ConflictException lost(ConflictException lost) {
    listening.failed(StoreListener.Call.COMMIT, "", lost);
    return lost;
  }

  public void checkWritable() {
    access.checkWritable();
    if (readOnly) {
      throw new UnsupportedException(
          url() + " is open read-only: open it without readOnly to write");
    }
  }

  /** Refuses to load into a store that can neither be written nor loaded. */
  void checkLoad() {
    checkWritable();
    if (!capabilities().contains(Capability.BULK_LOAD)) {
      require(Capability.WRITE);
    }
  }

  /**
   * Refuses to write to what cannot be written.
   *
   * @param table for the message
   * @throws UnsupportedException always
   */
  void refuseWrite(String table) {
    if (readOnly) {
      throw new UnsupportedException(table + " is read-only here: open the store for writing");
    }
    require(Capability.WRITE);
    throw new UnsupportedException(table + " is read-only here: use the store's own table");
  }

  /** Whether the calling thread is inside a block or a value reader of this store. */
  boolean isInside() {
    return access.gate().isInBlock() || access.gate().isInside();
  }

  /** Whether the calling thread is where others may wait for it, and so must not wait for them. */
  boolean isAwaited() {
    return transactions.getReadHoldCount() > 0 || access.gate().isInside();
  }

  /**
   * Refuses what a block of this store does past its batch or transaction, which would neither be
   * part of it nor undone with it, and what would wait for the calling thread itself.
   */
  void checkOutsideBlocks(String call) {
    if (access.gate().isInBlock()) {
      throw new BadArgumentException(
          "%s: %s is refused inside a block of the same store (write, transact, compute, bulkLoad): use the batch or transaction that the block was given, or do it after the block"
              .formatted(url(), call));
    }
  }

  /** Refuses what would wait for the calling thread itself, also inside a value reader. */
  public void checkOutside(String call) {
    checkOutsideBlocks(call);
    if (access.gate().isInside()) {
      throw new BadArgumentException(
          url() + ": " + call + " inside a value reader: do it after the reader has returned");
    }
  }
}
