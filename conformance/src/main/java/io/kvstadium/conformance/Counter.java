package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A number in the default table that everybody adds to. What was acknowledged and what was started
 * are the bounds of its value at any time; an addition that failed has not happened.
 */
final class Counter {
  private final byte[] key;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();

  Counter(String name) {
    this.key = bytes(name + Proof.NUMBER);
  }

  /** Adds to it. */
  interface Addition {
    /** Returns the sum as this addition left it, or a negative number if it was not made. */
    long add(byte[] key, long delta);
  }

  void add(Misuser m, Addition addition) {
    long delta = 1L + m.random.nextInt(9);
    long least = acknowledged.get() + delta;
    begun.addAndGet(delta);
    long sum = -1;
    try {
      sum = addition.add(key, delta);
      if (sum >= 0) {
        demand(m.store(), least, sum);
      }
    } finally {
      (sum >= 0 ? acknowledged : begun).addAndGet(sum >= 0 ? delta : -delta);
    }
  }

  void check(Misuser m, Table table) {
    long least = acknowledged.get();
    byte[] seen = table.get(key);
    demand(m.store(), least, seen == null ? 0 : Codec.LONG.decode(seen));
  }

  /** A store that keeps nothing starts from zero each time that it is opened. */
  private void demand(Store store, long least, long seen) {
    long most = begun.get();
    if (store.capabilities().contains(Capability.PERSISTENT) && (seen < least || seen > most)) {
      throw new WrongAnswer(
          "a counter should be from %d to %d, but is %d".formatted(least, most, seen));
    }
  }

  /** Nobody is adding any more. */
  void checkAtTheEnd(Store store) {
    byte[] seen = store.table().get(key);
    demand(store, acknowledged.get(), seen == null ? 0 : Codec.LONG.decode(seen));
  }
}
