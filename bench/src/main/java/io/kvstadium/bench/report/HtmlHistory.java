package io.kvstadium.bench.report;

import io.kvstadium.bench.report.History.Series;
import io.kvstadium.bench.report.analysis.NamedRun.Part;
import io.kvstadium.bench.report.chart.LineChart;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Head;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.text.TextStyle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Histories as one page: what changed, and a line over the runs for each configuration. */
public final class HtmlHistory extends Page {
  private final List<History> histories;

  private HtmlHistory(List<History> histories) {
    this.histories = histories;
  }

  /** The page, to be written as UTF-8. */
  public static String render(List<History> histories) {
    return new HtmlHistory(histories).render("KV Stadium history");
  }

  @Override
  void body() {
    top("History", "");
    int number = 0;
    for (History each : histories) {
      String machine =
          Details.circumstances(each.runs().getLast().results()).getOrDefault("Machine", "");
      section("h" + ++number, machine, TextStyle.sentence(each.title()), () -> history(each));
    }
    out.close();
  }

  private void history(History history) {
    aside(history.whyApart());
    List<String> changes = history.changes();
    aside(
        changes.isEmpty()
            ? "No change is significant. One is, where two runs or more before and after differ by"
                + " more than equal runs would in one of twenty histories."
            : "");
    items(changes);
    Map<String, List<Series>> drawings = new LinkedHashMap<>();
    history
        .series()
        .forEach(each ->
            drawings
                .computeIfAbsent(
                    TextStyle.join(", ", each.part().experiment(), each.title()),
                    _ -> new ArrayList<>())
                .add(each));
    out.open("div.drawings");
    drawings.forEach((title, own) -> drawing(history, title, own));
    out.close();
    fold("Runs", () -> runs(history));
  }

  private void drawing(History history, String title, List<Series> all) {
    out.open("div.drawing");
    Map<Series, SeriesStyle> styles = new LinkedHashMap<>();
    all.forEach(each -> styles.put(each, style(history, each.part())));
    LineChart chart = Charts.history(title, styles);
    chart(chart);
    List<Head> heads =
        List.of(new Head("first", false), new Head("last", false), new Head("changes", true));
    List<Row> rows = new ArrayList<>();
    styles.forEach((each, style) -> {
      List<String> changes =
          each.changes().stream()
              .map(change ->
                  History.words(each, change.verdict()) + " since run " + (change.at() + 1))
              .toList();
      rows.add(
          new Row(
              each.part().configuration(),
              style,
              List.of(
                  Cell.of(each.first().estimate().text()),
                  Cell.of(each.last().estimate().text()),
                  Cell.of(changes.isEmpty() ? "none" : String.join("; ", changes))),
              List.of()));
    });
    new Table(title, heads, rows).html(out, true);
    out.close();
  }

  /** As in the report of the last run that has it. */
  private static SeriesStyle style(History history, Part part) {
    return history.runs().reversed().stream()
        .filter(run -> run.configuration(part) != null)
        .findFirst()
        .map(run -> {
          List<ConfigurationResult> all =
              Objects.requireNonNull(run.experiment(part.experiment())).configurations();
          return SeriesStyle.of(all, part.configuration());
        })
        .orElseThrow();
  }

  private void runs(History history) {
    List<Head> heads =
        List.of(new Head("run", true), new Head("began", true), new Head("Stadium", true));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < history.runs().size(); i++) {
      var run = history.runs().get(i);
      rows.add(
          new Row(
              String.valueOf(i + 1),
              null,
              List.of(
                  Cell.of(run.name()),
                  Cell.of(run.results().started()),
                  Cell.of(run.results().stadium())),
              List.of()));
    }
    new Table("Runs of the history", heads, rows).html(out, true);
  }
}
