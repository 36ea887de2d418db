package io.kvstadium.cli.bench;

import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.Interrupt;
import io.kvstadium.cli.io.Invocation;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What the commands that run trials have in common: where, with what, and Ctrl-C. */
public final class Launch {
  /** A trial that has sent nothing for this long is considered dead. */
  private static final long WATCHDOG_SECONDS = 300;

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss");

  private Launch() {}

  /** What runs the trials of a run in a directory. */
  public static ForkedExecutor executor(Installed installed, Path out, Languages languages) {
    return new ForkedExecutor(WATCHDOG_SECONDS, installed.folders(), out, languages);
  }

  /**
   * Stops a run at Ctrl-C.
   *
   * @param stop keeps the next trial from starting
   * @param executor whose trial is ended
   */
  public static Interrupt interrupt(Runnable stop, ForkedExecutor executor) {
    return new Interrupt(() -> {
      stop.run();
      executor.stop();
    });
  }

  /** The settings of a command that changes nothing. */
  public static Settings settings(Path out, CommandSpec spec) {
    return Settings.of(out, Invocation.command(spec.commandLine().getParseResult().originalArgs()));
  }

  /**
   * The directory of a run.
   *
   * @param out as it was given, or {@code null}
   * @param name of what is run
   * @param runs whether results will be written there
   * @throws BadArgumentException if it has a run already, or cannot be part of a URL
   */
  static Path directory(@Nullable Path out, String name, boolean runs) {
    Path directory =
        out != null
            ? out
            : Path.of(
                "results", STAMP.format(LocalDateTime.now(ZoneId.systemDefault())) + "-" + name);
    if (directory.toString().contains("?")) {
      throw new BadArgumentException(
          "--out "
              + directory
              + ": a '?' would end the directory in a store's URL: use another name");
    }
    if (runs && (Runner.hasRun(directory) || AskedAdvice.isIn(directory))) {
      throw new BadArgumentException(
          "--out "
              + directory
              + " holds the results of another run: use another directory, or resume that run with"
              + " --resume "
              + directory);
    }
    return directory;
  }

  /** Makes sure that the directory can be used before anything is printed or measured. */
  static void prepare(Path directory) {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new BadArgumentException("--out " + directory + " is a file: give a directory");
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot make the directory "
              + directory
              + " ("
              + Why.of(e)
              + "): use --out with another one",
          e);
    }
    if (!Files.isWritable(directory)) {
      throw new BadArgumentException(
          "cannot write to the directory " + directory + ": use --out with another one");
    }
  }

  /** The seconds of a budget. */
  static double seconds(String budget) {
    try {
      double seconds = Options.parseDuration(budget).toMillis() / 1e3;
      if (seconds > 0) {
        return seconds;
      }
    } catch (BadArgumentException | ArithmeticException _) {
      // said below
    }
    throw new BadArgumentException("--budget " + budget + ": give a time such as 90s, 3m or 1h");
  }
}
