package io.kvstadium.server.redis;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each command was executed, and how long that took. Safe for all threads. */
final class CommandCounts {
  private record Count(LongAdder calls, LongAdder nanos, LongAdder rejected, LongAdder failed) {
    Count() {
      this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  /** Complete from the beginning, and not changed any more. */
  private final IdentityHashMap<Command, Count> counts = new IdentityHashMap<>();

  CommandCounts(Collection<Command> commands) {
    commands.forEach(each -> counts.put(each, new Count()));
  }

  private Count of(Command command) {
    return Objects.requireNonNull(counts.get(command));
  }

  /** A command was executed in so many nanoseconds. */
  void executed(Command command, long nanos) {
    Count count = of(command);
    count.calls.increment();
    count.nanos.add(nanos);
  }

  /** It was executed, which ended in an error. */
  void failed(Command command) {
    of(command).failed.increment();
  }

  /** It was not begun. */
  void rejected(Command command) {
    of(command).rejected.increment();
  }

  /** By names as INFO has them, in its words, those that were sent. */
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
