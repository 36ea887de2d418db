package io.kvstadium.bench.player;

import io.kvstadium.bench.trial.Message;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A player whose store is a map; docs/players.md, word for word. */
final class MapPlayer implements Player {
  final NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
  final List<String> tasks = new ArrayList<>();

  /** In traces of phases that have a time, which is then over. */
  long mostOperations = Long.MAX_VALUE;

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
    return switch (name) {
      case "open", "close" -> played(7, List.of());
      case "background" -> played(0, List.of());
      default -> {
        try {
          yield play(task);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private Message.Played played(long nanos, List<List<Long>> latencies) {
    return new Message.Played(
        nanos, operations, counted, read, written, misses, wrong, 0, latencies, List.of(), 0, 0);
  }

  private Message.Played play(Map<String, ?> task) throws IOException {
    double seconds = ((Number) task.get("seconds")).doubleValue();
    byte[] values = Files.readAllBytes(Path.of((String) task.get("values")));
    operations = counted = read = written = misses = 0;
    wrong = null;
    long calls = 0;
    boolean over = false;
    try (TraceReader reader =
        new TraceReader(Files.newInputStream(Path.of((String) task.get("trace"))))) {
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
              over = seconds > 0 && operations >= mostOperations;
            }
          }
        }
      }
    }
    return played(over ? (long) (seconds * 1e9) : 1_000 * calls, List.of(List.of(1_000L, calls)));
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
    } else if (!Arrays.equals(hit ? value : null, found)) {
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
