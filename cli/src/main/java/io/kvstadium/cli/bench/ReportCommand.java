package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.result.Results;
import io.kvstadium.cli.io.FirstSentences;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium report}: the report of a saved run. */
@Command(name = "report", description = FirstSentences.REPORT)
public final class ReportCommand implements Runnable {
  @Parameters(paramLabel = "RESULTS", description = "A results.json, or the directory of a run.")
  private Path file;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where the HTML goes (default: report.html next to the results).")
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

  @Override
  public void run() {
    Format wanted = format.get(details);
    Results read = Reports.read(file);
    Results results = weights == null ? read : read.weighted(weights);
    Report report = Report.of(results);
    Path html = out == null ? Reports.file(file).resolveSibling(Reports.HTML) : out;
    Reports.writeHtml(report, html);
    Reports.print(report, wanted, details);
    if (wanted == Format.TABLE) {
      System.out.println();
      System.out.println("Report: " + html);
    }
  }
}
