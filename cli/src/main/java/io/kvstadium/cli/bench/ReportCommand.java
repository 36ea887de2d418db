package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.analysis.MergedRuns;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.result.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium report}: the report of a saved run, or of several as one. */
@Command(
    name = "report",
    description = {
      "Prints the report of a saved run and writes it as HTML.",
      "For several runs of one suite, the report shows them side by side."
    })
public final class ReportCommand implements Runnable {
  @Parameters(
      paramLabel = "RESULTS",
      arity = "1..*",
      description = "A results.json, or the directory of a run.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--names",
      paramLabel = "NAME,…",
      description = "Names for several runs (default: those of their directories).")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Where the HTML goes (default: report.html next to the results; for several runs,"
              + " runs.html next to the first run's).")
  private @Nullable Path out;

  @Option(
      names = "--weights",
      paramLabel = "PHASE=N,…",
      description =
          "How much each phase counts in the overall verdict, such as \"read=3,scan 100=1\"; those not named do not count (default: as in the results).")
  private @Nullable String weights;

  @Mixin private FormatOption format;

  @Option(
      names = "--details",
      description = "Prints every verdict, figure and circumstance instead of one screen.")
  private boolean details;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  public ReportCommand() {}

  @Override
  public void run() {
    Format wanted = format.get(details);
    List<NamedRun> runs = Runs.read(files, names);
    Results merged = MergedRuns.of(runs);
    Results results = weights == null ? merged : merged.weighted(weights);
    Report report = Report.of(results);
    String name = runs.size() == 1 ? Reports.HTML : Reports.SEVERAL;
    Path html = out == null ? Reports.file(files.getFirst()).resolveSibling(name) : out;
    Reports.writeHtml(report, html);
    Reports.print(report, wanted, details);
    if (wanted == Format.TABLE) {
      System.out.println();
      System.out.println("Report: " + html);
    }
  }
}
