package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.Costs;
import io.kvstadium.bench.report.analysis.CurrentEngine;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.Sweep;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.chart.LineChart;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.result.Facts;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The report as one page. */
public final class HtmlReport extends Page {
  /** Factors, with the percentage of a heat map's darkest colour for each. */
  private static final Map<String, Integer> SCALE =
      Map.ofEntries(
          Map.entry("×1", 0),
          Map.entry("×3", 24),
          Map.entry("×10", 50),
          Map.entry("×30", 74),
          Map.entry("×100 and more", 100));

  private static final String THROUGHPUT =
      "One line for each configuration: its median trial. Below the axis, ticks are garbage"
          + " collections; bars are compactions, flushes or cleanings.";

  private static final String RESPONSE =
      "Response times count from the intended start of an operation, so they include waiting behind"
          + " slow ones; service times do not.";

  private final Report report;

  private HtmlReport(Report report) {
    this.report = report;
  }

  /** The page, to be written as UTF-8. */
  public static String render(Report report) {
    return new HtmlReport(report).render(report.results().suite() + ": KV Stadium report");
  }

  @Override
  void body() {
    Map<String, String> circumstances = Details.circumstances(report.results());
    top(
        "Suite " + report.results().suite(),
        Objects.requireNonNullElse(circumstances.remove("Machine"), ""));
    if (!report.results().complete()) {
      notice("Interrupted: this shows only what was finished.");
    }
    items(Answer.warnings(report));
    int number = 0;
    for (List<ExperimentReport> chapter : report.chapters()) {
      ExperimentReport first = chapter.getFirst();
      boolean sweep = first.experiment().plan().point() != null;
      section(
          "e" + ++number,
          sweep ? Sweep.of(chapter).point().sweep() : first.experiment().name(),
          first.experiment().plan().question(),
          () -> {
            if (sweep) {
              sweep(Sweep.of(chapter));
            } else {
              section(first);
            }
          });
    }
    section(
        "circumstances",
        "",
        "Circumstances",
        () -> {
          items(Answer.remarks(report));
          terms(circumstances);
        });
    out.close();
  }

  private void section(ExperimentReport section) {
    aside(
        section.experiment().shape().entrySet().stream()
            .map(each -> each.getKey() + " " + Facts.text(each.getValue()))
            .collect(Collectors.joining("; ")));
    for (ComparisonGroup group : section.groups()) {
      out.element("h3", TextStyle.sentence(group.title()));
      if (group.rankings().isEmpty()) {
        continue;
      }
      Answer.table(section, group).html(out, false);
      scale();
      aside(Answer.legend(group));
      items(Answer.sentences(section, group));
      items(CurrentEngine.of(section, group));
    }
    section.groups().forEach(this::figures);
    if (!section.costs().isEmpty()) {
      out.element("h4", "Costs");
      Costs.table(section.costs()).html(out, true);
      aside(Costs.LEGEND);
    }
    Map<String, String> absences = Details.absences(section.absences().stream());
    if (!absences.isEmpty()) {
      out.element("h4", "Not measured");
      terms(absences);
    }
    fold("What was run", () -> terms(Details.setup(section)));
  }

  private void figures(ComparisonGroup group) {
    List<PhaseRanking> rankings = group.rankings();
    if (rankings.isEmpty()) {
      return;
    }
    out.open("div.charts");
    rankings.forEach(ranking -> chart(Charts.bars(ranking)));
    out.close();
    if (rankings.stream().anyMatch(each -> Details.latencies(each) != null)) {
      out.element("h4", "Latency").open("div.drawings");
      rankings.forEach(this::latencies);
      out.close();
    }
    if (rankings.stream().anyMatch(each -> Charts.throughput(each) != null)) {
      out.element("h4", "Throughput over time");
      aside(THROUGHPUT);
      out.open("div.drawings");
      rankings.forEach(this::throughput);
      out.close();
    }
    fold(
        "Every figure, interval and verdict",
        () ->
            rankings.forEach(ranking -> {
              Table table = Details.figures(ranking);
              table.html(out, false);
              aside(TextStyle.sentence(ranking.sentence()));
              items(
                  table.rows().stream()
                      .flatMap(row -> row.notes().stream().map(note -> row.name() + ", " + note))
                      .toList());
            }));
  }

  private void latencies(PhaseRanking ranking) {
    Table table = Details.latencies(ranking);
    if (table == null) {
      return;
    }
    LineChart curves = Charts.curves(ranking);
    out.open("div.drawing");
    chart(curves);
    table.html(out, curves != null);
    aside(ranking.atFixedRate() ? RESPONSE : "");
    out.close();
    Table tries = Details.tries(ranking);
    if (tries != null) {
      out.open("div.drawing");
      tries.html(out, false);
      out.close();
    }
  }

  private void throughput(PhaseRanking ranking) {
    LineChart chart = Charts.throughput(ranking);
    if (chart != null) {
      out.open("div.drawing");
      chart(chart);
      out.open("p.legend");
      ranking.all().stream()
          .filter(own -> own.throughput() != null)
          .forEach(own -> {
            key(own.style());
            out.text(own.configuration() + " ");
          });
      out.close().close();
    }
  }

  private void key(SeriesStyle style) {
    out.open("svg.key." + style.style(), "viewBox", "0 0 24 10", "aria-hidden", "true");
    out.empty("path", "d", "M0 5H24").empty("use", "href", "#m" + style.marker()).close();
  }

  private void sweep(Sweep sweep) {
    items(
        sweep.phases().stream()
            .filter(phase -> Trials.workload(phase.name()))
            .map(phase -> TextStyle.sentence(phase.name()) + ": " + phase.sentence())
            .toList());
    out.open("div.drawings");
    for (Sweep.Phase phase : sweep.phases()) {
      out.open("div.drawing");
      chart(Charts.sweep(sweep, phase));
      Table table = sweep.table(phase);
      table.html(out, true);
      items(
          table.rows().stream()
              .flatMap(row -> row.notes().stream().map(note -> row.name() + ", " + note))
              .toList());
      out.close();
    }
    out.close();
    for (ExperimentReport point : sweep.points()) {
      String title = "Details of " + sweep.parameter() + " " + Units.number(point.value());
      fold(title, () -> section(point));
    }
  }

  // ---- pieces

  /** What the colours of cells mean. */
  private void scale() {
    out.open("p.scale", "aria-hidden", "true");
    SCALE.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(each -> out.element("span", each.getKey(), "style", "--h:" + each.getValue()));
    out.close();
  }
}
