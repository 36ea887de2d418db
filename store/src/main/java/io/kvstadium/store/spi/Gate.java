package io.kvstadium.store.spi;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets many threads through at once at the cost of two plain writes each, and lets one thread wait
 * until nobody is inside: to close what is guarded, or to change it.
 *
 * <pre>{@code
 * gate.enter();
 * try { use(); } finally { gate.exit(); }
 * }</pre>
 *
 * <p>Each thread counts its own entries in a slot that nobody else writes, so threads share no
 * cache line. The usual price of such a design, a full fence between writing the slot and reading
 * the gate's state, is moved to the rare side: before it reads the slots, a closing thread makes
 * every thread of the virtual machine pass a handshake, by closing a shared {@link Arena}. After
 * the handshake a thread either has seen the new state, or its slot shows that it is inside.
 * Between the two accesses in {@code enter} there is no safepoint, so their order among themselves
 * does not matter.
 */
public final class Gate {
  private static final VarHandle DEPTH;
  private static final VarHandle STATE;

  private static final int OPEN = 0;
  private static final int HELD = 1;
  private static final int CLOSED = 2;

  private static final int LEAST_SWEEP = 64;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      DEPTH = lookup.findVarHandle(Pass.class, "depth", int.class);
      STATE = lookup.findVarHandle(Gate.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * A thread's slot: how often it is inside; written by that thread only. Padded to a cache line's
   * distance. To callers it is what {@link #pass} gives and {@link #exit(Pass)} takes.
   */
  @SuppressWarnings("unused") // the padding
  public static final class Pass {
    long p1, p2, p3, p4, p5, p6, p7, p8;
    int depth;
    long q1, q2, q3, q4, q5, q6, q7, q8;
    private final WeakReference<Thread> owner = new WeakReference<>(Thread.currentThread());
  }

  private final ThreadLocal<Pass> slots = ThreadLocal.withInitial(this::register);

  /**
   * Without a lock: the one who closes must not wait for virtual threads that come in, which may
   * not get a carrier while others keep it busy.
   */
  private final Queue<Pass> all = new ConcurrentLinkedQueue<>();

  /** Registrations until slots of ended threads are swept: as many as there were left last time. */
  private final AtomicInteger untilSweep = new AtomicInteger(LEAST_SWEEP);

  private final ReentrantLock holder = new ReentrantLock();

  @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // used through STATE
  private int state = OPEN;

  /**
   * Goes in. Waits while another thread holds the gate; must be followed by {@link #exit} if it
   * returned true. May be nested: whoever is inside already is never made to wait.
   *
   * @return false if the gate is closed
   */
  public boolean enter() {
    return pass() != null;
  }

  /**
   * The same as {@link #enter} for hot paths: what it returns spares {@link #exit(Pass)} the search
   * for the thread's slot.
   *
   * @return {@code null} if the gate is closed
   */
  public @Nullable Pass pass() {
    Pass slot = slots.get();
    int depth = slot.depth;
    DEPTH.setRelease(slot, depth + 1);
    if ((int) STATE.getVolatile(this) == OPEN || depth > 0 || enterSlowly(slot)) {
      return slot;
    }
    return null;
  }

  /** Goes out, once for each {@link #enter} that returned true. */
  public void exit() {
    exit(slots.get());
  }

  /** Goes out, once for each {@link #pass} that was given; on the same thread. */
  public void exit(Pass pass) {
    DEPTH.setRelease(pass, pass.depth - 1);
  }

  /** Whether the calling thread is inside. */
  public boolean isInside() {
    return slots.get().depth > 0;
  }

  /** Whether {@link #close} has begun. */
  public boolean isClosed() {
    return (int) STATE.getVolatile(this) == CLOSED;
  }

  /**
   * Runs {@code action} while nobody is inside; those who come meanwhile wait. Does nothing if the
   * gate is closed.
   *
   * @return whether the action ran
   * @throws IllegalStateException if the calling thread is inside, where it would wait for itself
   */
  public boolean exclusively(Runnable action) {
    refuseInside();
    holder.lock();
    try {
      if (isClosed()) {
        return false;
      }
      STATE.setVolatile(this, HELD);
      try {
        awaitEmpty();
        action.run();
      } finally {
        STATE.setVolatile(this, OPEN);
      }
      return true;
    } finally {
      holder.unlock();
    }
  }

  /**
   * Closes the gate for good and waits until nobody is inside.
   *
   * @return false if it was closed already
   * @throws IllegalStateException if the calling thread is inside
   */
  public boolean close() {
    refuseInside();
    holder.lock();
    try {
      if (isClosed()) {
        return false;
      }
      STATE.setVolatile(this, CLOSED);
      awaitEmpty();
      return true;
    } finally {
      holder.unlock();
    }
  }

  @SuppressWarnings("LockNotBeforeTry") // taken only to wait for the one who holds it
  private boolean enterSlowly(Pass slot) {
    if (holder.isHeldByCurrentThread()) {
      return true; // the action of exclusively(): it is alone, and would wait for itself
    }
    while (true) {
      DEPTH.setRelease(slot, 0);
      if (isClosed()) {
        return false;
      }
      holder.lock(); // waits for the one who holds the gate
      holder.unlock();
      DEPTH.setRelease(slot, 1);
      if ((int) STATE.getVolatile(this) == OPEN) {
        return true;
      }
    }
  }

  private void refuseInside() {
    if (isInside()) {
      throw new IllegalStateException(
          "called from inside the gate, where it would wait for itself");
    }
  }

  private void awaitEmpty() {
    Arena.ofShared().close(); // the handshake; see the class comment
    for (int spins = 0; !isEmpty(); spins++) {
      if (spins < 100) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(50_000);
      }
    }
  }

  private boolean isEmpty() {
    for (Pass slot : all) {
      if ((int) DEPTH.getAcquire(slot) > 0 && !isGone(slot.owner.get())) {
        return false;
      }
    }
    return true;
  }

  private Pass register() {
    Pass slot = new Pass();
    all.add(slot);
    if (untilSweep.decrementAndGet() == 0) {
      all.removeIf(other -> isGone(other.owner.get()));
      untilSweep.set(Math.max(LEAST_SWEEP, all.size()));
    }
    return slot;
  }

  private static boolean isGone(@Nullable Thread owner) {
    return owner == null || !owner.isAlive();
  }
}
