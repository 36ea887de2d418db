package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Items;
import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.report.Comparison.Line;
import io.kvstadium.bench.report.Comparison.Side;
import io.kvstadium.bench.report.Comparison.Total;
import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Head;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.report.Table.Tone;
import io.kvstadium.bench.stats.Verdict;
import java.text.DecimalFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts a comparison of runs into a document: a column for each run. */
final class ComparisonDocument {
  private final Comparison runs;

  /** With two runs, there is room for the words of the verdict next to the figures. */
  private final boolean two;

  private final List<Document.Section> sections = new ArrayList<>();

  private ComparisonDocument(Comparison runs) {
    this.runs = runs;
    this.two = runs.names().size() == 2;
    String differ = "Circumstances differ, which may explain what follows";
    add(differ, !runs.differences().isEmpty(), Items.of('-', runs.differences()));
    Text none = Text.aside("The runs have nothing in common to compare.");
    add("Figures", !runs.any(), none);
    add("Figures", runs.any(), figures(), Text.aside(legend()));
    add("Overall (geometric mean of the phases)", !runs.totals().isEmpty(), totals());
    add("Not compared", !runs.missing().isEmpty(), Items.of('-', runs.missing()));
  }

  static Document of(Comparison runs) {
    List<Document.Section> sections = new ComparisonDocument(runs).sections;
    String title = "Compared with " + runs.names().getFirst();
    return new Document(title, "", "", List.of(), sections, List.of());
  }

  private void add(String title, boolean applies, Block... blocks) {
    if (applies) {
      sections.add(new Document.Section(title, "", List.of(), List.of(blocks)));
    }
  }

  private Table figures() {
    List<Column<Line>> columns = new ArrayList<>();
    for (int i = 0; i < runs.names().size(); i++) {
      int run = i;
      columns.add(
          new Column<>(Head.of(runs.names().get(run)), line -> cell(line, line.sides().get(run))));
    }
    columns.addAll(verdicts(line -> line.sides().stream().skip(1).map(this::verdict).toList()));
    Map<String, List<Line>> blocks = new LinkedHashMap<>();
    for (Line line : runs.lines()) {
      String other = line.sameData() ? "" : " (other data)";
      String head = line.experiment() + ", " + line.configuration() + other;
      blocks.computeIfAbsent(head, _ -> new ArrayList<>()).add(line);
    }
    List<Rows> rows = new ArrayList<>();
    blocks.forEach((head, lines) ->
        rows.add(new Rows(head, Column.rows(columns, lines, own -> Row.of(own.phase())))));
    return new Table(Table.Look.QUIET, "Medians", "phase", Column.heads(columns), rows);
  }

  private Table totals() {
    List<Column<Total>> columns = new ArrayList<>();
    if (two) {
      columns.add(Column.of("phases", total -> phases(total.sides().getFirst())));
    }
    for (int i = 1; i < runs.names().size() && !two; i++) {
      int run = i - 1;
      columns.add(
          new Column<>(
              Head.of(runs.names().get(i)), own -> brief("", verdict(own.sides().get(run)))));
    }
    columns.addAll(verdicts(total -> total.sides().stream().map(this::verdict).toList()));
    return Table.of(
        Table.Look.QUIET,
        "Overall",
        "configuration",
        columns,
        runs.totals(),
        own -> Row.of(own.experiment() + ", " + own.configuration()));
  }

  private static String phases(Comparison.@Nullable TotalSide total) {
    return total == null ? Table.MISSING : Integer.toString(total.phases());
  }

  /** The words of each later run's verdict. */
  private <R> List<Column<R>> verdicts(Function<R, List<@Nullable Verdict>> of) {
    List<Column<R>> columns = new ArrayList<>();
    for (int i = 1; i < runs.names().size(); i++) {
      int run = i - 1;
      String name = runs.names().get(i) + ": verdict";
      Head head = two ? Head.words("verdict") : Head.words(name, Medium.MARKDOWN);
      columns.add(new Column<>(head, row -> words(of.apply(row).get(run))));
    }
    return columns;
  }

  private @Nullable Verdict verdict(@Nullable Side side) {
    return side == null ? null : side.verdict();
  }

  private @Nullable Verdict verdict(Comparison.@Nullable TotalSide total) {
    return total == null ? null : total.verdict();
  }

  private Cell cell(Line line, @Nullable Side side) {
    String figure = side == null ? "" : Figure.of(side.rate(), line.single()).text();
    Verdict verdict = verdict(side);
    boolean plain = side != null && (two || verdict == null);
    String marked = figure + mark(side);
    return plain ? toned(marked, verdict) : brief(marked, verdict);
  }

  private static String mark(@Nullable Side side) {
    return side == null ? "" : ComparisonGroup.mark(side.trials().configuration());
  }

  /** A figure with a verdict in a word or two. */
  private static Cell brief(String figure, @Nullable Verdict verdict) {
    String word =
        switch (verdict) {
          case Verdict.Faster faster -> "faster ×" + Units.digits(faster.ratio());
          case Verdict.Slower slower -> "slower ×" + Units.digits(slower.ratio());
          case Verdict.Tie _ -> "same";
          case Verdict.NotToldApart _ -> "?";
          case null -> Table.MISSING;
        };
    return toned(Words.join(" ", figure, word), verdict);
  }

  private static Cell words(@Nullable Verdict verdict) {
    return toned(verdict == null ? Table.MISSING : verdict.words(), verdict);
  }

  private static Cell toned(String text, @Nullable Verdict verdict) {
    return Cell.of(text, Tone.of(verdict), "", "");
  }

  /** What the brief verdicts and the mark mean. */
  private String legend() {
    boolean marked =
        runs.lines().stream()
            .flatMap(line -> line.sides().stream())
            .anyMatch(e -> !mark(e).isEmpty());
    return "Medians, and verdicts against %s at 95 %%. Up to %s %% (--margin) may be machine noise%s"
            .formatted(
                runs.names().getFirst(),
                new DecimalFormat("0.#").format((runs.margin() - 1) * 100),
                two ? "." : "; ?: not told apart.")
        + (marked ? " †: with a durability other than asked for." : "");
  }
}
