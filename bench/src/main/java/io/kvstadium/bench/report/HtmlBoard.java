package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.RunCheck;
import io.kvstadium.bench.report.analysis.Standing;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Head;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.report.table.Table.Tone;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Facts;
import io.kvstadium.bench.text.TextStyle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs of many machines and versions on one page: for each experiment on equal data a table with a
 * row for each configuration of each run. A script lets the reader sort and choose rows.
 */
public final class HtmlBoard extends Page {
  /** Heads of the columns by whose words rows can be chosen. */
  private static final String FILTERS = "engine level language processor disk";

  /** A configuration in one of the runs. */
  private record Entry(NamedRun run, ComparisonGroup group, ConfigurationResult configuration) {
    Cell figure(String phase) {
      for (PhaseRanking ranking : group.rankings()) {
        Standing own = ranking.phase().equals(phase) ? ranking.of(configuration.name()) : null;
        if (own != null) {
          return Cell.of(own.text(), own.warnings().isEmpty() ? Tone.PLAIN : Tone.DIM);
        }
      }
      return Cell.NONE;
    }

    Row begun() {
      SeriesStyle style = SeriesStyle.of(group.configurations(), configuration.name());
      return new Row(configuration.name(), style, List.of(), List.of());
    }
  }

  private final List<NamedRun> runs;

  private HtmlBoard(List<NamedRun> runs) {
    this.runs = runs;
  }

  /** The page, to be written as UTF-8. */
  public static String render(List<NamedRun> runs) {
    return new HtmlBoard(runs).render("KV Stadium board");
  }

  @Override
  void body() {
    top("Board", runs.size() == 1 ? "One run" : runs.size() + " runs");
    aside(
        "Compare engines within a run; between runs machines differ as well. Grey figures are to be"
            + " taken with care, as the report of their run says.");
    Map<List<String>, List<Entry>> tables = new LinkedHashMap<>();
    for (NamedRun run : runs) {
      for (ExperimentReport section : Report.of(run.results()).sections()) {
        List<Entry> entries =
            tables.computeIfAbsent(
                List.of(
                    run.results().suite(), section.experiment().plan().question(), data(section)),
                _ -> new ArrayList<>());
        section
            .groups()
            .forEach(
                group -> group.ran().forEach(each -> entries.add(new Entry(run, group, each))));
      }
    }
    int number = 0;
    for (Map.Entry<List<String>, List<Entry>> each : tables.entrySet()) {
      List<String> about = each.getKey();
      section("b" + ++number, about.get(0), about.get(1), () -> board(about, each.getValue()));
    }
    section("runs", "", "Runs", this::runs);
    out.close();
  }

  /** What was stored, but for where the user had it. */
  private static String data(ExperimentReport section) {
    return section.experiment().shape().entrySet().stream()
        .filter(each -> !each.getKey().equals("source"))
        .map(each -> each.getKey() + " " + Facts.text(each.getValue()))
        .collect(Collectors.joining("; "));
  }

  private void board(List<String> about, List<Entry> entries) {
    aside(about.get(2));
    List<Column<Entry>> columns = new ArrayList<>();
    words(columns, "run", each -> each.run.name());
    words(columns, "engine", each -> each.configuration.plan().engine());
    words(columns, "level", each -> each.configuration.effective().word());
    words(columns, "language", each -> each.configuration.plan().language());
    words(columns, "processor", each -> each.run.results().machine().cpu());
    words(columns, "disk", each -> each.run.results().machine().fileSystem());
    words(columns, "version", each -> each.configuration.version());
    entries.stream()
        .flatMap(each -> each.group.rankings().stream())
        .map(PhaseRanking::phase)
        .distinct()
        .forEach(phase -> columns.add(Column.cells(phase, each -> each.figure(phase))));
    out.open("div", "data-filters", FILTERS);
    Table.of(about.get(1), columns, entries, Entry::begun).html(out, true);
    out.close();
  }

  private static <R> void words(List<Column<R>> columns, String head, Function<R, String> text) {
    columns.add(new Column<>(new Head(head, true), row -> Cell.of(text.apply(row))));
  }

  private void runs() {
    List<Column<NamedRun>> columns = new ArrayList<>();
    words(columns, "says of itself", HtmlBoard::trust);
    words(columns, "machine", each -> Details.machine(each.results().machine()));
    words(columns, "began", each -> each.results().started());
    words(columns, "Stadium", each -> each.results().stadium());
    words(columns, "command", each -> each.results().command());
    Table.of(
            "Runs of the board",
            columns,
            runs,
            each -> new Row(each.name(), null, List.of(), List.of()))
        .html(out, true);
  }

  private static String trust(NamedRun run) {
    List<String> problems = RunCheck.problems(run.results());
    return problems.isEmpty()
        ? "complete and quiet"
        : TextStyle.sentence(String.join("; ", problems));
  }
}
