package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.CsvReport;
import io.kvstadium.bench.report.HtmlReport;
import io.kvstadium.bench.report.JsonReport;
import io.kvstadium.bench.report.TextReport;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Help.Ansi;

/** Reads saved runs; reports go to the terminal, and to a file. */
final class Reports {
  /** Name of the HTML report in a run's directory. */
  static final String HTML = "report.html";

  private Reports() {}

  /** Reads the results at a path, which may also be a run's directory. */
  static Results read(Path path) {
    return ResultsFile.read(file(path));
  }

  /** The results file that a path refers to: the run's directory, or another file of the run. */
  static Path file(Path path) {
    if (Files.isDirectory(path)) {
      return path.resolve(Runner.RESULTS);
    }
    Path beside = path.resolveSibling(Runner.RESULTS);
    return path.endsWith(HTML) && Files.exists(beside) ? beside : path;
  }

  /** Reads runs, each a results.json or the directory of one, and names them after that. */
  static List<NamedRun> readAll(List<Path> paths) {
    List<NamedRun> runs = new ArrayList<>();
    List<String> used = new ArrayList<>();
    for (Path path : paths) {
      String name = name(path, used);
      used.add(name);
      runs.add(new NamedRun(name, read(path)));
    }
    return runs;
  }

  /** The directory's name, or the file's if it does not have the name that the runner gives it. */
  private static String name(Path path, List<String> used) {
    Path file = file(path).toAbsolutePath().normalize();
    Path named = file;
    if (file.endsWith(Runner.RESULTS) && file.getParent() != null) {
      named = Objects.requireNonNull(file.getParent());
    }
    Path last = named.getFileName();
    String name = last == null ? "run" : last.toString().replaceFirst("\\.json$", "");
    String unique = name;
    for (int number = 2; used.contains(unique); number++) {
      unique = name + " " + number;
    }
    return unique;
  }

  static void print(Report report, Format format, boolean details) {
    System.out.print(
        switch (format) {
          case TABLE ->
              details
                  ? TextReport.details(report, Ansi.AUTO.enabled())
                  : TextReport.answer(report, Ansi.AUTO.enabled());
          case JSON -> JsonReport.render(report);
          case CSV -> CsvReport.render(report.results());
          case MARKDOWN -> TextReport.markdown(report);
        });
  }

  static void writeHtml(Report report, Path file) {
    write(HtmlReport.render(report), file, "the report");
  }

  /**
   * Writes a page.
   *
   * @param what it is, for messages
   */
  static void write(String page, Path file, String what) {
    try {
      Files.writeString(file, page);
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot write " + what + " to " + file + " (" + Why.of(e) + "): give another path", e);
    }
  }
}
