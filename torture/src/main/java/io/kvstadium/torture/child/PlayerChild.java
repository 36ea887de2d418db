package io.kvstadium.torture.child;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.check.Finding.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A program in another language that uses the store as in a benchmark; see {@code
 * docs/internals/player-protocol.md}.
 */
final class PlayerChild implements Link {
  private static final String MARK = "@stadium ";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long POLL_NANOS = 100_000;
  private static final int KILLED = 128 + 9;
  private static final int FAILED = 1;

  private final StoreUrl url;
  private final Path log;
  private final List<String> capabilities;
  private final Work work;
  private volatile boolean closing;

  /** What it does with the open store. */
  interface Work {
    void on(Tasks tasks, Consumer<Message> heard) throws IOException, EndedException;
  }

  /** The process has ended instead of an answer. */
  static final class EndedException extends Exception {
    @Serial private static final long serialVersionUID = 1;
  }

  PlayerChild(StoreUrl url, Path log, List<String> capabilities, Work work) {
    this.url = url;
    this.log = log;
    this.capabilities = capabilities;
    this.work = work;
  }

  @Override
  public void listen(Process process, Consumer<Message> heard) throws IOException {
    Kind kind = Kind.CANNOT_OPEN;
    try {
      Tasks tasks = new Tasks(process);
      heard.accept(new Message.Opening());
      long nanos = tasks.does(opening()).path("nanos").asLong();
      kind = Kind.ERROR;
      heard.accept(new Message.Opened(nanos, level(), capabilities));
      work.on(tasks, heard);
      heard.accept(new Message.Closing());
      tasks.does(Map.of("task", "close"));
      heard.accept(new Message.Done());
      process.getOutputStream().close(); // there are no more
    } catch (EndedException e) {
      Finding finding = ended(process, kind);
      if (finding != null) {
        heard.accept(new Message.Found(finding));
      }
    }
  }

  private String level() {
    return url.options().getOrDefault("durability", "");
  }

  private Map<String, Object> opening() {
    Map<String, String> options = new HashMap<>(url.options());
    options.remove("durability");
    return Map.of(
        "task",
        "open",
        "engine",
        url.engine(),
        "directory",
        url.location(),
        "options",
        options,
        "durability",
        level(),
        "access",
        "single");
  }

  /** Why it ended, unless this program killed it. */
  private @Nullable Finding ended(Process process, Kind failed) throws IOException {
    try {
      int code = process.waitFor();
      List<String> said = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      if (code == KILLED) {
        return null;
      }
      return code == FAILED
          ? new Finding(failed, "it said: " + (said.isEmpty() ? "nothing" : said.getLast()))
          : new Finding(Kind.CRASH, "it ended with code %d: %s".formatted(code, Child.end(said)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  @Override
  public void askToClose(Process process) {
    closing = true;
  }

  @Override
  public void askToResume(Process process) {
    throw new UnsupportedOperationException("a player ends when a call fails");
  }

  /** The tasks of a process, one after another. */
  final class Tasks {
    private final Process process;
    private final BufferedReader answers;

    Tasks(Process process) {
      this.process = process;
      this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    boolean isClosing() {
      return closing;
    }

    void awaitClose() throws EndedException {
      while (!closing) {
        if (!process.isAlive()) {
          throw new EndedException();
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }

    JsonNode does(Map<String, ?> task) throws IOException, EndedException {
      return does(task, () -> {});
    }

    /**
     * The answer to a task.
     *
     * @param meanwhile is run again and again until there is one
     */
    JsonNode does(Map<String, ?> task, Runnable meanwhile) throws IOException, EndedException {
      try {
        process
            .getOutputStream()
            .write((JSON.writeValueAsString(task) + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
      } catch (IOException e) {
        throw new EndedException(); // its log has the reason
      }
      while (true) {
        while (!answers.ready() && process.isAlive()) {
          meanwhile.run();
          LockSupport.parkNanos(POLL_NANOS);
        }
        String line = answers.readLine();
        if (line == null) {
          throw new EndedException();
        } else if (line.startsWith(MARK)) {
          return JSON.readTree(line.substring(MARK.length()));
        }
      }
    }
  }
}
