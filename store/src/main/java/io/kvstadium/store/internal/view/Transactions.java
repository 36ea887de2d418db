package io.kvstadium.store.internal.view;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.help.Locks;
import io.kvstadium.store.engine.help.Retry;
import io.kvstadium.store.record.CallRecorder;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@code transact} block, and repeats it if it lost.
 *
 * @param name what the transaction is, for messages
 * @param running held while the block runs, so that the store's close waits for its end
 * @param turn a fair lock, which only those hold that run again
 */
record Transactions<T extends EngineTable>(
    StoreCalls<T> store, String name, Lock running, Lock turn) {
  public <R extends @Nullable Object> R run(
      TransactionOptions options, Function<Transaction, R> block) {
    TransactionMode mode = options.mode();
    if (mode == null) {
      store.require(Capability.TRANSACTION);
      mode =
          store.capabilities().contains(Capability.OPTIMISTIC_TRANSACTION)
                  && !store.capabilities().contains(Capability.PESSIMISTIC_TRANSACTION)
              ? TransactionMode.OPTIMISTIC
              : TransactionMode.PESSIMISTIC;
    }
    store.require(mode.capability());
    Retry retry = new Retry(options.retryTimeout());
    try {
      return attempt(mode, options, block);
    } catch (ConflictException e) {
      return again(retry, mode, options, block, e);
    }
  }

  /**
   * Who has lost waits for its turn, so that of many that want the same the first goes first, and
   * has only those beside it that have not lost yet. It does not wait long, or a long block would
   * hold up all others. With its turn it goes on at once, and pauses only if it loses again.
   */
  private <R extends @Nullable Object> R again(
      Retry retry,
      TransactionMode mode,
      TransactionOptions options,
      Function<Transaction, R> block,
      ConflictException first) {
    ConflictException lost = first;
    boolean hasTurn = false;
    try {
      while (true) {
        store.listening().conflict(retry.attempts());
        hasTurn = hasTurn || Locks.tryLock(turn, Duration.ofNanos(retry.maxPauseNanos()));
        if (!retry.again()) {
          throw new ConflictException(
              "%s: %s lost: %s, the last one because of %s"
                  .formatted(store.url(), name, retry, lost.getMessage()),
              lost);
        }
        try {
          return attempt(mode, options, block);
        } catch (ConflictException e) {
          lost = e;
        }
      }
    } finally {
      if (hasTurn) {
        turn.unlock();
      }
    }
  }

  private <R extends @Nullable Object> R attempt(
      TransactionMode mode, TransactionOptions options, Function<Transaction, R> block) {
    running.lock();
    store.access().gate().beginBlock();
    try {
      OpenTransaction<T> transaction = begin(mode, options);
      R result;
      try {
        result = block.apply(transaction);
      } catch (Throwable e) { // other languages throw checked exceptions undeclared
        transaction.abandon(e);
        throw e;
      }
      transaction.commit();
      return result;
    } finally {
      store.access().gate().endBlock();
      running.unlock();
    }
  }

  private OpenTransaction<T> begin(TransactionMode mode, TransactionOptions options) {
    Listening listening = store.listening();
    long begun = listening.beginRecorded();
    OpenTransaction<T> opened =
        store
            .access()
            .read(() ->
                new OpenTransaction<>(
                    store, store.engineStore().begin(mode, options.lockTimeout())));
    listening.recordBound(CallRecorder.CallKind.BEGIN, CallRecorder.CallOutcome.OK, "", begun);
    return opened;
  }
}
