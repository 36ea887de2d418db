package io.kvstadium.cli.move;

import io.kvstadium.cli.engines.Installed;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.internal.move.MoveFiles;
import io.kvstadium.store.internal.move.MoveMark;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium move}: asks the application that has a store open, or the store itself. */
@Command(
    name = "move",
    description = {
      "Shows and steers the move of a store that an application uses.",
      "The application begins it with move_to in its URL. status says how far it is; shadow compares"
          + " a share of the reads on both stores; over changes over to the new store, back to the"
          + " old one; finish and cancel end it. If nobody has the store open, the command opens"
          + " it."
    })
public final class MoveCommand implements Callable<Integer> {
  /** How long an application may take to answer, beyond what it waits for itself. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration STATUS_PATIENCE = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 20;

  /** What can be asked for. */
  enum Action {
    STATUS,
    SHADOW,
    OVER,
    BACK,
    FINISH,
    CANCEL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(index = "0", paramLabel = "ACTION", description = "One of ${COMPLETION-CANDIDATES}.")
  private Action action;

  @Parameters(index = "1", paramLabel = "URL", description = "URL of either of the two stores.")
  private String url;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description = "With over and back: how long writers may wait (default: 50ms).")
  private @Nullable String wait;

  @Option(
      names = "--verify",
      description = "With over and back: compares all entries of both stores first.")
  private boolean verify;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "With shadow: how many reads, 0 for none, 0.01 for 1%% (default: 0.01).")
  private @Nullable Double share;

  @Override
  public Integer call() throws InterruptedException {
    Engines engines = installed.engines();
    Path directory = engines.config(url).path();
    MoveMark mark = directory == null ? null : MoveMark.read(directory);
    if (mark == null) {
      throw new BadArgumentException(
          url + " is not moving: open it with move_to=ENGINE:DIRECTORY in its URL");
    }
    Path home = MoveFiles.home(mark);
    MoveMark truth = MoveMark.read(home);
    PrintWriter out = spec.commandLine().getOut();
    if (truth == null || !truth.isOn()) {
      print(out, ended(mark, truth));
      return action == Action.STATUS ? ExitCode.OK : ExitCode.USAGE;
    }
    Properties request = request();
    Properties answer = action == Action.STATUS ? status(home, request) : null;
    if (answer == null && action != Action.STATUS) {
      answer = act(engines, home, request);
    }
    if (answer == null) {
      Properties known = MoveFiles.status(home);
      out.println("No process has the store open. Last seen:");
      print(out, known == null ? ended(mark, truth) : known);
      return ExitCode.OK;
    }
    String error = answer.getProperty("error");
    if (error != null) {
      throw new StadiumException(error);
    }
    print(out, answer);
    return ExitCode.OK;
  }

  private static Properties ended(MoveMark mark, @Nullable MoveMark truth) {
    Properties all = new Properties();
    all.setProperty("from", mark.origin().toString());
    all.setProperty("to", mark.target().toString());
    all.setProperty(
        "state", (truth == null ? mark : truth).stage().name().toLowerCase(Locale.ROOT));
    return all;
  }

  private Properties request() {
    Properties request = new Properties();
    request.setProperty("id", UUID.randomUUID().toString());
    request.setProperty("command", action.toString());
    if (wait != null) {
      request.setProperty("wait_ms", Long.toString(Options.parseDuration(wait).toMillis()));
    }
    request.setProperty("verify", Boolean.toString(verify));
    request.setProperty("share", Double.toString(share == null ? 0.01 : share));
    return request;
  }

  /** What the process says that has the store open; {@code null} if there is none. */
  private static @Nullable Properties status(Path home, Properties request)
      throws InterruptedException {
    MoveFiles.ask(home, request);
    Properties answer = answer(home, request, STATUS_PATIENCE);
    if (answer == null) {
      MoveFiles.unask(home);
    }
    return answer;
  }

  private Properties act(Engines engines, Path home, Properties request)
      throws InterruptedException {
    try (Store store = engines.open(url, OpenOptions.DEFAULT.createIfMissing(false))) {
      Move move = store.move();
      if (move == null) {
        throw new StadiumException(url + " has just ended its move");
      }
      return MoveFiles.properties(MoveFiles.run(move, request));
    } catch (LockedException e) {
      MoveFiles.ask(home, request);
      Properties answer = answer(home, request, PATIENCE);
      if (answer == null) {
        MoveFiles.unask(home);
        throw new LockedException(
            url + ": the process that has the store open does not answer: end it, and try again",
            e);
      }
      return answer;
    }
  }

  private static @Nullable Properties answer(Path home, Properties request, Duration patience)
      throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    Properties answer = null;
    while (answer == null && until - System.nanoTime() > 0) {
      Thread.sleep(POLL_MILLIS);
      answer = MoveFiles.answer(home, request.getProperty("id"));
    }
    return answer;
  }

  private static void print(PrintWriter out, Properties properties) {
    properties.remove("id");
    for (String name : MoveFiles.NAMES) {
      String value = properties.getProperty(name);
      if (value != null) {
        out.printf("%-18s %s%n", name, value);
      }
    }
    out.flush();
  }
}
