package io.kvstadium.trace.record;

import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Outcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Operations on their way from the threads that called to the one that writes. A thread that finds
 * the ring in use by another one takes another ring: nobody waits.
 */
final class Ring {
  /** What an operation takes without its keys: with one of 16 bytes, a line of the cache. */
  static final int FIXED = 48;

  /** What it takes more if it has a count, a limit or an expiry. */
  private static final int MORE = 24;

  /** Above the size, kind, outcome and flags of an operation that has more. */
  private static final long HAS_MORE = 1L << 56;

  private static final long LOW = 0xffff_ffffL;

  /** Where the flags are: a byte of the first number. */
  private static final int FLAGS = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? 1 : 6;

  /** Room is given back in portions: each time takes a line of the cache from those that add. */
  private static final int PORTION = 1 << 16;

  private static final VarHandle BUSY;
  private static final VarHandle TAIL;
  private static final VarHandle HEAD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      BUSY = lookup.findVarHandle(Ring.class, "busy", boolean.class);
      TAIL = lookup.findVarHandle(Ring.class, "tail", long.class);
      HEAD = lookup.findVarHandle(Ring.class, "head", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final byte[] bytes;
  private final ByteBuffer buffer;
  private final int mask;

  @SuppressWarnings("unused") // by BUSY
  private boolean busy;

  private long tail;
  private long head;

  /** Where the thread that claimed it writes next. */
  private long next;

  /** Until where there is room. */
  private long room;

  /** Where the operation is that was added last. */
  private int at;

  Ring(int capacity) {
    bytes = new byte[capacity];
    buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    mask = capacity - 1;
  }

  /**
   * The size of an operation.
   *
   * @param more whether it has a count, a limit or an expiry
   */
  static int size(boolean more, byte @Nullable [] key, byte @Nullable [] to) {
    int keys = (key == null ? 0 : key.length) + (to == null ? 0 : to.length);
    return FIXED + (more ? MORE : 0) + keys + 7 & -8;
  }

  /** Makes this thread the only one that adds; false if another one does. */
  boolean claim() {
    if (!BUSY.compareAndSet(this, false, true)) {
      return false;
    }
    next = tail;
    room = (long) HEAD.getAcquire(this) + bytes.length;
    return true;
  }

  /** Lets others see what was added, and add. */
  void release() {
    TAIL.setRelease(this, next);
    BUSY.setRelease(this, false);
  }

  /**
   * Whether there is room for operations of this size in all.
   *
   * @param largest of one of them, which may have to begin anew at the start
   */
  boolean hasRoom(long size, int largest) {
    return next + size + largest <= room;
  }

  /**
   * Adds an operation, for which there must be room; it has no more than keys until the methods
   * that follow have said so.
   *
   * @param more whether {@link #more} follows
   */
  Ring add(Kind kind, Outcome outcome, boolean more, byte @Nullable [] key, byte @Nullable [] to) {
    int size = size(more, key, to);
    at = (int) next & mask;
    if (bytes.length - at < size) {
      buffer.putLong(at, at - bytes.length); // the rest is unused
      next += bytes.length - at;
      at = 0;
    }
    long begin = size | (long) kind.code() << 32 | (long) outcome.code() << 40;
    buffer.putLong(at, more ? begin | HAS_MORE : begin);
    buffer.putLong(at + 32, -1);
    long lengths = key == null ? -1 : key.length;
    buffer.putLong(at + 40, (lengths & LOW) | ((to == null ? -1L : to.length) << 32));
    int keys = at + (more ? FIXED + MORE : FIXED);
    if (key != null) {
      System.arraycopy(key, 0, bytes, keys, key.length);
      keys += key.length;
    }
    if (to != null) {
      System.arraycopy(to, 0, bytes, keys, to.length);
    }
    next += size;
    return this;
  }

  /** Who called, on which table, and when; 0 for no table. */
  Ring call(int thread, int table, long begun, long end) {
    buffer.putLong(at + 8, table | (long) thread << 32);
    buffer.putLong(at + 16, end).putLong(at + 24, end - begun);
    return this;
  }

  /** The length of what was read or written. */
  Ring length(long length) {
    buffer.putLong(at + 32, length);
    return this;
  }

  /** The flags of a range. */
  Ring flags(int flags) {
    buffer.put(at + FLAGS, (byte) flags);
    return this;
  }

  /** What few operations have; -1 for what this one does not have. */
  Ring more(long count, long limit, long ttl) {
    buffer.putLong(at + FIXED, count).putLong(at + FIXED + 8, limit);
    buffer.putLong(at + FIXED + 16, ttl);
    return this;
  }

  /** An operation as the writer sees it: valid until {@link #remove}. */
  final class View {
    private int at;
    private long first;
    private long position;
    private long until;

    /** Takes what was added up to now; what was removed is room again. */
    void refresh() {
      giveBack();
      until = (long) TAIL.getAcquire(Ring.this);
    }

    /** Whether there is an operation. */
    boolean isPresent() {
      while (position < until) {
        at = (int) position & mask;
        first = buffer.getLong(at);
        if ((int) first > 0) {
          return true;
        }
        position -= (int) first;
      }
      return false;
    }

    Kind kind() {
      return Kind.of((int) (first >> 32) & 0xff);
    }

    Outcome outcome() {
      return Outcome.of((int) (first >> 40) & 0xff);
    }

    int flags() {
      return (int) (first >> 48) & 0xff;
    }

    int table() {
      return (int) buffer.getLong(at + 8);
    }

    int thread() {
      return (int) (buffer.getLong(at + 8) >> 32);
    }

    long end() {
      return buffer.getLong(at + 16);
    }

    long duration() {
      return buffer.getLong(at + 24);
    }

    long length() {
      return buffer.getLong(at + 32);
    }

    long count() {
      return more(0);
    }

    long limit() {
      return more(8);
    }

    long ttl() {
      return more(16);
    }

    private long more(int offset) {
      return (first & HAS_MORE) == 0 ? -1 : buffer.getLong(at + FIXED + offset);
    }

    byte @Nullable [] key() {
      return bytes(keys(), (int) buffer.getLong(at + 40));
    }

    byte @Nullable [] to() {
      long lengths = buffer.getLong(at + 40);
      return bytes(keys() + Math.max(0, (int) lengths), (int) (lengths >> 32));
    }

    private int keys() {
      return at + FIXED + ((first & HAS_MORE) == 0 ? 0 : MORE);
    }

    private byte @Nullable [] bytes(int from, int length) {
      if (length < 0) {
        return null;
      }
      byte[] copy = new byte[length];
      System.arraycopy(bytes, from, copy, 0, length);
      return copy;
    }

    void remove() {
      position += (int) first;
      if (position - head >= PORTION) {
        giveBack();
      }
    }

    private void giveBack() {
      HEAD.setRelease(Ring.this, position);
    }
  }
}
