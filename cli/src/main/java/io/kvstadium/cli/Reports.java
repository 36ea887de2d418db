package io.kvstadium.cli;

import io.kvstadium.bench.report.ConsoleReport;
import io.kvstadium.bench.report.HtmlReport;
import io.kvstadium.bench.report.Report;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Help.Ansi;

/** Where reports go: the terminal, and a file. */
final class Reports {
  /** Name of the HTML report in a run's directory. */
  static final String HTML = "report.html";

  private Reports() {}

  /** The results at a path, which may also be that of a run's directory. */
  static Results read(Path path) {
    return ResultsFile.read(file(path));
  }

  /** The results file that a path means. */
  static Path file(Path path) {
    return Files.isDirectory(path) ? path.resolve(Runner.RESULTS) : path;
  }

  static void print(Report report) {
    System.out.print(ConsoleReport.render(report, Ansi.AUTO.enabled()));
  }

  static void writeHtml(Report report, Path file) {
    try {
      Files.writeString(file, HtmlReport.render(report));
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot write the report to " + file + " (" + Why.of(e) + "): give another path", e);
    }
  }
}
