package io.kvstadium.store;

import io.kvstadium.store.spi.EngineReader;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.Gate;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One multi-get that several threads share. The keys are cut into portions; a free thread takes the
 * next one, and each time asks for one more reader, until there are enough: many come quickly if
 * portions take long, and hardly any if the caller alone would be done at once.
 *
 * <p>Nobody is inside the gate between two portions. A store that closes waits only for the
 * portions under way, and the next ones meet {@link ClosedException}.
 */
final class ParallelGet<T extends EngineTable> {
  /**
   * The least work for a reader. Waking one up costs about as much as 30 reads of an engine in
   * memory (10 to 20 µs against 0.5 µs), so with less work it is slower than the caller alone. From
   * disk, fewer would pay off, but that cannot be known in advance.
   */
  static final int KEYS_PER_READER = 32;

  /**
   * So that a thread that gets a slow one at the end holds the others up by a small part of the
   * whole.
   */
  private static final int PORTIONS_PER_READER = 16;

  /** Fewer keys would not be worth the engine's own cost per call. */
  private static final int LEAST_PORTION = 8;

  /**
   * More would not make the engine's call any cheaper, but would make the close of the store wait.
   */
  private static final int LARGEST_PORTION = 256;

  private final TableHandle<T> handle;
  private final Access access;
  private final EngineReader<T> reader;
  private final ReadPool pool;

  private final byte[][] keys;
  private final byte[] @Nullable [] values;
  private final int size;
  private final int portions;
  private final int helpers;

  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left = lock.newCondition();
  private int inside;
  private boolean over;
  private @Nullable Throwable failure;

  /**
   * @param keys checked
   * @param readers from {@link #readers}, at least 2
   */
  ParallelGet(
      TableHandle<T> handle,
      Access access,
      EngineReader<T> reader,
      ReadPool pool,
      byte[][] keys,
      int readers) {
    this.handle = handle;
    this.access = access;
    this.reader = reader;
    this.pool = pool;
    this.keys = keys;
    this.values = new byte[keys.length] @Nullable [];
    this.size =
        Math.clamp(keys.length / (readers * PORTIONS_PER_READER), LEAST_PORTION, LARGEST_PORTION);
    this.portions = Math.ceilDiv(keys.length, size);
    this.helpers = readers - 1;
  }

  /** How many threads, including the caller's, are worth using for this many keys. */
  static int readers(int keys, int parallelism) {
    return Math.min(Math.min(parallelism, ReadPool.MOST), keys / KEYS_PER_READER);
  }

  /** The values by index; on the caller's thread, which reads as well. */
  byte[] @Nullable [] run() {
    work();
    lock.lock();
    try {
      over = true;
      while (inside > 0) {
        left.awaitUninterruptibly();
      }
      switch (failure) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        default -> throw new AssertionError("neither is caught", failure);
      }
    } finally {
      lock.unlock();
    }
    return values;
  }

  private void help() {
    lock.lock();
    try {
      if (over) {
        return;
      }
      inside++;
    } finally {
      lock.unlock();
    }
    try {
      work();
    } finally {
      lock.lock();
      try {
        inside--;
        left.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  private void work() {
    try {
      int portion = next.getAndIncrement();
      while (portion < portions) {
        askForHelp();
        read(portion);
        portion = next.getAndIncrement();
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private void askForHelp() {
    if (next.get() < portions && asked.get() < helpers && asked.getAndIncrement() < helpers) {
      pool.start(this::help);
    }
  }

  private void read(int portion) {
    int from = portion * size;
    int count = Math.min(size, keys.length - from);
    byte[][] wanted = Arrays.copyOfRange(keys, from, from + count);
    byte[] @Nullable [] found;
    Gate.Pass pass = access.enter();
    try {
      found = reader.getAll(handle.engineTable(), wanted);
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      access.exit(pass);
    }
    System.arraycopy(found, 0, values, from, count);
  }

  /** Keeps the first failure for the caller and lets nobody begin another portion. */
  @SuppressWarnings("ReferenceEquality") // nothing can suppress itself
  private void fail(Throwable e) {
    next.set(portions);
    lock.lock();
    try {
      if (failure == null) {
        failure = e;
      } else if (failure != e) {
        failure.addSuppressed(e);
      }
    } finally {
      lock.unlock();
    }
  }
}
