package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Comparison.Line;
import io.kvstadium.bench.report.analysis.Difference;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.NamedRun.Part;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.chart.LineChart;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Head;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison as one page: what differs, what changed, and the latencies over each other. */
public final class HtmlComparison extends Page {
  private final Comparison comparison;
  private final ComparisonText text;
  private final List<NamedRun> runs;
  private final Thresholds.@Nullable Result gate;

  private HtmlComparison(
      Comparison comparison, List<NamedRun> runs, Thresholds.@Nullable Result gate) {
    this.comparison = comparison;
    this.text = new ComparisonText(comparison);
    this.runs = runs;
    this.gate = gate;
  }

  /**
   * The page, to be written as UTF-8.
   *
   * @param runs that it compares
   * @param gate what became of conditions, or {@code null} if there were none
   */
  public static String render(
      Comparison comparison, List<NamedRun> runs, Thresholds.@Nullable Result gate) {
    return new HtmlComparison(comparison, runs, gate)
        .render(String.join(", ", comparison.names()) + ": KV Stadium comparison");
  }

  @Override
  void body() {
    NamedRun first = runs.getFirst();
    String machine = Details.circumstances(first.results()).get("Machine");
    top(
        first.results().suite() + ": " + String.join(" → ", comparison.names()),
        (runs.size() == 2 && first.interleaved() ? "Both versions in the same rounds. " : "")
            + Objects.requireNonNullElse(machine, ""));
    gate();
    section("differences", "", "What differs", this::differences);
    int number = 0;
    for (ExperimentResult each : first.results().experiments()) {
      List<Line> lines =
          comparison.lines().stream()
              .filter(line -> line.part().experiment().equals(each.name()))
              .toList();
      if (!lines.isEmpty()) {
        section("e" + ++number, each.name(), each.plan().question(), () -> experiment(each, lines));
      }
    }
    out.close();
  }

  private void gate() {
    if (gate == null) {
      return;
    }
    if (!gate.broken().isEmpty()) {
      notice("Broken");
      items(gate.broken());
    }
    if (!gate.open().isEmpty()) {
      notice("These runs cannot tell");
      items(gate.open());
    }
    if (gate.broken().isEmpty() && gate.open().isEmpty()) {
      aside("Every condition is shown to be kept.");
    }
  }

  /** Circumstances with a column for each run. */
  private void differences() {
    NamedRun first = runs.getFirst();
    Set<String> names = new LinkedHashSet<>();
    Map<String, Map<String, Difference>> later = new LinkedHashMap<>();
    for (NamedRun run : runs.subList(1, runs.size())) {
      Map<String, Difference> own =
          Difference.between(first, run).stream()
              .collect(
                  Collectors.toMap(
                      Difference::what, each -> each, (one, _) -> one, LinkedHashMap::new));
      later.put(run.name(), own);
      names.addAll(own.keySet());
    }
    if (names.isEmpty()) {
      aside("Nothing: machine, versions, settings and data are the same.");
    } else {
      List<Row> rows = new ArrayList<>();
      for (String what : names) {
        String before =
            later.values().stream()
                .map(own -> own.get(what))
                .filter(Objects::nonNull)
                .map(Difference::before)
                .findFirst()
                .orElse("");
        List<Cell> cells = new ArrayList<>(List.of(Cell.of(before)));
        later.values().stream()
            .map(own -> own.get(what))
            .map(own -> Cell.of(own == null ? before : own.after()))
            .forEach(cells::add);
        rows.add(new Row(what, null, cells, List.of()));
      }
      List<Head> heads = comparison.names().stream().map(each -> new Head(each, true)).toList();
      new Table("Each is another possible cause of a verdict", heads, rows).html(out, false);
    }
    items(comparison.missing().stream().map(each -> "Not compared: " + each).toList());
  }

  private void experiment(ExperimentResult experiment, List<Line> lines) {
    List<Line> shown = text.shown();
    table(
        "What phases are compared by, and what changed",
        lines.stream().filter(shown::contains).toList());
    aside(text.legend());
    items(text.measures());
    fold("Every figure", () -> table("Every figure", lines));
    for (ConfigurationResult each : experiment.configurations()) {
      List<Part> phases =
          lines.stream()
              .map(Line::part)
              .filter(part -> part.configuration().equals(each.name()) && part.isPhase())
              .distinct()
              .toList();
      if (phases.stream().anyMatch(part -> curves(part) != null)) {
        out.element("h3", each.name() + ": latency").open("div.drawings");
        phases.forEach(this::latencies);
        out.close();
      }
    }
  }

  private void table(String caption, List<Line> lines) {
    Table table = text.table(lines);
    new Table(caption, table.heads(), table.rows()).html(out, false);
  }

  private void latencies(Part part) {
    LineChart curves = curves(part);
    if (curves != null) {
      out.open("div.drawing");
      chart(curves);
      Details.latencies(part.phase(), trials(part)).html(out, true);
      out.close();
    }
  }

  private @Nullable LineChart curves(Part part) {
    return Charts.curves(part.phase(), trials(part));
  }

  /** A phase in each run that has it. */
  private Map<String, Trials> trials(Part part) {
    Map<String, Trials> trials = new LinkedHashMap<>();
    for (NamedRun run : runs) {
      ConfigurationResult own = run.configuration(part);
      if (own != null && runs.getFirst().comparable(run, part)) {
        trials.put(run.name(), Trials.of(own, part.phase()));
      }
    }
    trials.values().removeIf(Trials::isEmpty);
    return trials;
  }
}
