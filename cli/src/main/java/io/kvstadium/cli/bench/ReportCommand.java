package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.HtmlBoard;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.RunCheck;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium report}: the report of a saved run, or a page of many. */
@Command(name = "report", description = FirstSentences.REPORT)
public final class ReportCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RESULTS",
      arity = "0..1",
      description = "A results.json, or the directory of a run.")
  private @Nullable Path file;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Where the HTML goes (default: report.html next to the results, index.html of a board).")
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

  @Option(
      names = "--check",
      description =
          "Only says whether the run may be added to a board: exit code 1 if it was edited, is incomplete or noisy.")
  private boolean check;

  @Option(
      names = "--board",
      paramLabel = "DIR",
      description = "One page of all runs in a directory: FILE.json each, or NAME/results.json.")
  private @Nullable Path board;

  @Override
  public Integer call() {
    if (file != null && board == null) {
      return check ? check(Reports.file(file)) : report(file);
    }
    if (file == null && board != null) {
      return board(board);
    }
    throw new BadArgumentException(
        "give RESULTS, the directory of a run, or that of a board by --board DIR");
  }

  private int report(Path run) {
    Format wanted = format.get(details);
    Results read = Reports.read(run);
    Results results = weights == null ? read : read.weighted(weights);
    Report report = Report.of(results);
    Path html = out == null ? Reports.file(run).resolveSibling(Reports.HTML) : out;
    Reports.writeHtml(report, html);
    Reports.print(report, wanted, details);
    if (wanted == Format.TABLE) {
      System.out.println();
      System.out.println("Report: " + html);
    }
    return 0;
  }

  private static int check(Path run) {
    List<String> problems = new ArrayList<>(RunCheck.problems(Reports.read(run)));
    if (!ResultsFile.isUnedited(run)) {
      problems.addFirst(
          "it is not as the command wrote it, or an older version did: measure again");
    }
    problems.forEach(each -> System.out.println(run + ": " + each));
    return problems.isEmpty() ? 0 : 1;
  }

  private int board(Path directory) {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.filter(each -> each.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new BadArgumentException("cannot list " + directory + " (" + Why.of(e) + ")", e);
    }
    if (files.isEmpty()) {
      throw new BadArgumentException(
          "no run is in " + directory + ": put results.json files there");
    }
    Path html = out == null ? directory.resolve("index.html") : out;
    Reports.write(HtmlBoard.render(Reports.readAll(files)), html, "the board");
    System.out.println("Board: " + html);
    return 0;
  }
}
