package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import io.kvstadium.store.Table;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The entries of the default table that only one thread writes, as they must be. */
final class OwnEntries {
  /** Those whose values are proofs. */
  static final int COUNT = 6;

  /** The one that is a number, in the form of {@code Codec.LONG}; its key is the greatest. */
  static final int NUMBER = COUNT;

  private final String prefix;
  private Map<Integer, byte[]> values = new HashMap<>();

  /** What may have been removed by a call that failed halfway. */
  private final Set<Integer> doubtful = new TreeSet<>();

  OwnEntries(int thread) {
    this.prefix = "p" + thread + "-";
  }

  byte[] prefix() {
    return bytes(prefix);
  }

  byte[] key(int entry) {
    return bytes(prefix + (entry == NUMBER ? Proof.NUMBER : entry));
  }

  /** A copy to change; see {@link #become}. */
  Map<Integer, byte[]> copy() {
    return new HashMap<>(values);
  }

  /** Notes that the store acknowledged a change to these. */
  void become(Map<Integer, byte[]> acknowledged) {
    values = acknowledged;
  }

  /** The store does not keep them over a close. */
  void forget() {
    values = new HashMap<>();
    doubtful.clear();
  }

  /** Notes that some of these may be gone. */
  void doubt(Set<Integer> entries) {
    doubtful.addAll(entries);
  }

  /** Looks which of them are there, before anything else is checked. */
  void settle(Table table) {
    while (!doubtful.isEmpty()) {
      int entry = doubtful.iterator().next();
      byte[] seen = table.get(key(entry));
      if (seen != null) {
        check("after a call that failed", entry, seen);
      } else {
        values.remove(entry);
      }
      doubtful.remove(entry);
    }
  }

  void entries(IntConsumer action) {
    for (int i = 0; i <= NUMBER; i++) {
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

  static void demandKey(String what, byte[] expected, byte[] seen) {
    if (!Arrays.equals(expected, seen)) {
      throw new WrongAnswer(
          "%s: expected %s, but it is %s".formatted(what, Bytes.text(expected), Bytes.text(seen)));
    }
  }

  private static String text(byte @Nullable [] value) {
    return value == null ? Bytes.ABSENT : "the value of moment " + Proof.stamp(value);
  }
}
