package io.kvstadium.torture.check;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The header of a value: which operation wrote it, and what that operation could know. The bytes
 * after the header follow from the plan.
 *
 * @param session of the worker that wrote it
 * @param number of the operation, among those of its writer
 * @param seen how many operations of each writer were acknowledged when this one began
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Content(int session, long number, long[] seen) {
  private static int header(Plan plan) {
    return Integer.BYTES + Long.BYTES + Long.BYTES * plan.writers();
  }

  /** The value that an operation puts. */
  public byte[] value(Plan plan, int writer, Operation.Change change) {
    ByteBuffer value = ByteBuffer.allocate(header(plan) + change.length());
    value.putInt(session).putLong(number);
    for (long count : seen) {
      value.putLong(count);
    }
    return value.put(plan.fill(writer, number, change)).array();
  }

  /**
   * Reads a value back.
   *
   * @return {@code null} if the plan has no such value for this place
   */
  static @Nullable Content of(byte[] value, Plan plan, int writer, int slot) {
    if (value.length < header(plan)) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(value);
    int session = bytes.getInt();
    long number = bytes.getLong();
    long[] seen = new long[plan.writers()];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = bytes.getLong();
    }
    if (number < 0) {
      return null;
    }
    for (Operation.Change change : plan.operation(writer, number).changes()) {
      if (change.slot() == slot && !change.deletes()) {
        byte[] rest = Arrays.copyOfRange(value, header(plan), value.length);
        return Arrays.equals(rest, plan.fill(writer, number, change))
            ? new Content(session, number, seen)
            : null;
      }
    }
    return null;
  }
}
