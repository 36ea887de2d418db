package io.kvstadium.server.figures;

import io.kvstadium.server.protocol.Command;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts how often each command was executed, and how long it took. Safe for all threads. */
public final class CommandCounts {
  /**
   * Of one command.
   *
   * @param rejected how often it was not started
   * @param failed how often it ended in an error
   */
  public record Count(Latencies took, LongAdder rejected, LongAdder failed) {
    Count() {
      this(new Latencies(), new LongAdder(), new LongAdder());
    }

    private void reset() {
      took.reset();
      rejected.reset();
      failed.reset();
    }
  }

  /** By their numbers. */
  private final Command[] commands;

  private final Count[] counts;

  public CommandCounts(Collection<Command> commands) {
    this.commands = new Command[commands.size()];
    this.counts = new Count[commands.size()];
    for (Command each : commands) {
      this.commands[each.number()] = each;
      counts[each.number()] = new Count();
    }
  }

  private Count of(Command command) {
    return counts[command.number()];
  }

  /** A command was executed in the given number of nanoseconds. */
  public void executed(Command command, long nanos) {
    of(command).took.record(nanos);
  }

  /** A command was executed and ended in an error. */
  public void failed(Command command) {
    of(command).failed.increment();
  }

  /** A command was not started. */
  public void rejected(Command command) {
    of(command).rejected.increment();
  }

  /** The commands that were sent, by name. */
  public Map<String, Count> sent() {
    Map<String, Count> sent = new TreeMap<>();
    for (Command each : commands) {
      Count count = of(each);
      if (count.took.count() + count.rejected.sum() > 0) {
        sent.put(each.name(), count);
      }
    }
    return sent;
  }

  /** The commands that were executed, by name. */
  public Map<String, Latencies> executed() {
    Map<String, Latencies> executed = new TreeMap<>();
    sent()
        .forEach((name, count) -> {
          if (count.took.count() > 0) {
            executed.put(name, count.took);
          }
        });
    return executed;
  }

  /** The commands that were sent, with names and values as in INFO. */
  public Map<String, Object> lines() {
    Map<String, Object> lines = new TreeMap<>();
    sent()
        .forEach((name, count) -> {
          long calls = count.took.count();
          long micros = count.took.nanos() / 1_000;
          lines.put(
              "cmdstat_" + name,
              "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d"
                  .formatted(
                      calls,
                      micros,
                      calls == 0 ? 0 : (double) micros / calls,
                      count.rejected.sum(),
                      count.failed.sum()));
        });
    return lines;
  }

  /**
   * How long commands took, with names and values as in INFO.
   *
   * @param percentiles numbers between spaces
   */
  public Map<String, Object> percentiles(String percentiles) {
    Map<String, Object> lines = new TreeMap<>();
    executed()
        .forEach((name, took) ->
            lines.put(
                "latency_percentiles_usec_" + name,
                Pattern.compile(" ")
                    .splitAsStream(percentiles)
                    .filter(each -> !each.isEmpty())
                    .map(each ->
                        "p%s=%.3f"
                            .formatted(each, took.quantile(Double.parseDouble(each) / 100) / 1e3))
                    .collect(Collectors.joining(","))));
    return lines;
  }

  public void reset() {
    Stream.of(counts).forEach(Count::reset);
  }
}
