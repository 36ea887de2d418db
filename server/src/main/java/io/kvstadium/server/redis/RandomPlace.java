package io.kvstadium.server.redis;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** Where to look for an entry at random, so that not all have to be read. */
final class RandomPlace {
  private static final int RANDOM_BYTES = 8;

  private RandomPlace() {}

  /** A byte string between two others, or a little outside. */
  static byte[] between(byte[] first, byte[] last) {
    int shared = Math.max(0, Arrays.mismatch(first, last));
    byte[] random = new byte[RANDOM_BYTES];
    ThreadLocalRandom.current().nextBytes(random);
    byte[] place = Arrays.copyOf(first, shared + RANDOM_BYTES);
    System.arraycopy(random, 0, place, shared, RANDOM_BYTES);
    int low = shared < first.length ? first[shared] & 0xff : 0;
    int high = shared < last.length ? last[shared] & 0xff : 0;
    place[shared] = (byte) ThreadLocalRandom.current().nextInt(low, Math.max(low, high) + 1);
    return place;
  }
}
