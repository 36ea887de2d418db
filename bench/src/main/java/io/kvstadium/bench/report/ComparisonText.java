package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Comparison.Line;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.FigureEstimate;
import io.kvstadium.bench.report.analysis.FigureTrials;
import io.kvstadium.bench.report.analysis.Measure;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.report.table.Table.Tone;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.text.DecimalFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison for people: a table, and what stands below it. */
public record ComparisonText(Comparison comparison) {
  /** The comparison for a terminal of 80 columns, its lines ended by {@code \n}. */
  public String text(boolean ansi) {
    TextStyle style = new TextStyle(ansi);
    List<String> text = new ArrayList<>(table(shown()).lines(style));
    TextStyle.wrap("", 2, legend()).forEach(line -> text.add(style.dim(line)));
    remarks().forEach(each -> text.addAll(TextStyle.wrap("- ", 2, each)));
    return text.stream().map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
  }

  /** The same in Markdown. */
  public String markdown() {
    StringBuilder out = new StringBuilder(table(shown()).markdown());
    out.append('\n').append(Table.escaped(legend())).append("\n\n");
    remarks().forEach(each -> out.append("- ").append(Table.escaped(each)).append('\n'));
    return out.toString().stripTrailing() + "\n";
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>(measures());
    comparison.differences().forEach(each -> remarks.add("Differs, and may be the cause: " + each));
    comparison.missing().forEach(each -> remarks.add("Not compared: " + each));
    return remarks;
  }

  /** Which phases are not compared by their throughput. */
  List<String> measures() {
    List<String> remarks = new ArrayList<>();
    Map<String, Set<String>> measures = new LinkedHashMap<>();
    for (Line line : comparison.lines()) {
      Measure measure = line.measure();
      if (measure != null && !measure.isUsual()) {
        measures.computeIfAbsent(measure.words(), _ -> new LinkedHashSet<>()).add(line.phase());
      }
    }
    measures.forEach((words, phases) -> remarks.add(String.join(", ", phases) + ": by " + words));
    return remarks;
  }

  /** A column for each run, and for two runs the words of the verdict. */
  Table table(List<Line> some) {
    boolean two = comparison.names().size() == 2;
    List<Column<Map<String, Line>>> columns = new ArrayList<>();
    for (String name : comparison.names()) {
      columns.add(Column.cells(name, row -> cell(row.get(name), two)));
    }
    if (two) {
      columns.add(
          new Column<>(
              new Table.Head("verdict", true),
              row -> verdict(row.get(comparison.names().getLast()))));
    }
    Map<String, Map<String, Map<String, Line>>> blocks = new LinkedHashMap<>();
    for (Line line : some) {
      String head = line.part().experiment() + ", " + line.part().configuration();
      boolean other =
          comparison.lines().stream()
              .anyMatch(o -> o.part().equals(line.part()) && o.trials() != null && !o.sameData());
      blocks
          .computeIfAbsent(other ? head + " (other data)" : head, _ -> new LinkedHashMap<>())
          .computeIfAbsent(line.title(), _ -> new LinkedHashMap<>())
          .put(line.run(), line);
    }
    List<Row> rows = new ArrayList<>();
    List<Table.Head> heads = columns.stream().map(Column::head).toList();
    blocks.forEach((head, figures) -> {
      rows.add(Row.heading(head));
      figures.forEach((name, row) -> {
        List<Cell> cells = columns.stream().map(column -> column.cell().apply(row)).toList();
        rows.add(new Row(name, null, cells, List.of()));
      });
    });
    return new Table("", heads, rows);
  }

  /** What phases are compared by, and of the other figures those that any run has changed. */
  List<Line> shown() {
    Set<String> changed = new HashSet<>();
    comparison.lines().stream()
        .filter(Line::changed)
        .forEach(line -> changed.add(line.part() + line.title()));
    return comparison.lines().stream()
        .filter(line -> line.main() || changed.contains(line.part() + line.title()))
        .toList();
  }

  private static Cell cell(@Nullable Line line, boolean two) {
    if (line == null) {
      return Cell.NONE;
    }
    FigureEstimate known = line.figure();
    FigureTrials trials = line.trials();
    String figure = known == null ? "" : known.text();
    String mark = trials != null && ComparisonGroup.isStronger(trials.configuration()) ? "†" : "";
    String shown = TextStyle.join(" ", figure + mark, two ? "" : brief(line));
    return shown.isEmpty() ? Cell.NONE : Cell.of(shown, tone(line.verdict()));
  }

  private static Cell verdict(@Nullable Line line) {
    Verdict verdict = line == null ? null : line.verdict();
    return line == null || verdict == null ? Cell.NONE : Cell.of(line.words(), tone(verdict));
  }

  private static String brief(Line line) {
    return switch (line.verdict()) {
      case Verdict.Faster faster -> line.word() + " " + Units.times(faster.ratio());
      case Verdict.Slower slower -> line.word() + " " + Units.times(slower.ratio());
      case Verdict.Equal _ -> "=";
      case Verdict.Undecided _ -> "~";
      case null -> "";
    };
  }

  private static Tone tone(@Nullable Verdict verdict) {
    return switch (verdict) {
      case Verdict.Faster _ -> Tone.GOOD;
      case Verdict.Slower _ -> Tone.BAD;
      case Verdict.Undecided _ -> Tone.DIM;
      case null, default -> Tone.PLAIN;
    };
  }

  String legend() {
    boolean marked =
        comparison.lines().stream()
            .anyMatch(
                l -> l.trials() != null && ComparisonGroup.isStronger(l.trials().configuration()));
    String others = Figures.COMPARED.stream().map(Figure::head).collect(Collectors.joining(", "));
    String noise =
        comparison.margin() == 1
            ? ""
            : " Up to %s %% (--comparison.margin()) may be machine noise."
                .formatted(new DecimalFormat("0.#").format((comparison.margin() - 1) * 100));
    return ("Means, and verdicts against %s at 95 %%.%s Where they changed, there are also: %s;"
            + " --format csv has them all.%s%s")
        .formatted(
            comparison.names().getFirst(),
            noise,
            others,
            comparison.names().size() == 2 ? "" : " ~ not decided yet, = equal within that.",
            marked ? " †: at a durability other than asked for." : "");
  }
}
