package io.kvstadium.cli;

import io.kvstadium.bench.report.Comparison;
import io.kvstadium.bench.report.ConsoleComparison;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium compare}: what has changed between two runs. */
@Command(
    name = "compare",
    description = "Says of two saved runs where the second is faster or slower.")
final class CompareCommand implements Callable<Integer> {
  private enum Failure {
    NEVER,
    SLOWER
  }

  @Parameters(
      index = "0",
      paramLabel = "BEFORE",
      description = "A results.json, or the directory of a run.")
  private Path before;

  @Parameters(index = "1", paramLabel = "AFTER", description = "Another one.")
  private Path after;

  @Option(
      names = "--fail-on",
      paramLabel = "slower|never",
      description = "Exit with 1 if anything is slower (default: ${DEFAULT-VALUE}).",
      defaultValue = "never")
  private Failure failOn;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  CompareCommand() {}

  @Override
  public Integer call() {
    Comparison comparison = Comparison.of(Reports.read(before), Reports.read(after));
    if (comparison.lines().isEmpty()) {
      throw new BadArgumentException(
          before
              + " and "
              + after
              + " have no figure in common: give two runs of one suite on the same engines");
    }
    System.out.print(ConsoleComparison.render(comparison, Ansi.AUTO.enabled()));
    return failOn == Failure.SLOWER && comparison.anySlower() ? 1 : 0;
  }
}
