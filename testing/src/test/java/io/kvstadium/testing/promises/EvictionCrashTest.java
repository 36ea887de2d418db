package io.kvstadium.testing.promises;

import io.kvstadium.server.ServerOptions;
import io.kvstadium.testing.Acknowledged;
import io.kvstadium.testing.CrashTest;
import io.kvstadium.torture.fault.Fault;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** A bounded server holds the latest keys, whole, in its bound, and counts them right. */
@Tag("full")
@CrashTest(
    faults = {Fault.KILL, Fault.SECTOR},
    rounds = 12)
class EvictionCrashTest {
  private static final int KEYS = 20_000;
  private static final int VALUE_BYTES = 1000;
  private static final ServerOptions.Bound BOUND =
      new ServerOptions.Bound(50L * VALUE_BYTES, "allkeys-lru");

  /** Fewer than fit, so that what was there may have given way to a write that was not replied. */
  private static final int MIN_KEYS = 40;

  private static String value(long number) {
    return Long.toString(number).concat(".".repeat(VALUE_BYTES));
  }

  void work(Path directory, Acknowledged acknowledged) {
    try (Served served = new Served(directory, BOUND)) {
      long first = served.number("GET", "number") + 1;
      for (long number = first; number < first + KEYS; number++) {
        served.ask("MSET", "number", number, "key" + number, value(number));
        acknowledged.add("set " + number);
      }
    }
  }

  void check(Path directory, List<String> acknowledged) {
    try (Served served = new Served(directory, BOUND)) {
      long set = Numbers.last(acknowledged, "set");
      long last = served.number("GET", "number");
      List<?> keys = served.list("KEYS", "key*");
      long size = served.number("DBSIZE");
      String figures =
          "set %d, number %d, %d keys, DBSIZE %d".formatted(set, last, keys.size(), size);
      if (last < set
          || size != keys.size() + Math.min(1, last)
          || keys.size() < Math.min(set, MIN_KEYS)) {
        throw new AssertionError(figures);
      }
      if (set > 0 && served.ask("GET", "key" + last) == null) {
        throw new AssertionError("key" + last + " is missing: " + figures);
      }
      for (Object key : keys) {
        long number = Long.parseLong(key.toString().substring("key".length()));
        if (!value(number).equals(served.ask("GET", key))) {
          throw new AssertionError(key + " has another value: " + figures);
        }
      }
      long used =
          served
              .text("INFO", "memory")
              .lines()
              .filter(line -> line.startsWith("used_memory:"))
              .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
              .findFirst()
              .orElseThrow();
      if (used > BOUND.bytes()) {
        throw new AssertionError("used " + used + " of " + BOUND.bytes() + ": " + figures);
      }
    }
  }
}
