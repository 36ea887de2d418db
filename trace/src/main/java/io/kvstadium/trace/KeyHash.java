package io.kvstadium.trace;

import java.nio.charset.StandardCharsets;

/** A hash of keys that decides on samples: whole keys are in or out. */
public final class KeyHash {
  private KeyHash() {}

  /** The hash of a key of the table with this {@link #seed}: 63 bits, all of them well mixed. */
  public static long of(long seed, byte[] key) {
    long hash = seed ^ key.length;
    for (byte each : key) {
      hash = (hash ^ each) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 29;
    }
    return mix(hash) >>> 1;
  }

  /** What distinguishes the keys of a table from equal ones of others. */
  public static long seed(String table) {
    return of(0, table.getBytes(StandardCharsets.UTF_8));
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
