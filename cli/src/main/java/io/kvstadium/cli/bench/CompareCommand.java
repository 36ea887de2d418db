package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.Comparison;
import io.kvstadium.bench.report.CsvReport;
import io.kvstadium.bench.report.Thresholds;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium compare}: shows what has changed between runs. */
@Command(name = "compare", description = FirstSentences.COMPARE)
public final class CompareCommand implements Callable<Integer> {
  private static final String NEVER = "never";
  private static final int BROKEN = 1;
  private static final int CANNOT_TELL = 3; // 2 is a user's mistake
  private static final int MAX_LISTED = 5;

  @Parameters(
      index = "0",
      paramLabel = "BEFORE",
      description = "A results.json, or the directory of a run: what the others are compared with.")
  private Path before;

  @Parameters(
      index = "1..*",
      paramLabel = "AFTER",
      arity = "1..*",
      description = "One or more later runs.")
  private List<Path> after = new ArrayList<>();

  @Option(
      names = "--fail-on",
      paramLabel = "never|slower|CONDITIONS",
      description = {
        "Exit with 1 if a later run breaks a condition or lacks a figure; with 3 if the runs cannot"
            + " tell (default: ${DEFAULT-VALUE}). slower: any phase is, by more than --margin."
            + " Otherwise figures and by how much they may get worse:"
            + " 'p99(update)>10%%,throughput<-5%%,disk>20%%'."
      },
      defaultValue = NEVER)
  private String failOn;

  @Option(
      names = "--margin",
      paramLabel = "PERCENT",
      description = {
        "How much the machine itself may have changed between the runs: only larger changes count"
            + " as slower or faster, smaller ones as the same (default: 7; use less on a dedicated"
            + " machine)."
      })
  private double margin = Math.rint((Comparison.MARGIN - 1) * 100);

  @Mixin private FormatOption format;

  @Override
  public Integer call() {
    Format wanted = format.get();
    Thresholds thresholds = failOn.equals(NEVER) ? null : Thresholds.parse(failOn);
    List<Path> paths = Stream.concat(Stream.of(before), after.stream()).toList();
    List<NamedRun> runs = Reports.readAll(paths);
    if (!(margin >= 0 && margin < 1_000)) {
      throw new BadArgumentException("--margin " + margin + ": give a percentage, 0 or more");
    }
    Comparison comparison = Comparison.of(runs, 1 + margin / 100);
    if (!comparison.any()) {
      throw new BadArgumentException(
          String.join(" and ", paths.stream().map(Path::toString).toList())
              + " have no figure in common: give runs of one suite on the same engines");
    }
    Thresholds.Result result = thresholds == null ? null : thresholds.check(comparison, runs);
    System.out.print(
        switch (wanted) {
          case TABLE -> comparison.text(Ansi.AUTO.enabled());
          case JSON -> comparison.toJson();
          case CSV -> CsvReport.render(comparison);
          case MARKDOWN -> comparison.markdown();
        });
    return result == null ? 0 : exit(result);
  }

  private static int exit(Thresholds.Result result) {
    if (!result.broken().isEmpty()) {
      list("broken (--fail-on)", result.broken());
      return BROKEN;
    }
    if (!result.open().isEmpty()) {
      list(
          "these runs cannot tell of %d of %d figures whether a condition is broken (--fail-on)"
              .formatted(result.open().size(), result.judged()),
          result.open());
      System.err.println(
          "Let bench measure more trials (--trials, --budget) on a quieter machine, or allow more.");
      return CANNOT_TELL;
    }
    return 0;
  }

  private static void list(String head, List<String> lines) {
    System.err.println("stadium: " + head + ":");
    lines.stream().limit(MAX_LISTED).forEach(each -> System.err.println("  " + each));
    if (lines.size() > MAX_LISTED) {
      System.err.printf("  and %d more%n", lines.size() - MAX_LISTED);
    }
  }
}
