package io.kvstadium.store.engine.help;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One of several equal things that one thread at a time holds: a reader, a pin. Extended by the
 * thing itself, which its holder may change. Each is on its own cache line, so if a thread looks
 * first at its {@link #preferredIndex}, taking one costs one uncontended atomic operation.
 */
@SuppressWarnings("unused") // the padding
public abstract class Slot {
  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(Slot.class, "taken", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long p1, p2, p3, p4, p5, p6, p7, p8;

  @SuppressWarnings("FieldMayBeFinal") // written through TAKEN
  private boolean taken;

  private long q1, q2, q3, q4, q5, q6, q7, q8;

  /** A slot that nobody holds. */
  protected Slot() {}

  /** Takes it, unless somebody holds it. */
  public final boolean tryTake() {
    return !(boolean) TAKEN.getOpaque(this) && TAKEN.compareAndSet(this, false, true);
  }

  /** Lets others take it; the caller holds it. */
  public final void giveBack() {
    TAKEN.setRelease(this, false);
  }

  /**
   * The index, among the given number of slots, at which the calling thread is likely to be alone.
   */
  public static int preferredIndex(int slots) {
    // Fibonacci hashing: the numbers of threads that work together often differ by a power of two
    long hash = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return (int) Math.unsignedMultiplyHigh(hash, slots);
  }
}
