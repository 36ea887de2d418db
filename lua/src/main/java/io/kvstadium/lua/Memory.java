package io.kvstadium.lua;

/**
 * Allocates for one state of Lua, up to a bound. Lua throws its own error where nothing more is to
 * be had; while Java works for a script the bound is not looked at, since that error cannot pass
 * through frames of Java.
 */
final class Memory {
  /** Arrays of at least this size may be stacks. */
  private static final long STACK = 720;

  /** The most parameters of a function that takes any number more. */
  static final int MAX_PARAMETERS = 32;

  /**
   * Lua 5.1 forgets to reserve room for the parameters of such a function on its stack
   * (CVE-2014-5461): so behind each there is room for them, twice, and a table.
   */
  private static final long SLACK = (2 * MAX_PARAMETERS + 1) * 16L;

  /** Collections are at least this part of the memory apart. */
  private static final int MIN_STEP = 32;

  private final long limit;
  private long collectAt;
  private long used;
  private boolean limited;
  private boolean exhausted;

  Memory(long limit) {
    this.limit = limit;
    collectAt = limit / 2;
  }

  /** Called from C: nothing may be thrown. */
  long allocate(long data, long block, long before, long size) {
    try {
      long old = block == 0 ? 0 : before;
      if (size == 0) {
        if (block != 0) {
          Natives.FREE.invokeExact(block);
        }
        used -= old;
        return 0;
      }
      if (limited && size > old && used + size - old > limit) {
        exhausted = true;
        return 0;
      }
      long found = (long) Natives.REALLOC.invokeExact(block, size >= STACK ? size + SLACK : size);
      if (found == 0) {
        exhausted = true;
        return 0;
      }
      used += size - old;
      return found;
    } catch (Throwable e) {
      exhausted = true;
      return 0;
    }
  }

  /** Whether the bound holds from now on. */
  void limited(boolean now) {
    limited = now;
  }

  long used() {
    return used;
  }

  /** Whether garbage should be collected at once, rather than bit by bit. */
  boolean isTight() {
    return used > collectAt;
  }

  /** Garbage was collected: what is left is used. */
  void collected() {
    collectAt = Math.max(limit / 2, used + Math.max((limit - used) / 2, limit / MIN_STEP));
  }

  /** Whether a further number of bytes is too many. */
  boolean lacks(long bytes) {
    return used + bytes > limit;
  }

  /** Whether an allocation failed. */
  boolean exhausted() {
    return exhausted;
  }

  long limit() {
    return limit;
  }
}
