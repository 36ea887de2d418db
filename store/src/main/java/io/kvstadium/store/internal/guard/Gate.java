package io.kvstadium.store.internal.guard;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets many threads through at once at the cost of two plain writes each, and lets one thread wait
 * until nobody is inside: to close what is guarded, or to change a part of it.
 *
 * <pre>{@code
 * Pass pass = gate.pass();
 * try { use(); } finally { gate.exit(pass); }
 * }</pre>
 *
 * <p>Each thread counts its own entries in a slot that nobody else writes, so threads share no
 * cache line. The usual cost of such a design, a full fence between writing the slot and reading
 * the gate's state, is moved to the rare side: before it reads the slots, a waiting thread makes
 * every thread of the virtual machine pass a handshake, by closing a shared {@link Arena}. After
 * the handshake a thread either has seen the new state, or its slot shows that it is inside.
 * Between the two accesses in {@code pass} there is no safepoint, so their relative order does not
 * matter.
 */
public final class Gate {
  private static final VarHandle COUNT;
  private static final VarHandle STATE;

  private static final int OPEN = 0;
  private static final int BARRED = 1;
  private static final int CLOSED = 2;

  /** One visit in a slot's count, above the bits that say how deeply the thread is inside. */
  private static final long VISIT = 1L << 32;

  /** How many threads find their slot without looking into their thread-local variables. */
  private static final int RECENT = 256;

  private static final int MIN_SWEEP = 64;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      COUNT = lookup.findVarHandle(Pass.class, "count", long.class);
      STATE = lookup.findVarHandle(Gate.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * A thread's slot, written by that thread only: the lower half of the count is how often it is
   * inside, the upper half how many visits it has ended; next to it, how many blocks of the
   * application it runs. Padded to a separate cache line. To callers it is what {@link #pass} gives
   * and {@link #exit} takes.
   */
  @SuppressWarnings("unused") // the padding
  public static final class Pass {
    long p1, p2, p3, p4, p5, p6, p7, p8;
    final long thread = Thread.currentThread().threadId();
    long count;
    int blocks;
    long q1, q2, q3, q4, q5, q6, q7, q8;
    private final WeakReference<Thread> owner = new WeakReference<>(Thread.currentThread());

    private boolean isGone() {
      Thread thread = owner.get();
      return thread == null || !thread.isAlive();
    }
  }

  private final ThreadLocal<Pass> slots = ThreadLocal.withInitial(this::register);

  /**
   * Slots of recent threads, by thread number: four cache lines from here to the count, where
   * thread-local variables take a dozen. Races are harmless: a thread that finds another's slot
   * looks among its own thread-local variables.
   */
  private final @Nullable Pass[] recent = new Pass[RECENT];

  /**
   * Without a lock: the closing thread must not wait for entering virtual threads, which may not
   * get a carrier while others keep it busy.
   */
  private final Queue<Pass> all = new ConcurrentLinkedQueue<>();

  /** Registrations until slots of ended threads are swept: as many as there were left last time. */
  private final AtomicInteger untilSweep = new AtomicInteger(MIN_SWEEP);

  @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // used through STATE
  private int state = OPEN;

  /**
   * Enters; must be followed by {@link #exit} if it is let in. May be nested: a thread that is
   * already inside is let in whatever the state.
   *
   * @return what {@code exit} needs, or {@code null} if the gate is barred or closed
   */
  public @Nullable Pass pass() {
    Pass slot = slot();
    long count = slot.count;
    COUNT.setRelease(slot, count + 1);
    if ((int) STATE.getVolatile(this) == OPEN || (int) count > 0) {
      return slot;
    }
    COUNT.setRelease(slot, count);
    return null;
  }

  /** Leaves, once for each {@link #pass} that was given; on the same thread. */
  public void exit(Pass pass) {
    long count = pass.count - 1;
    COUNT.setRelease(pass, (int) count == 0 ? count + VISIT : count);
  }

  /** Whether the calling thread is inside. */
  public boolean isInside() {
    return (int) slot().count > 0;
  }

  /** Notes that the calling thread runs a block of the application, until {@link #endBlock}. */
  public void beginBlock() {
    slot().blocks++;
  }

  /** Ends {@link #beginBlock}, on the same thread. */
  public void endBlock() {
    slot().blocks--;
  }

  /** Whether the calling thread runs such a block. */
  public boolean isInBlock() {
    return slot().blocks > 0;
  }

  /** Whether it is neither barred nor closed. */
  public boolean isOpen() {
    return (int) STATE.getVolatile(this) == OPEN;
  }

  /** Whether {@link #close} or {@link #shut} was called. */
  public boolean isClosed() {
    return (int) STATE.getVolatile(this) == CLOSED;
  }

  /** Lets nobody in from now on, but does not count as closed. Waits for nobody. */
  public void bar() {
    STATE.compareAndSet(this, OPEN, BARRED);
  }

  /**
   * Closes the gate for good, without waiting for those inside.
   *
   * @return false if it was closed already
   */
  public boolean shut() {
    return (int) STATE.getAndSet(this, CLOSED) != CLOSED;
  }

  /**
   * Closes the gate for good and waits until nobody is inside.
   *
   * @return false if it was closed already
   * @throws IllegalStateException if the calling thread is inside, where it would wait for itself
   */
  public boolean close() {
    refuseInside();
    boolean first = shut();
    awaitEmpty();
    return first;
  }

  /**
   * Waits until everybody who is inside now has left. Others may enter and leave meanwhile: they
   * see what the caller did before.
   *
   * @throws IllegalStateException if the calling thread is inside, where it would wait for itself
   */
  public void awaitVisitors() {
    refuseInside();
    handshake();
    for (Pass slot : all) {
      long seen = (long) COUNT.getAcquire(slot);
      if ((int) seen > 0) {
        await(() -> {
          long now = (long) COUNT.getAcquire(slot);
          return (int) now == 0 || now / VISIT != seen / VISIT || slot.isGone();
        });
      }
    }
  }

  private void awaitEmpty() {
    handshake();
    for (Pass slot : all) {
      await(() -> (int) (long) COUNT.getAcquire(slot) == 0 || slot.isGone());
    }
  }

  /** See the class comment. */
  private static void handshake() {
    Arena.ofShared().close();
  }

  /** Waits until this is so; an interrupt shows at the end. */
  static void await(BooleanSupplier condition) {
    boolean interrupted = false; // or it would not pause any more
    for (int spins = 0; !condition.getAsBoolean(); spins++) {
      if (spins < 100) {
        Thread.onSpinWait();
      } else {
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(50_000);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuseInside() {
    if (isInside()) {
      throw new IllegalStateException(
          "called from inside the gate, where it would wait for itself");
    }
  }

  private Pass slot() {
    long thread = Thread.currentThread().threadId();
    Pass found = recent[(int) thread & (RECENT - 1)];
    return found != null && found.thread == thread ? found : slots.get();
  }

  private Pass register() {
    Pass slot = new Pass();
    all.add(slot);
    recent[(int) slot.thread & (RECENT - 1)] = slot;
    if (untilSweep.decrementAndGet() == 0) {
      all.removeIf(Pass::isGone);
      untilSweep.set(Math.max(MIN_SWEEP, all.size()));
    }
    return slot;
  }
}
