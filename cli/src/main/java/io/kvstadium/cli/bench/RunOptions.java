package io.kvstadium.cli.bench;

import io.kvstadium.cli.io.UserTerminal;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the commands that measure engines take alike. */
final class RunOptions {
  private static final String TEXT = "text";
  private static final String JSONL = "jsonl";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed for keys, values and orders (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where the results go, and the stores during the run (default: results/<time>-<name>).")
  private @Nullable Path out;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description = "Resumes the interrupted run in DIR; what was measured there is kept.")
  private @Nullable Path resume;

  @Option(
      names = "--wait-quiet",
      paramLabel = "MINUTES",
      description =
          "Waits up to this long until other programs leave the processors alone; 0 does not wait"
              + " (default: at a terminal you are asked, if they do not).")
  private @Nullable Double minutes;

  @Option(
      names = "--progress",
      paramLabel = "text|jsonl",
      description =
          "How standard error says how far it is: in words, or for programs as a JSON object a line"
              + " (default: ${DEFAULT-VALUE}).",
      defaultValue = TEXT)
  private String progress;

  long seed() {
    return seed;
  }

  /** Where the user wants the results, or {@code null}. */
  @Nullable Path out() {
    return out;
  }

  /** The run to resume, or {@code null}. */
  @Nullable Path resume() {
    return resume;
  }

  /** What shows how far it is. */
  Live live() {
    return progress.equals(JSONL) ? new JsonLines(System.err) : new LiveText();
  }

  /** Waits as another one would. */
  void waitAs(RunOptions other) {
    minutes = other.minutes;
  }

  /** Refuses what is no time to wait, or no way to show progress. */
  void check() {
    if (!progress.equals(TEXT) && !progress.equals(JSONL)) {
      throw new BadArgumentException("--progress " + progress + ": give text or jsonl");
    }
    if (minutes != null && !(minutes >= 0 && minutes <= 1e5)) {
      throw new BadArgumentException(
          "--wait-quiet " + minutes + ": give a number of minutes, 0 or more");
    }
  }

  /**
   * Returns when the run may begin. Asks only who sees the answer: at a terminal, and not where
   * output goes to a program.
   *
   * @param text whether what is printed is for people
   */
  void awaitQuiet(boolean text) {
    try {
      new QuietWait().await(minutes, UserTerminal.draws() && text ? System.in : null);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read the answer (" + Why.of(e) + ")", e);
    }
  }
}
