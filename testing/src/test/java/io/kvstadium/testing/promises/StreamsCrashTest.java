package io.kvstadium.testing.promises;

import io.kvstadium.testing.Acknowledged;
import io.kvstadium.testing.CrashTest;
import io.kvstadium.torture.fault.Fault;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * What a served stream has replied holds: entries, what a group has read, what it has confirmed.
 */
@Tag("full")
@CrashTest(
    faults = {Fault.KILL, Fault.SECTOR},
    rounds = 12)
class StreamsCrashTest {
  private static final int ENTRIES = 10_000;

  void work(Path directory, Acknowledged acknowledged) {
    try (Served served = new Served(directory)) {
      if (served.number("EXISTS", "stream") == 0) {
        served.ask("XGROUP", "CREATE", "stream", "group", "0", "MKSTREAM");
      }
      long first = served.number("XLEN", "stream") + 1;
      for (long number = first; number < first + ENTRIES; number++) {
        served.ask("XADD", "stream", number + "-1", "number", number);
        acknowledged.add("added " + number);
        if (number % 2 == 0) {
          served.ask(
              "XREADGROUP", "GROUP", "group", "reader", "COUNT", 1, "STREAMS", "stream", ">");
          acknowledged.add("read " + delivered(served));
        }
        if (number % 4 == 0) {
          long oldest = oldest(served);
          served.ask("XACK", "stream", "group", oldest + "-1");
          acknowledged.add("confirmed " + oldest);
        }
      }
    }
  }

  /** The number of the last entry that the group was given. */
  private static long delivered(Served served) {
    List<?> group = (List<?>) served.list("XINFO", "GROUPS", "stream").getFirst();
    return number(String.valueOf(group.get(group.indexOf("last-delivered-id") + 1)));
  }

  /** The number of the first entry that is pending; more than all for none. */
  private static long oldest(Served served) {
    Object id = served.list("XPENDING", "stream", "group").get(1);
    return id == null ? Long.MAX_VALUE : number(id.toString());
  }

  private static long number(String id) {
    return Long.parseLong(id.split("-", 2)[0]);
  }

  void check(Path directory, List<String> acknowledged) {
    try (Served served = new Served(directory)) {
      long expected = 0;
      for (Object each : served.list("XRANGE", "stream", "-", "+")) {
        expected++;
        List<?> entry = (List<?>) each;
        if (!entry.equals(List.of(expected + "-1", List.of("number", Long.toString(expected))))) {
          throw new AssertionError(entry + " where " + expected + " was expected");
        }
      }
      long length = served.number("XLEN", "stream");
      require("XLEN " + length + ", entries " + expected, length == expected);
      long added = Numbers.last(acknowledged, "added");
      require("entries " + length + ", added " + added, length >= added);
      if (added > 0) {
        long read = Numbers.last(acknowledged, "read");
        long delivered = delivered(served);
        require("delivered " + delivered + ", read " + read, delivered >= read);
        long confirmed = Numbers.last(acknowledged, "confirmed");
        long oldest = oldest(served);
        require("pending " + oldest + ", confirmed " + confirmed, oldest > confirmed);
      }
    }
  }

  private static void require(String message, boolean holds) {
    if (!holds) {
      throw new AssertionError(message);
    }
  }
}
