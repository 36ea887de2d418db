package io.kvstadium.store.internal.guard;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.StadiumException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Access through a handle with its own lifetime (cursor, transaction, snapshot): counts who is
 * inside, so that its close can wait for them, and lets in one at a time if it belongs to one
 * thread.
 */
public class HandleAccess extends Access {
  private static final int CLOSED = Integer.MIN_VALUE;
  private static final VarHandle INSIDE;

  static {
    try {
      INSIDE = MethodHandles.lookup().findVarHandle(HandleAccess.class, "inside", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Access parent;
  private final String name;
  private final boolean shared;
  private final Gate gate;
  private final Thread opener = Thread.currentThread();

  @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // used through INSIDE
  private int inside;

  private volatile @Nullable Throwable failure;

  /**
   * @param parent what it came from, which is entered first
   * @param name for messages: {@code "the cursor"}
   * @param shared whether several threads may be inside at once
   */
  public HandleAccess(Access parent, String name, boolean shared) {
    this.parent = parent;
    this.name = name;
    this.shared = shared;
    this.gate = parent.gate();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a thread is its identity
  public Gate.Pass enter() {
    Gate.Pass pass = parent.enter();
    int before =
        shared ? (int) INSIDE.getAndAdd(this, 1) : (int) INSIDE.compareAndExchange(this, 0, 1);
    if (before < 0 || (!shared && before > 0)) {
      if (shared) {
        INSIDE.getAndAdd(this, -1);
      }
      parent.exit(pass);
      StadiumException refusal = refusal(before);
      if (Thread.currentThread() == opener) {
        callFailed(refusal);
      }
      throw refusal;
    }
    return pass;
  }

  @Override
  public void exit(Gate.Pass pass) {
    if (shared) {
      INSIDE.getAndAdd(this, -1);
    } else {
      INSIDE.setRelease(this, 0);
    }
    parent.exit(pass);
  }

  /**
   * The checks of {@link #enter} for a caller that needs nothing from the engine, only what the
   * library took from it before: nobody is kept out meanwhile. For a handle that belongs to one
   * thread, whose parents close it before they end.
   */
  public void check() {
    checkOpen();
    if (!gate.isOpen()) {
      exit(enter()); // says why, unless the thread is inside
    }
  }

  /** The same after {@link #check}, before the next step. */
  public void checkOpen() {
    int now = inside();
    if (now != 0) {
      throw refusal(now);
    }
  }

  private StadiumException refusal(int found) {
    return found < 0
        ? new ClosedException(name + " is closed")
        : new BadArgumentException(
            name + " is in use: it belongs to one thread at a time, and not to a reader it called");
  }

  @Override
  public RuntimeException failed(Throwable thrown, boolean writes) {
    RuntimeException known = parent.failed(thrown, writes);
    remember(known);
    return known;
  }

  @Override
  public void callFailed(Throwable thrown) {
    parent.callFailed(thrown);
    remember(thrown);
  }

  private void remember(Throwable thrown) {
    if (failure == null) {
      failure = thrown;
    }
  }

  /** The first failure of a call through this, or through what came from it. */
  public @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public boolean isShared() {
    return shared;
  }

  @Override
  Gate gate() {
    return gate;
  }

  Access parent() {
    return parent;
  }

  /**
   * Only for the thread that this belongs to, while nobody is inside: others, the garbage collector
   * among them, wait for nobody, and nobody finds this in use because of them.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // a thread is its identity
  boolean beginClosing() {
    return shared || (Thread.currentThread() == opener && INSIDE.compareAndSet(this, 0, 1));
  }

  @Override
  void endClosing() {
    if (!shared) {
      INSIDE.setRelease(this, 0);
    }
  }

  /**
   * Lets nobody in any more and waits for those inside.
   *
   * @return false if it was closed already
   */
  public boolean shut() {
    boolean first = tryClose();
    if (!first) {
      boolean[] closed = new boolean[1];
      Gate.await(() -> {
        closed[0] = tryClose();
        return closed[0] || isClosed();
      });
      first = closed[0];
    }
    if (first && inside() != CLOSED) {
      Gate.await(() -> inside() == CLOSED);
    }
    return first;
  }

  private boolean tryClose() {
    int now = inside();
    return shared
        ? now >= 0 && INSIDE.compareAndSet(this, now, now + CLOSED)
        : INSIDE.compareAndSet(this, 0, CLOSED);
  }

  boolean isInUse() {
    return inside() > 0;
  }

  boolean isClosed() {
    return inside() < 0;
  }

  private int inside() {
    return (int) INSIDE.getVolatile(this);
  }
}
