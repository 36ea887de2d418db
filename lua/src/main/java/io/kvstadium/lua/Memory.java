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

  /** What a state takes in any case, and is not counted. */
  private static final long BASE = 1 << 20;

  /** The pool is asked for so much at a time. */
  private static final long STEP = 1 << 20;

  /** More than this is given back. */
  private static final long SPARE = 4 * STEP;

  private final long limit;
  private final MemoryPool pool;
  private long reserved = BASE;
  private boolean poolLacks;
  private long collectAt;
  private long used;
  private boolean limited;
  private boolean exhausted;

  Memory(long limit, MemoryPool pool) {
    this.limit = limit;
    this.pool = pool;
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
        giveBack();
        return 0;
      }
      if (size > old && !makeRoom(used + size - old, limited)) {
        exhausted = true;
        poolLacks = used + size - old <= limit;
        return 0;
      }
      long found = (long) Natives.REALLOC.invokeExact(block, size >= STACK ? size + SLACK : size);
      if (found == 0) {
        exhausted = true;
        return 0;
      }
      used += size - old;
      giveBack();
      return found;
    } catch (Throwable e) {
      exhausted = true;
      return 0;
    }
  }

  /** Whether it may use so much; always where that is not bounded. */
  private boolean makeRoom(long bytes, boolean bounded) {
    if (bounded && bytes > limit) {
      return false;
    }
    if (bytes <= reserved) {
      return true;
    }
    long more = (bytes - reserved + STEP - 1) / STEP * STEP;
    if (!bounded) {
      pool.changed(more);
    } else if (!pool.reserve(more)) {
      return false;
    }
    reserved += more;
    return true;
  }

  private void giveBack() {
    if (reserved - used > SPARE && reserved - SPARE >= BASE) {
      long fewer = reserved - Math.max(BASE, used + STEP);
      pool.changed(-fewer);
      reserved -= fewer;
    }
  }

  /** All of it is free. */
  void close() {
    pool.changed(BASE - reserved);
    reserved = BASE;
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
    return !makeRoom(used + bytes, true);
  }

  /** Whether an allocation failed because of what all may use together. */
  boolean poolLacks() {
    return poolLacks;
  }

  /** Whether an allocation failed. */
  boolean exhausted() {
    return exhausted;
  }

  long limit() {
    return limit;
  }
}
