package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.Comparison;
import io.kvstadium.bench.report.CsvReport;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.text.DecimalFormat;
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
@Command(name = "compare", description = "Compares saved runs with the first.")
public final class CompareCommand implements Callable<Integer> {
  private static final int SLOWER = 1;
  private static final int CANNOT_TELL = 3; // 2 is a user's mistake
  private static final int MAX_LISTED = 5;

  private enum Failure {
    NEVER,
    SLOWER
  }

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
      paramLabel = "slower|never",
      description =
          "Exit with 1 if any phase is slower by more than --margin, or has figures only before;"
              + " with 3 if these runs cannot tell (default: ${DEFAULT-VALUE}).",
      defaultValue = "never")
  private Failure failOn;

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
    System.out.print(
        switch (wanted) {
          case TABLE -> comparison.text(Ansi.AUTO.enabled());
          case JSON -> comparison.toJson();
          case CSV -> CsvReport.render(comparison);
          case MARKDOWN -> comparison.markdown();
        });
    if (failOn == Failure.NEVER) {
      return 0;
    }
    if (!comparison.lost().isEmpty()) { // what failed is not known to be as fast as before
      System.err.println("stadium: not compared: " + String.join("; ", comparison.lost()));
    }
    if (comparison.anySlower() || !comparison.lost().isEmpty()) {
      return SLOWER;
    }
    List<String> open = comparison.open();
    if (open.isEmpty()) {
      return 0;
    }
    System.err.printf(
        "stadium: these runs cannot tell whether %d of %d figures became slower by more than %s %%"
            + " (--margin):%n",
        open.size(), comparison.judged(), new DecimalFormat("0.#").format(margin));
    open.stream().limit(MAX_LISTED).forEach(each -> System.err.println("  " + each));
    if (open.size() > MAX_LISTED) {
      System.err.printf("  and %d more%n", open.size() - MAX_LISTED);
    }
    System.err.println(
        "Let bench measure more trials (--trials, --budget) on a quieter machine, or give a larger"
            + " --margin.");
    return CANNOT_TELL;
  }
}
