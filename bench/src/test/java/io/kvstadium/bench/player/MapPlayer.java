package io.kvstadium.bench.player;

import io.kvstadium.bench.trial.Message;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A player whose store is a map; docs/internals/player-protocol.md, word for word. */
final class MapPlayer implements Player {
  final NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
  final List<String> tasks = new ArrayList<>();

  /** In traces of phases that have a time, which is then over. */
  long maxOperations = Long.MAX_VALUE;

  /** Whether a bulk load says that it did all, and did the half. */
  boolean forgetful;

  private long operations;
  private long counted;
  private long read;
  private long written;
  private long misses;
  private @Nullable String wrong;

  @Override
  public Message.Played does(Map<String, ?> task) {
    String name = String.valueOf(task.get("task"));
    tasks.add(name + (task.containsKey("durability") ? " " + task.get("durability") : ""));
    try {
      return switch (name) {
        case "open", "close" -> played(List.of());
        case "background" -> played(List.of());
        case "load" -> played(List.of(load(Path.of((String) task.get("entries")))));
        default -> played(play(task));
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Message.Played played(List<Message.PlayedThread> threads) {
    long nanos = threads.stream().mapToLong(Message.PlayedThread::nanos).sum();
    return new Message.Played(Math.max(7, nanos), threads, 0L, 0L, 0L, 0, 0);
  }

  private Message.PlayedThread thread(long nanos, long calls, boolean atRate) {
    List<List<Long>> latencies = List.of(List.of(1_000L, calls));
    return new Message.PlayedThread(
        nanos,
        operations,
        counted,
        read,
        written,
        misses,
        wrong,
        latencies,
        List.of(),
        atRate ? latencies : List.of(),
        List.of(),
        0);
  }

  private Message.PlayedThread load(Path file) throws IOException {
    entries.clear();
    operations = counted = read = written = misses = 0;
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
    while (in.hasRemaining()) {
      byte[] key = new byte[in.getInt()];
      byte[] value = new byte[in.getInt()];
      in.get(key).get(value);
      if (!forgetful || counted % 2 == 0) {
        entries.put(key, value);
      }
      counted++;
      written += key.length + value.length;
    }
    return thread(1_000, 0, false);
  }

  private List<Message.PlayedThread> play(Map<String, ?> task) throws IOException {
    double seconds = ((Number) task.get("seconds")).doubleValue();
    byte[] values = Files.readAllBytes(Path.of((String) task.get("values")));
    List<Message.PlayedThread> played = new ArrayList<>();
    for (Object each : (List<?>) task.get("threads")) {
      played.add(play((Map<?, ?>) each, seconds, values));
    }
    return played;
  }

  private Message.PlayedThread play(Map<?, ?> thread, double seconds, byte[] values)
      throws IOException {
    operations = counted = read = written = misses = 0;
    wrong = null;
    long calls = 0;
    boolean over = false;
    try (TraceReader reader =
        new TraceReader(Files.newInputStream(Path.of((String) thread.get("trace"))))) {
      List<Operation> steps = new ArrayList<>();
      List<Integer> places = new ArrayList<>();
      boolean inside = false;
      int place = -1;
      for (Operation next = reader.next(); next != null && !over; next = reader.next()) {
        switch (next.kind()) {
          case VALUE -> place = (int) next.count();
          case BATCH -> inside = true;
          default -> {
            if (next.kind() != Kind.BATCH_END) {
              steps.add(next);
              places.add(place);
              place = -1;
            }
            inside &= next.kind() != Kind.BATCH_END;
            if (!inside) {
              call(steps, places, values);
              calls++;
              steps.clear();
              places.clear();
              over = seconds > 0 && operations >= maxOperations;
            }
          }
        }
      }
    }
    return thread(
        over ? (long) (seconds * 1e9) : 1_000 * calls, calls, thread.containsKey("period"));
  }

  private void call(List<Operation> steps, List<Integer> places, byte[] values) {
    boolean reads = steps.getFirst().kind() == Kind.GET;
    operations += reads ? 1 : steps.size();
    for (int k = 0; k < steps.size(); k++) {
      Operation step = steps.get(k);
      byte[] key = step.key();
      int at = places.get(k);
      byte[] value =
          at < 0 || step.length() < 0
              ? null
              : Arrays.copyOfRange(values, at, at + (int) step.length());
      switch (step.kind()) {
        case GET -> got(key, value, entries.get(key), step.outcome() == Outcome.OK);
        case SCAN -> scan(step, at, values);
        default -> {
          if (step.kind() == Kind.PUT) {
            entries.put(key, value);
          } else {
            entries.remove(key);
          }
          counted++;
          written += key.length + (value == null ? 0 : value.length);
        }
      }
    }
    if (reads && steps.getLast().kind() == Kind.PUT) {
      read -= steps.getFirst().key().length;
    }
  }

  private void got(byte[] key, byte @Nullable [] value, byte @Nullable [] found, boolean hit) {
    counted++;
    read += key.length + (found == null ? 0 : found.length);
    if (hit && found == null) {
      misses++;
    } else if (!(hit && value == null) && !Arrays.equals(value, found)) {
      wrong = "another value";
    }
  }

  private void scan(Operation scan, int at, byte[] values) {
    long found = 0;
    byte[] from = scan.key() == null ? new byte[0] : scan.key();
    for (Map.Entry<byte[], byte[]> each : entries.tailMap(from).entrySet()) {
      if (found == scan.limit()) {
        break;
      }
      if (found++ == 0 && at >= 0) {
        byte[] first = each.getValue();
        wrong =
            Arrays.equals(first, 0, first.length, values, at, at + first.length) ? wrong : "scan";
      }
      read += each.getKey().length + each.getValue().length;
    }
    counted += found;
    wrong = scan.count() >= 0 && scan.count() != found ? found + " of " + scan.count() : wrong;
  }

  @Override
  public long pid() {
    return ProcessHandle.current().pid();
  }
}
