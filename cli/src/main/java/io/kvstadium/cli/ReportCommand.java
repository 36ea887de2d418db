package io.kvstadium.cli;

import io.kvstadium.bench.report.Report;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium report}: the report of a run that was saved. */
@Command(name = "report", description = "Prints the report of a saved run and writes it as HTML.")
final class ReportCommand implements Runnable {
  @Parameters(paramLabel = "RESULTS", description = "A results.json, or the directory of a run.")
  private Path file;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where the HTML goes; beside the results as report.html if not given.")
  private Path out;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  ReportCommand() {}

  @Override
  public void run() {
    Report report = Report.of(Reports.read(file));
    Path html = out == null ? Reports.file(file).resolveSibling(Reports.HTML) : out;
    Reports.print(report);
    Reports.writeHtml(report, html);
    System.out.println();
    System.out.println("Report: " + html);
  }
}
