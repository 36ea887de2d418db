package io.kvstadium.testing.promises;

import io.kvstadium.testing.Acknowledged;
import io.kvstadium.testing.CrashTest;
import io.kvstadium.torture.fault.Fault;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** A script that has replied is done, and none is done by half; a library of functions stays. */
@Tag("full")
@CrashTest(
    faults = {Fault.KILL, Fault.SECTOR},
    rounds = 12)
class ScriptsCrashTest {
  private static final int CALLS = 10_000;

  private static final String BODY =
      """
      local n = redis.call('INCR', keys[1])
      redis.call('SET', keys[2], n)
      redis.call('RPUSH', keys[3], n)
      return n
      """;

  private static final String LIBRARY =
      "#!lua name=steps\nredis.register_function('step', function(keys, args)\n" + BODY + "end)";

  void work(Path directory, Acknowledged acknowledged) {
    try (Served served = new Served(directory)) {
      served.ask("FUNCTION", "LOAD", "REPLACE", LIBRARY);
      for (int i = 0; i < CALLS; i++) {
        acknowledged.add(
            "done "
                + (i % 2 == 0
                    ? served.number("FCALL", "step", 3, "count", "last", "all")
                    : served.number(
                        "EVAL", "local keys = KEYS\n" + BODY, 3, "count", "last", "all")));
      }
    }
  }

  void check(Path directory, List<String> acknowledged) {
    try (Served served = new Served(directory)) {
      long count = served.number("GET", "count");
      long last = served.number("GET", "last");
      long all = served.number("LLEN", "all");
      long done = Numbers.last(acknowledged, "done");
      if (count != last || count != all || count < done) {
        throw new AssertionError("done %d, there %d, %d and %d".formatted(done, count, last, all));
      }
      if (done > 0 && served.list("FUNCTION", "LIST").isEmpty()) {
        throw new AssertionError("the library of functions is gone");
      }
    }
  }
}
