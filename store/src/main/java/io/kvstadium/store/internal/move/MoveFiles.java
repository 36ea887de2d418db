package io.kvstadium.store.internal.move;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Move;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a move writes into the stores' directories: the marks, and for other processes how far it
 * is. There they also leave what they ask for.
 */
public final class MoveFiles {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());
  private static final String STATUS = "stadium.move.status";
  private static final String REQUEST = "stadium.move.request";
  private static final String ANSWER = "stadium.move.answer";

  /** What a status says, in this order. */
  public static final List<String> NAMES =
      List.of(
          "from",
          "to",
          "state",
          "entries",
          "bytes",
          "pending",
          "seconds_behind",
          "wait_seconds",
          "problem",
          "shadow_share",
          "shadow_reads",
          "shadow_dropped",
          "shadow_differences",
          "shadow_keys",
          "shadow_used",
          "shadow_other");

  /** How often the status is written at most. */
  private static final long EVERY_NANOS = 500_000_000;

  private final Path origin;
  private final Path target;
  private final Path home;
  private long written;
  private Move.@Nullable State writtenState;
  private boolean forgotten;

  MoveFiles(MovingStore.Roles roles, MoveMark mark) {
    this.origin = mark.originPath();
    this.target = mark.targetPath();
    Side other = roles.other();
    this.home = mark.isOrigin(roles.used().directory()) || other != null ? origin : target;
  }

  /** Where the processes that know a mark leave what they ask for. */
  public static Path home(MoveMark mark) {
    return Files.exists(mark.originPath().resolve(MoveMark.FILE))
        ? mark.originPath()
        : mark.targetPath();
  }

  /** Writes a mark where it is the truth, then where it is not. */
  void mark(MoveMark mark) {
    try {
      mark.write(home);
    } catch (StoreIoException e) {
      MoveMark present = MoveMark.read(home);
      if (present == null || present.stage() != mark.stage()) {
        throw e;
      }
      LOG.log(System.Logger.Level.ERROR, home + ": the state of the move may not be on disk", e);
    }
    Path second = home.equals(origin) ? target : origin;
    try {
      if (Files.exists(second)) {
        mark.write(second);
      }
    } catch (StoreIoException e) {
      LOG.log(System.Logger.Level.WARNING, second + ": " + home + " says more of the move", e);
    }
  }

  /** Removes what a move that has ended does not need any more. */
  void forget(MoveMark mark, MovingStore.Roles roles) {
    forgotten = true;
    Side other = roles.other();
    roles.used().drop(Side.LOG);
    if (mark.stage() == MoveMark.Stage.FINISHED) {
      if (other != null) {
        other.drop(Side.LOG);
      }
      MoveMark.remove(target);
    } else {
      MoveMark.remove(origin);
    }
    for (String file : new String[] {STATUS, REQUEST}) {
      try {
        Files.deleteIfExists(home.resolve(file));
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, home + ": cannot remove " + file, e);
      }
    }
  }

  /** A status as it is written and printed. */
  public static Properties properties(Move.Status status) {
    Properties all = new Properties();
    all.setProperty("from", status.from());
    all.setProperty("to", status.to());
    all.setProperty("state", status.state().word());
    all.setProperty("entries", Long.toString(status.entries()));
    all.setProperty("bytes", Long.toString(status.bytes()));
    all.setProperty("pending", Long.toString(status.pending()));
    all.setProperty("seconds_behind", rounded(status.secondsBehind()));
    all.setProperty("wait_seconds", rounded(status.waitSeconds()));
    String problem = status.problem();
    if (problem != null) {
      all.setProperty("problem", problem);
    }
    Move.Shadow shadow = status.shadow();
    if (shadow.share() > 0) {
      all.setProperty("shadow_share", Double.toString(shadow.share()));
      all.setProperty("shadow_reads", Long.toString(shadow.reads()));
      all.setProperty("shadow_dropped", Long.toString(shadow.dropped()));
      all.setProperty("shadow_differences", Long.toString(shadow.differences()));
      all.setProperty("shadow_keys", String.join(", ", shadow.keys()));
      all.setProperty("shadow_used", shadow.used().toString());
      all.setProperty("shadow_other", shadow.other().toString());
    }
    return all;
  }

  /** Says how far it is, unless that was said just now. */
  void write(Move.Status status) {
    long now = System.nanoTime();
    if (forgotten || (status.state() == writtenState && now - written < EVERY_NANOS)) {
      return;
    }
    Properties all = properties(status);
    try {
      replace(home.resolve(STATUS), all);
      written = now;
      writtenState = status.state();
    } catch (IOException e) {
      written = now; // a full disk, or a directory that is gone: the application goes on
      LOG.log(System.Logger.Level.DEBUG, home + ": cannot say how far the move is", e);
    }
  }

  private static String rounded(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  private static void replace(Path file, Properties properties) throws IOException {
    StringWriter text = new StringWriter();
    properties.store(text, null);
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, text.toString());
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static @Nullable Properties read(Path file) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(file)));
      return properties;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new StoreIoException("cannot read " + file + ": " + e, e);
    }
  }

  /** What the process that has the store open said last, or {@code null}. */
  public static @Nullable Properties status(Path home) {
    return read(home.resolve(STATUS));
  }

  /** Does what another process has asked for. */
  void request(Move move) {
    Path file = home.resolve(REQUEST);
    Properties asked = Files.exists(file) ? read(file) : null;
    if (asked == null) {
      return;
    }
    Properties answer = new Properties();
    answer.setProperty("id", asked.getProperty("id", ""));
    try {
      Files.delete(file); // at most once
      Move.Status status = run(move, asked);
      answer.putAll(properties(status));
    } catch (StadiumException | IOException e) {
      answer.setProperty("error", String.valueOf(e.getMessage()));
    }
    try {
      replace(home.resolve(ANSWER), answer);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, home + ": cannot answer a request", e);
    }
  }

  /** Carries a request out. */
  public static Move.Status run(Move move, Properties asked) {
    Duration maxWait = Duration.ofMillis(Long.parseLong(asked.getProperty("wait_ms", "50")));
    boolean verify = Boolean.parseBoolean(asked.getProperty("verify"));
    String command = asked.getProperty("command", "");
    return switch (command) {
      case "status" -> move.status();
      case "over" -> move.over(maxWait, verify);
      case "back" -> move.back(maxWait, verify);
      case "finish" -> move.finish();
      case "cancel" -> move.cancel();
      case "shadow" -> {
        move.shadow(Double.parseDouble(asked.getProperty("share", "0")));
        yield move.status();
      }
      default -> throw new BadArgumentException("a move cannot be asked to " + command);
    };
  }

  /** Leaves a request for the process that has the store open. */
  public static void ask(Path home, Properties request) {
    try {
      Files.deleteIfExists(home.resolve(ANSWER));
      replace(home.resolve(REQUEST), request);
    } catch (IOException e) {
      throw new StoreIoException("cannot write into " + home + ": " + e, e);
    }
  }

  /** Takes a request back. */
  public static void unask(Path home) {
    try {
      Files.deleteIfExists(home.resolve(REQUEST));
    } catch (IOException e) {
      throw new StoreIoException("cannot write into " + home + ": " + e, e);
    }
  }

  /** The answer to a request, or {@code null} while there is none. */
  public static @Nullable Properties answer(Path home, String id) {
    Properties answer = read(home.resolve(ANSWER));
    return answer != null && id.equals(answer.getProperty("id")) ? answer : null;
  }
}
