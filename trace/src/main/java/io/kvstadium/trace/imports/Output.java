package io.kvstadium.trace.imports;

import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the readers of other formats write to, with the thread and the time of each operation. */
final class Output {
  /** How many clients get a number of their own. */
  private static final int MAX_CLIENTS = 1 << 14;

  /** How many names of what is left out are counted apart. */
  private static final int MAX_NAMES = 1000;

  private final TraceWriter writer;
  private final Map<String, Integer> threads = new HashMap<>();
  private final Map<String, Long> unsupported = new HashMap<>();
  private int thread;
  private long first = Long.MIN_VALUE;
  private long time;
  private long setBack;
  private long taken;

  Output(TraceWriter writer) {
    this.writer = writer;
  }

  /** The client and the time, on any clock in nanoseconds, of the operations that follow. */
  void at(String client, long nanoseconds) {
    Integer number = threads.get(client);
    if (number == null) {
      number =
          threads.size() < MAX_CLIENTS
              ? threads.size()
              : Math.floorMod(client.hashCode(), MAX_CLIENTS);
      if (threads.size() < MAX_CLIENTS) {
        threads.put(client, number);
      }
    }
    thread = number;
    first = first == Long.MIN_VALUE ? nanoseconds : first;
    if (nanoseconds - first < time) {
      setBack += time - (nanoseconds - first) > 1_000_000_000 ? 1 : 0;
    } else {
      time = nanoseconds - first;
    }
  }

  void add(Kind kind, Outcome outcome, String table, byte[] key, long length) throws IOException {
    taken++;
    writer.append(Operation.of(kind, outcome, thread, table, key, time, 0, length));
  }

  void add(Kind kind, String table, byte[] key, long length) throws IOException {
    add(kind, Outcome.UNKNOWN, table, key, length);
  }

  /** A put or a change of the expiry. */
  void expiring(Kind kind, String table, byte[] key, long length, long ttl) throws IOException {
    taken++;
    writer.append(
        Operation.of(kind, Outcome.OK, thread, table, key, time, 0, length).expiring(ttl));
  }

  /** A range that a scan or a removal covers; how much it found is not known. */
  void range(
      Kind kind, String table, byte @Nullable [] from, byte @Nullable [] to, long limit, int flags)
      throws IOException {
    taken++;
    writer.append(
        Operation.of(kind, Outcome.UNKNOWN, thread, table, from, time, 0, -1)
            .upTo(to, limit, flags));
  }

  /** The bound of a batch or a transaction, or the removal of all entries. */
  void bound(Kind kind, String table) throws IOException {
    taken += kind == Kind.CLEAR ? 1 : 0;
    writer.append(Operation.of(kind, Outcome.OK, thread, table, null, time, 0, -1));
  }

  /** Something without a counterpart. */
  void unsupported(String name) {
    boolean counted = unsupported.size() < MAX_NAMES || unsupported.containsKey(name);
    unsupported.merge(counted ? name : "others", 1L, Long::sum);
  }

  /** What has no counterpart, and how often it occurs. */
  Map<String, Long> unsupported() {
    return unsupported;
  }

  /** How many operations there are, without the bounds of batches and transactions. */
  long taken() {
    return taken;
  }

  /** Milliseconds on the clock of the source. */
  long milliseconds() {
    return (first + time) / 1_000_000;
  }

  /** How often the clock was set back by more than a second. */
  long setBack() {
    return setBack;
  }
}
