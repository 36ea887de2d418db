package io.kvstadium.trace.record;

import io.kvstadium.trace.Kind;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the threads that call, from 0. There is no end of virtual threads, of which each call may
 * have its own: a new one takes the number of one whose last call had ended when its own began, so
 * that there are as many numbers as calls and transactions at once. Platform threads share numbers
 * in the same way where there are very many.
 */
final class ThreadNumbers {
  /** So many platform threads have numbers of their own. */
  static final int MAX_PLATFORM = 1 << 12;

  /** Those that are in no transaction, in the order in which their last calls ended. */
  private final Map<Integer, Caller> platform = new LinkedHashMap<>();

  private final Map<Integer, Caller> virtual = new LinkedHashMap<>();

  /** Those in a transaction, whose calls are told by their number. */
  private final Map<Integer, Caller> inTransaction = new HashMap<>();

  private int count;

  private static final class Caller {
    private final int number;
    private boolean inTransaction;
    private long end;

    private Caller(int number) {
      this.number = number;
    }
  }

  /** The calling thread, for {@link #number}: a virtual one has an odd value. */
  static int current() {
    Thread thread = Thread.currentThread();
    return (int) (thread.threadId() << 1) | (thread.isVirtual() ? 1 : 0);
  }

  /** The number of the thread of a call; calls come in the order of their ends. */
  int number(int thread, Kind kind, long begun, long end) {
    boolean isVirtual = (thread & 1) != 0;
    Map<Integer, Caller> others = isVirtual ? virtual : platform;
    Caller caller = inTransaction.remove(thread);
    caller = caller == null ? others.remove(thread) : caller;
    if (caller == null && (isVirtual || others.size() >= MAX_PLATFORM)) {
      caller = longestIdle(others, begun);
    }
    if (caller == null) {
      caller = new Caller(count++);
    }
    caller.inTransaction =
        kind == Kind.BEGIN
            || (caller.inTransaction && kind != Kind.COMMIT && kind != Kind.ROLLBACK);
    caller.end = end;
    (caller.inTransaction ? inTransaction : others).put(thread, caller);
    return caller.number;
  }

  /** Takes the number of the thread that has been idle longest, if it was before this time. */
  private static @Nullable Caller longestIdle(Map<Integer, Caller> callers, long begun) {
    Iterator<Caller> idle = callers.values().iterator();
    Caller caller = idle.hasNext() ? idle.next() : null;
    if (caller == null || caller.end - begun > 0) {
      return null;
    }
    idle.remove();
    return caller;
  }
}
