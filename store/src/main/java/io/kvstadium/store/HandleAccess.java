package io.kvstadium.store;

import io.kvstadium.store.spi.Gate;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Access through a handle with an end of its own (cursor, transaction, snapshot): counts who is
 * inside, so that its close can wait for them, and lets in one at a time if it belongs to one
 * thread.
 */
final class HandleAccess extends Access {
  private static final int CLOSED = Integer.MIN_VALUE;

  private final Access parent;
  private final String name;
  private final boolean shared;
  private final AtomicInteger inside = new AtomicInteger();

  /**
   * @param parent what it came from, which is entered first
   * @param name for messages: {@code "the cursor"}
   * @param shared whether several threads may be inside at once
   */
  HandleAccess(Access parent, String name, boolean shared) {
    this.parent = parent;
    this.name = name;
    this.shared = shared;
  }

  @Override
  Gate.Pass enter() {
    Gate.Pass pass = parent.enter();
    int before = shared ? inside.getAndIncrement() : inside.compareAndExchange(0, 1);
    if (before < 0 || (!shared && before > 0)) {
      if (shared) {
        inside.decrementAndGet();
      }
      parent.exit(pass);
      throw before < 0
          ? new ClosedException(name + " is closed")
          : new BadArgumentException(
              name
                  + " is in use: it belongs to one thread at a time, and not to a reader it called");
    }
    return pass;
  }

  @Override
  void exit(Gate.Pass pass) {
    if (shared) {
      inside.decrementAndGet();
    } else {
      inside.setRelease(0);
    }
    parent.exit(pass);
  }

  @Override
  boolean isShared() {
    return shared;
  }

  /**
   * Lets nobody in any more and waits for those inside.
   *
   * @return false if it was closed already
   */
  boolean close() {
    while (true) {
      int now = inside.get();
      if (now < 0) {
        return false;
      }
      if (shared ? inside.compareAndSet(now, now + CLOSED) : inside.compareAndSet(0, CLOSED)) {
        break;
      }
      LockSupport.parkNanos(10_000);
    }
    while (inside.get() != CLOSED) {
      LockSupport.parkNanos(10_000);
    }
    return true;
  }

  boolean isInUse() {
    return inside.get() > 0;
  }

  boolean isClosed() {
    return inside.get() < 0;
  }
}
