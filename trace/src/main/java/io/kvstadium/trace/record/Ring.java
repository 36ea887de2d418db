package io.kvstadium.trace.record;

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
  /** What an operation takes without its keys. */
  static final int FIXED = 72;

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
  private long limit;

  Ring(int capacity) {
    bytes = new byte[capacity];
    buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    mask = capacity - 1;
  }

  static int size(byte @Nullable [] key, byte @Nullable [] to) {
    return FIXED + (key == null ? 0 : key.length) + (to == null ? 0 : to.length) + 7 & -8;
  }

  /** Makes this thread the only one that adds; false if another one does. */
  boolean claim() {
    if (!BUSY.compareAndSet(this, false, true)) {
      return false;
    }
    next = tail;
    limit = (long) HEAD.getAcquire(this) + bytes.length;
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
    return next + size + largest <= limit;
  }

  /** Adds an operation, for which there must be room. */
  void add(
      int kind,
      int outcome,
      int flags,
      int table,
      int thread,
      long end,
      long duration,
      long length,
      long count,
      long most,
      long ttl,
      byte @Nullable [] key,
      byte @Nullable [] to) {
    int size = size(key, to);
    int at = (int) next & mask;
    if (bytes.length - at < size) {
      buffer.putInt(at, at - bytes.length); // the rest is unused
      next += bytes.length - at;
      at = 0;
    }
    buffer.putInt(at, size);
    buffer.putInt(at + 4, kind | outcome << 8 | flags << 16);
    buffer.putInt(at + 8, table);
    buffer.putInt(at + 12, thread);
    buffer.putLong(at + 16, end);
    buffer.putLong(at + 24, duration);
    buffer.putLong(at + 32, length);
    buffer.putLong(at + 40, count);
    buffer.putLong(at + 48, most);
    buffer.putInt(at + 56, key == null ? -1 : key.length);
    buffer.putInt(at + 60, to == null ? -1 : to.length);
    buffer.putLong(at + 64, ttl);
    int keys = at + FIXED;
    if (key != null) {
      System.arraycopy(key, 0, bytes, keys, key.length);
      keys += key.length;
    }
    if (to != null) {
      System.arraycopy(to, 0, bytes, keys, to.length);
    }
    next += size;
  }

  /** An operation as the writer sees it: valid until {@link #remove}. */
  final class View {
    private int at;
    private long until;

    /** Takes what was added up to now. */
    void refresh() {
      until = (long) TAIL.getAcquire(Ring.this);
    }

    /** Whether there is an operation. */
    boolean isPresent() {
      while (head < until) {
        at = (int) head & mask;
        int size = buffer.getInt(at);
        if (size > 0) {
          return true;
        }
        HEAD.setRelease(Ring.this, head - size);
      }
      return false;
    }

    int kind() {
      return buffer.getInt(at + 4) & 0xff;
    }

    int outcome() {
      return buffer.getInt(at + 4) >> 8 & 0xff;
    }

    int flags() {
      return buffer.getInt(at + 4) >> 16;
    }

    int table() {
      return buffer.getInt(at + 8);
    }

    int thread() {
      return buffer.getInt(at + 12);
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
      return buffer.getLong(at + 40);
    }

    long most() {
      return buffer.getLong(at + 48);
    }

    long ttl() {
      return buffer.getLong(at + 64);
    }

    byte @Nullable [] key() {
      return bytes(at + FIXED, buffer.getInt(at + 56));
    }

    byte @Nullable [] to() {
      return bytes(at + FIXED + Math.max(0, buffer.getInt(at + 56)), buffer.getInt(at + 60));
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
      HEAD.setRelease(Ring.this, head + buffer.getInt(at));
    }
  }
}
