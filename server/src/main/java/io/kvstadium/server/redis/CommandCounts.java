package io.kvstadium.server.redis;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts how often each command was executed, and how long it took. Safe for all threads. */
final class CommandCounts {
  private record Count(LongAdder calls, LongAdder nanos, LongAdder rejected, LongAdder failed) {
    Count() {
      this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  /** Complete from the beginning, and never changed. */
  private final IdentityHashMap<Command, Count> counts = new IdentityHashMap<>();

  CommandCounts(Collection<Command> commands) {
    commands.forEach(each -> counts.put(each, new Count()));
  }

  private Count of(Command command) {
    return Objects.requireNonNull(counts.get(command));
  }

  /** A command was executed in the given number of nanoseconds. */
  void executed(Command command, long nanos) {
    Count count = of(command);
    count.calls.increment();
    count.nanos.add(nanos);
  }

  /** A command was executed and ended in an error. */
  void failed(Command command) {
    of(command).failed.increment();
  }

  /** A command was not started. */
  void rejected(Command command) {
    of(command).rejected.increment();
  }

  /** The commands that were sent, with names and values as in INFO. */
  Map<String, Object> lines() {
    Map<String, Object> lines = new TreeMap<>();
    counts.forEach((command, count) -> {
      long calls = count.calls.sum();
      long micros = count.nanos.sum() / 1_000;
      if (calls + count.rejected.sum() > 0) {
        lines.put(
            "cmdstat_" + command.name(),
            "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d"
                .formatted(
                    calls,
                    micros,
                    calls == 0 ? 0 : (double) micros / calls,
                    count.rejected.sum(),
                    count.failed.sum()));
      }
    });
    return lines;
  }

  void reset() {
    counts
        .values()
        .forEach(each -> {
          each.calls.reset();
          each.nanos.reset();
          each.rejected.reset();
          each.failed.reset();
        });
  }
}
