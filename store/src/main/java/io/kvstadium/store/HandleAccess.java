package io.kvstadium.store;

import io.kvstadium.store.spi.Gate;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Access through a handle with an end of its own (cursor, transaction, snapshot): counts who is
 * inside, so that its close can wait for them, and lets in one at a time if it belongs to one
 * thread.
 */
final class HandleAccess extends Access {
  private static final System.Logger LOG = System.getLogger(HandleAccess.class.getPackageName());
  private static final int CLOSED = Integer.MIN_VALUE;

  private final Access parent;
  private final String name;
  private final boolean shared;
  private final Thread opener = Thread.currentThread();
  private final AtomicInteger inside = new AtomicInteger();

  /** What is to be done when nobody is inside; see {@link #whenFree}. */
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  private volatile boolean hasWaiting;

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
    if (hasWaiting) {
      runWaiting();
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

  Access parent() {
    return parent;
  }

  /**
   * At once only if the thread that this belongs to asks for it while nobody is inside. For others,
   * the garbage collector among them, whoever comes in next or ends this runs it: nobody waits, and
   * nobody finds it in use because of them.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // a thread is its identity
  void whenFree(Runnable action) {
    if (shared) {
      action.run();
    } else if (Thread.currentThread() == opener && inside.compareAndSet(0, 1)) {
      try {
        action.run();
      } finally {
        inside.setRelease(0);
      }
    } else {
      waiting.add(action);
      hasWaiting = true;
    }
  }

  /**
   * Runs what waits for this; called by whoever is alone inside, or has closed this. A failure is
   * only told: it befell somebody else's handle.
   */
  void runWaiting() {
    hasWaiting = false;
    for (Runnable action = waiting.poll(); action != null; action = waiting.poll()) {
      try {
        action.run();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "closing what came from " + name + " failed", e);
      }
    }
  }

  /**
   * Lets nobody in any more and waits for those inside.
   *
   * @return false if it was closed already
   */
  boolean close() {
    boolean interrupted = false; // or it would not pause any more
    boolean first = true;
    while (first && !tryClose()) {
      interrupted |= pause();
      first = !isClosed();
    }
    while (first && inside.get() != CLOSED) {
      interrupted |= pause();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return first;
  }

  private boolean tryClose() {
    int now = inside.get();
    return shared
        ? now >= 0 && inside.compareAndSet(now, now + CLOSED)
        : inside.compareAndSet(0, CLOSED);
  }

  private static boolean pause() {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(10_000);
    return interrupted;
  }

  boolean isInUse() {
    return inside.get() > 0;
  }

  boolean isClosed() {
    return inside.get() < 0;
  }
}
