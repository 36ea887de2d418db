package io.kvstadium.store.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one thread at a time has, out of several alike: a reader, a pin. Extended by what is had,
 * which whoever took it may change. Each is on a cache line of its own, so if a thread looks first
 * where it is {@link #usual}, taking one costs one uncontended atomic operation.
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

  /** One that nobody has. */
  protected Slot() {}

  /** Takes it, unless somebody has it. */
  public final boolean tryTake() {
    return !(boolean) TAKEN.getOpaque(this) && TAKEN.compareAndSet(this, false, true);
  }

  /** Lets others take it; the caller has it. */
  public final void giveBack() {
    TAKEN.setRelease(this, false);
  }

  /** The index among so many slots at which the calling thread is likely to be alone. */
  public static int usual(int slots) {
    // Fibonacci hashing: the numbers of threads that work together often differ by a power of two
    long hash = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return (int) Math.unsignedMultiplyHigh(hash, slots);
  }
}
