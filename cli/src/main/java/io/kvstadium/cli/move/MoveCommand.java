package io.kvstadium.cli.move;

import io.kvstadium.cli.engines.Installed;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.internal.move.MoveFiles;
import io.kvstadium.store.internal.move.MoveMark;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

/** {@code stadium move}: asks the application that has a store open, or opens it. */
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

  /** Within which a process that has the store open takes what is asked for, if nothing goes on. */
  private static final Duration RUNNING = Duration.ofMillis(600);

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
      defaultValue = "50ms",
      description = "With over and back: how long writers may wait (default: 50ms).")
  private String wait;

  @Option(
      names = "--verify",
      description = "With over and back: compares all entries of both stores first.")
  private boolean verify;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      defaultValue = "0.01",
      description = "With shadow: how many reads, 0 for none, 0.01 for 1%% (default: 0.01).")
  private double share;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try {
      return call(out);
    } finally {
      out.flush();
    }
  }

  private int call(PrintWriter out) throws InterruptedException {
    Engines engines = installed.engines();
    Path directory = engines.config(url).path();
    MoveMark mark = directory == null ? null : MoveMark.read(directory);
    if (directory == null || mark == null) {
      throw new BadArgumentException(
          url + " is not moving: open it with move_to=ENGINE:DIRECTORY in its URL");
    }
    MoveMark truth = mark.truth(directory);
    if (truth == null || !truth.isOn()) {
      MoveMark last = truth == null ? mark : truth;
      out.printf("The move of %s to %s is %s.%n", last.from(), last.to(), last.state().word());
      return action == Action.STATUS ? ExitCode.OK : ExitCode.USAGE;
    }
    MoveFiles files =
        new MoveFiles(mark.isOld() == truth.isOld() ? directory : truth.place(), null);
    if (action == Action.STATUS) {
      String status = files.status();
      out.print(status == null ? "Nobody has opened the store since its move began.\n" : status);
      return ExitCode.OK;
    }
    List<String> answer = ask(engines, files);
    if (!answer.getFirst().equals("done")) {
      throw new StadiumException(String.join("\n", answer.subList(1, answer.size())));
    }
    answer.subList(1, answer.size()).forEach(out::println);
    return ExitCode.OK;
  }

  /** Who has the store open answers: an application, or this process. */
  private List<String> ask(Engines engines, MoveFiles files) throws InterruptedException {
    String id = UUID.randomUUID().toString();
    Properties request = new Properties();
    request.setProperty("id", id);
    request.setProperty("action", action.toString());
    request.setProperty("wait_ms", Long.toString(Options.parseDuration(wait).toMillis()));
    request.setProperty("verify", Boolean.toString(verify));
    request.setProperty("share", Double.toString(share));
    files.ask(request);
    try {
      List<String> answer = answer(files, id, RUNNING);
      if (answer == null) {
        try (Store _ = opened(engines)) {
          answer = answer(files, id, PATIENCE);
        }
      }
      if (answer == null) {
        throw new LockedException(
            url + ": the process that has the store open does not answer: end it, and try again");
      }
      return answer;
    } finally {
      files.forget();
    }
  }

  private static @Nullable List<String> answer(MoveFiles files, String id, Duration patience)
      throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    List<String> answer = files.answered(id);
    while (answer == null && until - System.nanoTime() > 0) {
      Thread.sleep(POLL_MILLIS);
      answer = files.answered(id);
    }
    return answer;
  }

  private @Nullable Store opened(Engines engines) {
    try {
      return engines.open(url, OpenOptions.DEFAULT.createIfMissing(false));
    } catch (LockedException e) {
      return null;
    }
  }
}
