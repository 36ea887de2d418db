package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stadium compare}: shows what has changed between runs. */
@Command(name = "compare", description = FirstSentences.COMPARE)
public final class CompareCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "BEFORE",
      description = "A results.json, or the directory of a run: what the others are compared with.")
  private Path before;

  @Parameters(
      index = "1..*",
      paramLabel = "AFTER",
      arity = "0..*",
      description =
          "One or more later runs. None, if BEFORE has two versions of its engines (bench --against"
              + " DIRS).")
  private List<Path> after = new ArrayList<>();

  @Mixin private GateOptions gate;
  @Mixin private FormatOption format;

  @Override
  public Integer call() {
    Format wanted = format.get();
    gate.check();
    List<NamedRun> runs =
        Reports.readAll(Stream.concat(Stream.of(before), after.stream()).toList());
    List<NamedRun> versions = NamedRun.versions(runs.getFirst().results());
    if (after.isEmpty() && versions.isEmpty()) {
      throw new BadArgumentException(
          "AFTER is missing: give a later run to compare %s with".formatted(before));
    }
    return gate.judge(after.isEmpty() ? versions : runs, wanted);
  }
}
