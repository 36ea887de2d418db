package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The entries of the default table that only one thread writes, as they must be. */
final class OwnEntries {
  static final int COUNT = 6;

  private final String prefix;
  private Map<Integer, byte[]> values = new HashMap<>();

  OwnEntries(int thread) {
    this.prefix = "p" + thread + "-";
  }

  byte[] prefix() {
    return bytes(prefix);
  }

  byte[] key(int entry) {
    return bytes(prefix + entry);
  }

  /** A copy to change; see {@link #become}. */
  Map<Integer, byte[]> copy() {
    return new HashMap<>(values);
  }

  /** That the store acknowledged a change to these. */
  void become(Map<Integer, byte[]> acknowledged) {
    values = acknowledged;
  }

  /** The store does not keep them over a close. */
  void forget() {
    values = new HashMap<>();
  }

  void entries(IntConsumer action) {
    for (int i = 0; i < COUNT; i++) {
      action.accept(i);
    }
  }

  void check(String how, int entry, byte @Nullable [] seen) {
    demand(how + ", " + prefix + entry, values.get(entry), seen);
  }

  static void demand(String what, byte @Nullable [] expected, byte @Nullable [] seen) {
    if (!Arrays.equals(expected, seen)) {
      throw new WrongAnswer(
          "%s: expected %s, but there is %s".formatted(what, text(expected), text(seen)));
    }
  }

  private static String text(byte @Nullable [] value) {
    return value == null ? Bytes.ABSENT : "the value of moment " + Proof.stamp(value);
  }
}
