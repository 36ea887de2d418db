package io.kvstadium.torture.child;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvstadium.torture.check.Content;
import io.kvstadium.torture.check.Operation;
import io.kvstadium.torture.check.Operation.Change;
import io.kvstadium.torture.check.Plan;
import io.kvstadium.torture.check.Sessions;
import io.kvstadium.trace.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Has a player write what a plan says, a part of it after another: a trace for each writer, all at
 * once. The player says in a file for each writer how many calls have returned.
 */
final class PlayedPlan implements PlayerChild.Work {
  /** How long a part takes, so that a request to close is soon heard. */
  private static final double SECONDS = 0.1;

  private static final int FIRST_PART = 200;

  private final Plan plan;
  private final int session;
  private final long[] acknowledged;
  private final Path directory;

  PlayedPlan(WorkerArguments arguments, Path directory) {
    this.plan = Plan.parse(arguments.get("plan"));
    this.session = Integer.parseInt(arguments.get("session"));
    this.acknowledged = Sessions.counts(arguments.get("start"));
    this.directory = directory;
  }

  @Override
  public void on(PlayerChild.Tasks tasks, Consumer<Message> heard)
      throws IOException, PlayerChild.EndedException {
    long size = FIRST_PART;
    for (int part = 0; !tasks.isClosing(); part++) {
      Path own = Files.createDirectory(directory.resolve("part-" + part));
      long[] base = acknowledged.clone();
      Map<String, Object> task = task(own, base, size);
      try {
        JsonNode played = tasks.does(task, () -> read(own, base, heard));
        for (JsonNode thread : played.path("threads")) {
          if (!thread.path("wrong").isNull()) {
            throw new IOException("a write has found " + thread.path("wrong"));
          }
        }
      } finally {
        read(own, base, heard);
      }
      long done = 0;
      for (int writer = 0; writer < base.length; writer++) {
        done = Math.max(done, acknowledged[writer] - base[writer]);
      }
      size = Math.max(FIRST_PART, 2 * done);
      Home.remove(own);
    }
  }

  /** The task that plays the next part of each writer's operations. */
  private Map<String, Object> task(Path own, long[] base, long size) throws IOException {
    Path values = own.resolve("values");
    List<Map<String, Object>> threads = new ArrayList<>();
    try (TraceFiles files = new TraceFiles(values)) {
      for (int writer = 0; writer < plan.writers(); writer++) {
        Path trace = own.resolve(writer + ".trace");
        files.begin(trace);
        for (long number = base[writer]; number < base[writer] + size; number++) {
          write(files, writer, number, new Content(session, number, base));
        }
        threads.add(
            Map.of(
                "trace", trace.toString(),
                "background", false,
                "acknowledge", count(own, writer).toString()));
      }
    }
    return Map.of(
        "task", "play", "threads", threads, "values", values.toString(), "seconds", SECONDS);
  }

  private void write(TraceFiles files, int writer, long number, Content content)
      throws IOException {
    Operation operation = plan.operation(writer, number);
    boolean atomic = operation.kind() == Operation.Kind.BATCH;
    if (atomic) {
      files.mark(Kind.BATCH);
    }
    for (Change change : operation.changes()) {
      byte[] key = Plan.key(writer, change.slot());
      if (change.deletes()) {
        files.delete(key);
      } else {
        files.put(key, content.value(plan, writer, change));
      }
    }
    if (atomic) {
      files.mark(Kind.BATCH_END);
    }
  }

  private static Path count(Path own, int writer) {
    return own.resolve(writer + ".acknowledged");
  }

  /** Passes on what has been acknowledged since it was read last. */
  private void read(Path own, long[] base, Consumer<Message> heard) {
    for (int writer = 0; writer < base.length; writer++) {
      long now = base[writer] + count(count(own, writer));
      while (acknowledged[writer] < now) {
        heard.accept(new Message.Acknowledged(writer, acknowledged[writer]++));
      }
    }
  }

  /** A file that is just being written may be seen half old and half new: then it is no count. */
  private static long count(Path file) {
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      return text.matches("[0-9]{1,18}\n") && text.equals(Files.readString(file))
          ? Long.parseLong(text.strip())
          : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
