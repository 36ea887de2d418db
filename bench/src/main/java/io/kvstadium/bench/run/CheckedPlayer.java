package io.kvstadium.bench.run;

import io.kvstadium.bench.player.GoldenTrace;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.Durability;
import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A player's process that is given tasks whose answers are known. */
final class CheckedPlayer implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  /** How far the sum of latencies may be from the time that calls took: they are rounded. */
  private static final double GAP = 0.01;

  private static final long GAP_NANOS = 20_000;

  private static final int HEAD = 2 * Integer.BYTES;

  private final TrialProcess process;
  private final Path directory;
  private final String engine;
  private int answers;
  private boolean alive = true;

  /** Something that is not as it must be. */
  static final class FaultException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    FaultException(String what) {
      super(what);
    }
  }

  /**
   * @param directory for its store, which may be there already, and for traces
   */
  CheckedPlayer(PlayerProgram program, String engine, Path directory) throws IOException {
    this.process =
        new TrialProcess(program.playing(), directory.resolve("stderr.txt"), PATIENCE_SECONDS);
    this.engine = engine;
    this.directory = directory;
  }

  /** A task with these fields, in pairs. */
  static Map<String, Object> task(String name, Object... fields) {
    Map<String, Object> task = new HashMap<>(Map.of("task", name));
    for (int i = 0; i < fields.length; i += 2) {
      task.put((String) fields[i], fields[i + 1]);
    }
    return task;
  }

  /** The answer to a task. */
  Message.Played does(Map<String, Object> task) throws IOException {
    long begin = System.nanoTime();
    Message.Played played = answer(task);
    if (played == null) {
      throw fault(task, "it ended instead: " + lastWords());
    }
    long took = System.nanoTime() - begin;
    if (played.nanos() < 0 || played.nanos() > took) {
      throw fault(
          task, "nanos is %,d, and the answer came after %,d".formatted(played.nanos(), took));
    }
    return played;
  }

  private Message.@Nullable Played answer(Map<String, Object> task) throws IOException {
    process.send(task);
    try {
      Message.Played played = process.listen(Message.Played.class, _ -> {}, () -> {});
      answers++;
      return played;
    } catch (TrialProcess.UnreadableLineException e) {
      throw fault(task, String.valueOf(e.getMessage()));
    }
  }

  private String lastWords() throws IOException {
    close();
    return process.lastWords();
  }

  private FaultException fault(Map<String, Object> task, String what) {
    return new FaultException("answer %d, to %s: %s".formatted(answers, task.get("task"), what));
  }

  /** Requires that it refuses a task: ends with an exit code and says why. */
  void refuses(Map<String, Object> task, String why) throws IOException {
    if (answer(task) != null) {
      throw fault(task, "it did it, though " + why);
    }
    close();
    if (process.exitCode() == 0 || process.lastWords().endsWith("with exit code 0")) {
      throw fault(task, "it ended with exit code 0, though " + why);
    }
  }

  void open(Durability level, Map<String, String> options) throws IOException {
    does(opening("open", level, options));
  }

  private Map<String, Object> opening(String name, Durability level, Map<String, String> options) {
    return task(
        name,
        "engine",
        engine,
        "directory",
        directory.resolve("store").toAbsolutePath().toString(),
        "options",
        options,
        "durability",
        level.word(),
        "access",
        "single");
  }

  /** Plays one trace, and requires what is expected of it. */
  Message.Played plays(GoldenTrace trace) throws IOException {
    Message.Played played = does(playing(List.of(trace), 0));
    require(played, List.of(trace));
    return played;
  }

  /** The same on the closed store. */
  void playsOpening(GoldenTrace trace, Durability level) throws IOException {
    Map<String, Object> task = playing(List.of(trace), 0);
    task.putAll(opening("play_opening", level, Map.of()));
    require(does(task), List.of(trace));
  }

  /** The task that plays traces; threads can be given more fields. */
  Map<String, Object> playing(List<GoldenTrace> traces, double seconds) throws IOException {
    List<Map<String, Object>> threads = new ArrayList<>();
    Path values = directory.resolve("values");
    for (GoldenTrace each : traces) {
      Path file = directory.resolve("thread-" + threads.size() + ".trace");
      each.write(file, values);
      Map<String, Object> thread = new HashMap<>();
      thread.put("trace", file.toAbsolutePath().toString());
      thread.put("background", false);
      threads.add(thread);
    }
    return task(
        "play",
        "threads",
        threads,
        "values",
        values.toAbsolutePath().toString(),
        "seconds",
        seconds);
  }

  /** The fields of a thread of a task. */
  @SuppressWarnings("unchecked") // playing made them
  static Map<String, Object> thread(Map<String, Object> task, int number) {
    return ((List<Map<String, Object>>) task.getOrDefault("threads", List.of())).get(number);
  }

  void require(Message.Played played, List<GoldenTrace> traces) {
    Map<String, Object> task = task("play");
    if (played.threads().size() != traces.size()) {
      throw fault(
          task, "%d threads, expected %d".formatted(played.threads().size(), traces.size()));
    }
    for (int i = 0; i < traces.size(); i++) {
      Message.PlayedThread own = played.threads().get(i);
      GoldenTrace.Expected expected = traces.get(i).expected();
      requireMeasured(own);
      require(task, "calls with a latency", sum(own.latencies(), List::getLast), expected.calls());
      require(task, "operations", own.operations(), expected.operations());
      require(task, "misses", own.misses(), expected.misses());
      if (expected.wrong() && own.wrong() == null) {
        throw fault(task, "wrong is null, though what was read is not as in the trace");
      } else if (!expected.wrong() && own.wrong() != null) {
        throw fault(task, "wrong is '" + own.wrong() + "', though everything is right");
      }
      if (!expected.wrong()) {
        require(task, "entries", own.entries(), expected.entries());
        require(task, "readBytes", own.readBytes(), expected.readBytes());
        require(task, "writtenBytes", own.writtenBytes(), expected.writtenBytes());
      }
    }
  }

  /** Requires that what a thread says of times is of one piece. */
  void requireMeasured(Message.PlayedThread own) {
    Map<String, Object> task = task("play");
    long latencies = sum(own.latencies(), each -> each.getFirst() * each.getLast());
    requireClose(task, "the sum of latencies", latencies, own.nanos());
    require(
        task,
        "operations of intervals",
        sum(own.intervals(), each -> each.get(1)),
        own.operations());
    requireClose(
        task, "nanoseconds of intervals", sum(own.intervals(), List::getLast), own.nanos());
  }

  private void requireClose(Map<String, Object> task, String what, long found, long nanos) {
    if (Math.abs(found - nanos) > GAP * nanos + GAP_NANOS) {
      throw fault(task, "%s is %,d, and nanos of the thread %,d".formatted(what, found, nanos));
    }
  }

  private static long sum(List<List<Long>> lists, ToLongFunction<List<Long>> part) {
    return lists.stream().mapToLong(part).sum();
  }

  void require(Map<String, Object> task, String what, long found, long expected) {
    if (found != expected) {
      throw fault(task, "%s: %,d, expected %,d".formatted(what, found, expected));
    }
  }

  /** Requires that the store has just these entries, in order. */
  void requireContents(NavigableMap<byte[], byte[]> model) throws IOException {
    NavigableMap<byte[], byte[]> found = dump();
    for (Map.Entry<byte[], byte[]> each : model.entrySet()) {
      byte[] value = found.remove(each.getKey());
      if (!Arrays.equals(value, each.getValue())) {
        throw fault(
            task("dump"),
            "key %s has %s, expected %s"
                .formatted(hex(each.getKey()), hex(value), hex(each.getValue())));
      }
    }
    if (!found.isEmpty()) {
      throw fault(
          task("dump"),
          "%,d entries more than there should be, the first with key %s"
              .formatted(found.size(), hex(found.firstKey())));
    }
  }

  static String hex(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "no value";
    }
    String digits = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 16));
    return "%s (%,d bytes)".formatted(digits + (bytes.length > 16 ? "…" : ""), bytes.length);
  }

  /** All entries of the store. */
  NavigableMap<byte[], byte[]> dump() throws IOException {
    Path file = directory.resolve("dump");
    Files.deleteIfExists(file);
    Map<String, Object> task = task("dump", "file", file.toAbsolutePath().toString());
    does(task);
    NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    ByteBuffer rest = ByteBuffer.wrap(Files.readAllBytes(file));
    while (rest.hasRemaining()) {
      int at = rest.position();
      long key = rest.remaining() < HEAD ? -1 : rest.getInt();
      long value = key < 0 ? -1 : rest.getInt();
      if (value < 0 || key + value > rest.remaining()) {
        throw fault(
            task,
            "byte %,d of the file begins no entry: lengths %d and %d, and %,d bytes are left"
                .formatted(at, key, value, rest.remaining()));
      }
      byte[] own = new byte[(int) key];
      byte[] content = new byte[(int) value];
      rest.get(own).get(content);
      if (!entries.isEmpty() && Arrays.compareUnsigned(entries.lastKey(), own) >= 0) {
        throw fault(task, "key %s comes after %s".formatted(hex(own), hex(entries.lastKey())));
      }
      entries.put(own, content);
    }
    return entries;
  }

  /** Ends it in the middle of what it does. */
  void kill() {
    alive = false;
    process.kill();
    process.close();
  }

  /** Sends a task and does not wait for the answer. */
  void begins(Map<String, Object> task) {
    process.send(task);
  }

  @Override
  public void close() {
    if (alive) {
      alive = false;
      process.close();
    }
  }
}
