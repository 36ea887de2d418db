package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.FigureName;
import io.kvstadium.bench.report.History;
import io.kvstadium.bench.report.HtmlHistory;
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
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium history}: a figure over many runs. */
@Command(name = "history", description = FirstSentences.HISTORY)
public final class HistoryCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIR",
      arity = "1..*",
      description =
          "Runs, or directories of runs. Runs of other machines, suites, data or phases are a history"
              + " of their own.")
  private List<Path> directories = new ArrayList<>();

  @Option(
      names = "--figure",
      paramLabel = "FIGURE",
      description =
          "Such as throughput, 'p99(update)', cpu or disk (default: what each phase is compared by).")
  private @Nullable String figure;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Writes a page with a chart for each phase.")
  private @Nullable Path html;

  @Override
  public Integer call() {
    FigureName wanted = figure == null ? null : FigureName.parse(figure);
    List<Path> runs = directories.stream().flatMap(each -> runs(each).stream()).distinct().toList();
    List<History> histories = History.of(Reports.readAll(runs), wanted);
    if (html != null) {
      Reports.write(HtmlHistory.render(histories), html, "the page");
    }
    System.out.print(History.text(histories, Ansi.AUTO.enabled()));
    if (html != null) {
      System.out.println("Page: " + html);
    }
    return 0;
  }

  /** The run that a path is, or those in it. */
  private static List<Path> runs(Path path) {
    if (!Files.isDirectory(path) || Files.exists(Reports.file(path))) {
      return List.of(path);
    }
    try (Stream<Path> below = Files.list(path)) {
      List<Path> runs =
          below
              .filter(each -> Files.isDirectory(each) && Files.exists(Reports.file(each)))
              .sorted()
              .toList();
      if (runs.isEmpty()) {
        throw new BadArgumentException(
            "no run is in "
                + path
                + ": give directories with a results.json, or one of such directories");
      }
      return runs;
    } catch (IOException e) {
      throw new BadArgumentException("cannot list " + path + " (" + Why.of(e) + ")", e);
    }
  }
}
