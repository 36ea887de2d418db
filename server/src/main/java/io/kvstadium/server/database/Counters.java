package io.kvstadium.server.database;

import java.nio.ByteBuffer;

/**
 * How many keys a database has, and what they take.
 *
 * @param keys including those that are due but not removed yet
 * @param expiring how many of them expire
 * @param seconds the {@link #seconds} of all that expire together
 * @param bytes of all entries but those that describe it; negative if nobody counts
 */
public record Counters(long keys, long expiring, long seconds, long bytes) {
  static final Counters NONE = new Counters(0, 0, 0, 0);

  /** The first second of 2020, so that the sum over many keys fits. */
  private static final long BEGIN = 1_577_836_800;

  /** An expiry, as it is added up. */
  static long seconds(long expiry) {
    return Math.clamp(expiry / 1_000 - BEGIN, 0, Integer.MAX_VALUE);
  }

  Counters plus(long moreKeys, long moreExpiring, long moreSeconds, long moreBytes) {
    return new Counters(
        keys + moreKeys,
        expiring + moreExpiring,
        seconds + moreSeconds,
        bytes < 0 ? bytes : bytes + moreBytes);
  }

  Counters bytes(long counted) {
    return new Counters(keys, expiring, seconds, counted);
  }

  /** In how many milliseconds they expire on average; 0 if none does. */
  public long averageLeft(long now) {
    return expiring == 0
        ? 0
        : Math.max(0, (long) ((double) seconds / expiring * 1_000) + BEGIN * 1_000 - now);
  }

  byte[] stored() {
    ByteBuffer stored = ByteBuffer.allocate(bytes < 0 ? 24 : 32);
    stored.putLong(keys).putLong(expiring).putLong(seconds);
    return (bytes < 0 ? stored : stored.putLong(bytes)).array();
  }
}
