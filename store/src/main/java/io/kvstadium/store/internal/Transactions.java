package io.kvstadium.store.internal;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.engine.CallRecorder;
import io.kvstadium.store.engine.EngineTable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@code transact} block, and repeats it if it lost.
 *
 * @param running held while the block runs, so that the store's close waits for its end
 */
record Transactions<T extends EngineTable>(OpenStore<T> store, Lock running) {
  private static final int MAX_BACK_OFF_DOUBLINGS = 10;

  <R extends @Nullable Object> R run(TransactionOptions options, Function<Transaction, R> block) {
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
    long begun = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt(mode, options, block);
      } catch (ConflictException e) {
        store.listening().conflict(attempt);
        boolean waitedEnough =
            mode == TransactionMode.PESSIMISTIC
                && System.nanoTime() - begun >= options.lockTimeout().toNanos();
        if (attempt >= options.attempts() || waitedEnough) {
          throw new ConflictException(
              "%s: the transaction lost in %d of %d attempts%s: %s"
                  .formatted(
                      store.url(),
                      attempt,
                      options.attempts(),
                      waitedEnough
                          ? ", and its " + options.lockTimeout().toMillis() + " ms are used up"
                          : "",
                      e.getMessage()),
              e);
        }
        backOff(options.backOff().toNanos(), attempt - 1);
      }
    }
  }

  /** Waits a random moment below {@code first}, which doubles with each attempt. */
  static void backOff(long first, int attempt) {
    long max = first << Math.min(attempt, MAX_BACK_OFF_DOUBLINGS);
    if (max > 0) {
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(max));
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
