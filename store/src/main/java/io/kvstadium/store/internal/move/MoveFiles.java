package io.kvstadium.store.internal.move;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Move;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a move writes into the directories of its stores: the marks, and for other processes how far
 * it is. There they also leave what they ask for, and find the answer.
 *
 * @param home the directory that says the truth of the move
 * @param second that of the other store, or {@code null} if it is not there
 */
public record MoveFiles(Path home, @Nullable Path second) {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  /** A process that has the store open says more often how far it is. */
  private static final long SAID_SECONDS = 5;

  /**
   * Writes what is true now: a failure is thrown only if it is not. The second directory does not
   * say it before {@link #repair}.
   */
  void mark(MoveMark mark) {
    try {
      mark.write(home);
    } catch (StoreIoException e) {
      MoveMark present = MoveMark.read(home);
      if (present == null || present.state() != mark.state()) {
        throw e;
      }
      LOG.log(System.Logger.Level.ERROR, home + ": the state of the move may not be on disk", e);
    }
  }

  /** The second directory says the same as the first, if it can be written. */
  public void repair(MoveMark mark) {
    MoveMark same = mark.of(!mark.isOld());
    try {
      if (second != null && !same.equals(MoveMark.read(second))) {
        same.write(second);
      }
    } catch (StoreIoException e) {
      LOG.log(System.Logger.Level.WARNING, second + ": " + home + " says more of the move", e);
    }
  }

  /** A status as it is written and printed: names and values. */
  public static String text(Move.Status status) {
    StringBuilder text = new StringBuilder(512);
    line(text, "from", status.from());
    line(text, "to", status.to());
    line(text, "state", status.state().word());
    line(text, "entries", status.entries());
    line(text, "bytes", status.bytes());
    line(text, "pending", status.pending());
    line(text, "seconds_behind", String.format(Locale.ROOT, "%.3f", status.secondsBehind()));
    line(text, "wait_seconds", String.format(Locale.ROOT, "%.3f", status.waitSeconds()));
    line(text, "problem", status.problem());
    Move.Shadow shadow = status.shadow();
    if (shadow != null) {
      line(text, "shadow_share", shadow.share());
      line(text, "shadow_reads", shadow.reads());
      line(text, "shadow_dropped", shadow.dropped());
      line(text, "shadow_differences", shadow.differences());
      line(text, "shadow_keys", String.join(", ", shadow.keys()));
      line(text, "shadow_used", shadow.used());
      line(text, "shadow_other", shadow.other());
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String name, @Nullable Object value) {
    if (value != null) {
      text.append("%-18s %s%n".formatted(name, value));
    }
  }

  private Path file(String name) {
    return home.resolve(MoveMark.FILE + "." + name);
  }

  /** Says how far it is. */
  void status(Move.Status status) {
    replace("status", text(status));
  }

  /** What the process that has the store open said last, or {@code null}. */
  public @Nullable String status() {
    String status = read("status");
    long seconds = (System.currentTimeMillis() - file("status").toFile().lastModified()) / 1_000;
    if (status != null && seconds > SAID_SECONDS) {
      String said = seconds + " s ago: perhaps nobody has the store open";
      status += "%-18s %s%n".formatted("said", said);
    }
    return status;
  }

  private void replace(String name, String text) {
    try {
      DurableFile.replace(file(name), text, false);
    } catch (IOException e) { // a full disk, or a directory that is gone: the application goes on
      LOG.log(System.Logger.Level.DEBUG, file(name) + ": cannot be written", e);
    }
  }

  private @Nullable String read(String name) {
    try {
      return Files.readString(file(name));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new StoreIoException("cannot read " + file(name) + ": " + e, e);
    }
  }

  /**
   * Leaves a request for the process that has the store open.
   *
   * @param request an {@code id}, which the answer begins with, and what {@link #answer} reads
   */
  public void ask(Properties request) {
    forget("answer");
    try {
      DurableFile.replace(file("request"), DurableFile.text(request), false);
    } catch (IOException e) {
      throw new StoreIoException("cannot write into " + home + ": " + e, e);
    }
  }

  /** The lines of the answer to a request, of which the first says whether it was done. */
  public @Nullable List<String> answered(String id) {
    String answer = read("answer");
    List<String> lines = answer == null ? List.of("") : answer.lines().toList();
    return lines.getFirst().equals(id) ? lines.subList(1, lines.size()) : null;
  }

  /** Takes a request back, or its answer. */
  public void forget() {
    forget("request");
    forget("answer");
  }

  /** Removes what a move that has ended does not need any more. */
  public void end(Side used) {
    used.drop(Side.LOG);
    MoveMark.remove(used.directory());
    forget("status");
    forget("request");
  }

  private void forget(String name) {
    try {
      Files.deleteIfExists(file(name));
    } catch (IOException e) {
      throw new StoreIoException("cannot remove " + file(name) + ": " + e, e);
    }
  }

  /** Does what another process has asked for, if one has. */
  void answer(Move move) {
    if (Files.notExists(file("request"))) {
      return;
    }
    Properties asked = new Properties();
    String answer;
    try {
      asked.load(new StringReader(String.valueOf(read("request"))));
      forget("request"); // at most once
      answer = "done\n" + text(run(move, asked));
    } catch (StadiumException | IOException e) {
      answer = "refused\n" + e.getMessage();
    }
    replace("answer", asked.getProperty("id") + "\n" + answer);
  }

  private static Move.Status run(Move move, Properties asked) {
    Duration maxWait = Duration.ofMillis(Long.parseLong(asked.getProperty("wait_ms")));
    boolean verify = Boolean.parseBoolean(asked.getProperty("verify"));
    String action = asked.getProperty("action", "");
    return switch (action) {
      case "over" -> move.over(maxWait, verify);
      case "back" -> move.back(maxWait, verify);
      case "finish" -> move.finish();
      case "cancel" -> move.cancel();
      case "shadow" -> move.shadow(Double.parseDouble(asked.getProperty("share")));
      default -> throw new BadArgumentException("a move cannot be asked to " + action);
    };
  }
}
