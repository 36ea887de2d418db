package io.kvstadium.engine.lmdb;

import io.kvstadium.store.FullException;
import io.kvstadium.store.engine.Locks;
import io.kvstadium.store.engine.Slot;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store's readers. Each thread first looks where it is unlikely to meet another, so taking one
 * costs one uncontended atomic operation. There are as many as were ever in use at once, and they
 * are never given up before the store closes.
 */
final class Readers {
  private static final long PAUSE_NANOS = 20_000;

  /** How long a thread waits for a reader when all are in use. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final int most;
  private final Duration patience;
  private final ReentrantLock turn = new ReentrantLock(true); // who is next to get a reader
  private volatile Reader[] all; // replaced by longer ones with the same beginning

  /**
   * @param most how many there may be at once
   * @param patience how long a thread waits for one when all are in use
   */
  Readers(int most, Duration patience) {
    this.most = most;
    this.patience = patience;
    int stripes = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 8 - 1);
    this.all = filled(new Reader[0], Math.clamp(stripes, 1, most));
  }

  /** Takes a free reader, which must then be begun. */
  Reader take() {
    Reader reader = takeIfFree();
    return reader != null ? reader : takeSlowly();
  }

  /** Returns how many there may be at once. */
  int most() {
    return most;
  }

  /** Takes a reader that is free now, which must then be begun, or returns {@code null}. */
  @Nullable Reader takeIfFree() {
    Reader[] readers = all;
    int length = readers.length;
    int start = Slot.usual(length);
    for (int i = start; i < length; i++) {
      if (readers[i].tryTake()) {
        return readers[i].taken();
      }
    }
    for (int i = 0; i < start; i++) {
      if (readers[i].tryTake()) {
        return readers[i].taken();
      }
    }
    return null;
  }

  /** Ends them all; nobody has one. */
  void close() {
    for (Reader reader : all) {
      reader.discard();
    }
  }

  private Reader takeSlowly() {
    Reader reader = takeUnlessFull();
    if (reader == null) {
      refuseAllMine();
      reader = takeInTurn();
    }
    return reader;
  }

  /** Returns a reader, or null if the permitted number is in use. */
  private @Nullable Reader takeUnlessFull() {
    while (true) {
      Reader reader = takeIfFree();
      if (reader == null && all.length == most) {
        return null;
      }
      reader = reader != null ? reader : enlarge();
      if (reader != null) {
        return reader;
      }
    }
  }

  private void refuseAllMine() {
    if (Arrays.stream(all).allMatch(Reader::isMine)) {
      throw full("this thread has all " + most + " readers, in cursors and snapshots it has open");
    }
  }

  /** Waits for a reader that is given back; waiting threads are served in order of arrival. */
  private Reader takeInTurn() {
    long deadline = System.nanoTime() + patience.toNanos();
    if (Locks.tryLock(turn, patience)) {
      try {
        do {
          Reader reader = takeUnlessFull();
          if (reader != null) {
            return reader;
          }
          LockSupport.parkNanos(PAUSE_NANOS);
        } while (System.nanoTime() < deadline);
      } finally {
        turn.unlock();
      }
    }
    throw full(
        "all %s readers were in use for %s ms, by cursors, snapshots and unfinished zero-copy reads"
            .formatted(most, patience.toMillis()));
  }

  private static FullException full(String why) {
    return new FullException(
        "engine lmdb: "
            + why
            + ": end those that are no longer needed, or open the store with a larger max_readers");
  }

  /** Adds readers and takes one of them; returns null if somebody else has added some. */
  private synchronized @Nullable Reader enlarge() {
    int present = all.length;
    if (present == most) {
      return null;
    }
    Reader[] longer = filled(all, Math.min(most, present * 2));
    longer[present].tryTake(); // nobody else knows it yet
    all = longer;
    return longer[present].taken();
  }

  private static Reader[] filled(Reader[] present, int length) {
    Reader[] readers = Arrays.copyOf(present, length);
    for (int i = present.length; i < length; i++) {
      readers[i] = new Reader();
    }
    return readers;
  }
}
