package io.kvstadium.transfer.redis;

import java.nio.ByteBuffer;

/**
 * The ID of an entry of a stream: two unsigned numbers, of which the first is usually the Unix time
 * in milliseconds.
 */
public record StreamId(long ms, long seq) implements Comparable<StreamId> {
  public static final StreamId MIN = new StreamId(0, 0);
  public static final StreamId MAX = new StreamId(-1, -1);
  public static final int BYTES = 16;

  /** How many entries were added before, if that is not known. */
  public static final long UNKNOWN_POSITION = -1;

  @Override
  public int compareTo(StreamId other) {
    int order = Long.compareUnsigned(ms, other.ms);
    return order != 0 ? order : Long.compareUnsigned(seq, other.seq);
  }

  public boolean isAfter(StreamId other) {
    return compareTo(other) > 0;
  }

  /** The later of two. */
  public StreamId max(StreamId other) {
    return isAfter(other) ? this : other;
  }

  /** The one right after; after the last one comes the first. */
  public StreamId next() {
    return seq != -1 ? new StreamId(ms, seq + 1) : new StreamId(ms + 1, 0);
  }

  /** The one right before; before the first one comes the last. */
  public StreamId previous() {
    return seq != 0 ? new StreamId(ms, seq - 1) : new StreamId(ms - 1, -1);
  }

  /** As it is stored: in the order of its bytes. */
  public byte[] bytes() {
    return put(ByteBuffer.allocate(BYTES)).array();
  }

  public ByteBuffer put(ByteBuffer to) {
    return to.putLong(ms).putLong(seq);
  }

  public static StreamId read(ByteBuffer from) {
    return new StreamId(from.getLong(), from.getLong());
  }

  /** The ID at the end of a stored key. */
  public static StreamId ending(byte[] key) {
    return read(ByteBuffer.wrap(key, key.length - BYTES, BYTES));
  }

  public String text() {
    return Long.toUnsignedString(ms) + '-' + Long.toUnsignedString(seq);
  }

  /**
   * How many entries of a stream with these numbers were added up to this ID, or {@link
   * #UNKNOWN_POSITION}: known at both ends only.
   */
  public long position(long count, long added, StreamId first, StreamId last, StreamId maxDeleted) {
    int order = compareTo(last);
    if (added == 0 || order == 0 || (count == 0 && order < 0)) {
      return added;
    }
    boolean whole = maxDeleted.equals(MIN) || first.isAfter(maxDeleted);
    if (order > 0 || !whole || isAfter(first)) {
      return UNKNOWN_POSITION;
    }
    return added - count + (equals(first) ? 1 : 0);
  }
}
