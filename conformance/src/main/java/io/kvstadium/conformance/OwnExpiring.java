package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries that expire and that only one thread writes. The clock may move on during each call,
 * so only bounds are known for when one is due.
 */
final class OwnExpiring {
  static final int COUNT = 4;

  /**
   * @param from when it is due at the earliest, in milliseconds
   * @param to when it is due at the latest
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Due(byte[] value, long from, long to) {}

  private final String prefix;
  private final Map<Integer, Due> entries = new HashMap<>();

  OwnExpiring(int thread) {
    this.prefix = Proof.EXPIRING + thread + "-";
  }

  byte[] prefix() {
    return bytes(prefix);
  }

  byte[] key(int entry) {
    return bytes(prefix + entry);
  }

  @Nullable Due get(int entry) {
    return entries.get(entry);
  }

  /** Notes that the store acknowledged it. */
  void set(int entry, @Nullable Due due) {
    if (due == null) {
      entries.remove(entry);
    } else {
      entries.put(entry, due);
    }
  }

  /** The store does not keep them over a close. */
  void forget() {
    entries.clear();
  }

  /** Whether it may have been gone at some moment of a call that ended then. */
  boolean mayBeGone(int entry, long end) {
    Due due = entries.get(entry);
    return due == null || end >= due.from();
  }

  /** Whether it may have been there at some moment of a call that began then. */
  boolean mayBeThere(int entry, long begin) {
    Due due = entries.get(entry);
    return due != null && begin < due.to();
  }

  /** Demands that what a call found is right, by its value, and by the time of the call. */
  void check(String how, int entry, byte @Nullable [] seen, long begin, long end) {
    Due due = entries.get(entry);
    boolean right =
        seen == null
            ? mayBeGone(entry, end)
            : mayBeThere(entry, begin) && due != null && Arrays.equals(due.value(), seen);
    if (!right) {
      throw new WrongAnswer(
          "%s, %s%d from %d to %d: found %s, but known is %s"
              .formatted(
                  how,
                  prefix,
                  entry,
                  begin,
                  end,
                  seen == null ? Bytes.ABSENT : "moment " + Proof.stamp(seen),
                  due == null
                      ? Bytes.ABSENT
                      : "moment %d, due from %d to %d"
                          .formatted(Proof.stamp(due.value()), due.from(), due.to())));
    }
  }
}
