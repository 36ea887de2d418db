package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Items;
import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.report.Comparisons.Subject;
import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Head;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.report.Table.Tone;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts a comparison of runs into a document: a column for each run. */
final class ComparisonDocument {
  private final Comparisons runs;

  /** With two runs there is room for the verdict's words beside the figures. */
  private final boolean two;

  private ComparisonDocument(Comparisons runs) {
    this.runs = runs;
    this.two = runs.pairs().size() == 1;
  }

  static Document of(Comparisons runs) {
    return new ComparisonDocument(runs).document();
  }

  private Document document() {
    List<Document.Section> sections = new ArrayList<>();
    add(
        sections,
        "Circumstances differ, which may explain what follows",
        List.of(Items.of('-', runs.differences())),
        runs.differences().isEmpty());
    List<Block> figures = new ArrayList<>();
    if (runs.any()) {
      figures.add(figures());
      figures.add(new Text(Style.ASIDE, runs.legend()));
    } else {
      figures.add(new Text(Style.ASIDE, "The runs have nothing in common to compare."));
    }
    add(sections, "Figures", figures, false);
    add(
        sections,
        "Overall (geometric mean of the phases)",
        List.of(totals()),
        runs.totals().isEmpty());
    add(sections, "Not compared", List.of(Items.of('-', runs.missing())), runs.missing().isEmpty());
    return new Document(
        "Compared with " + runs.names().getFirst(), "", "", List.of(), sections, List.of());
  }

  private static void add(
      List<Document.Section> sections, String title, List<Block> blocks, boolean empty) {
    if (!empty) {
      sections.add(new Document.Section(title, "", List.of(), blocks));
    }
  }

  private List<Head> heads(boolean baseline) {
    List<Head> heads = new ArrayList<>();
    runs.names().stream().skip(baseline ? 0 : 1).forEach(name -> heads.add(Head.of(name)));
    for (String name : runs.names().subList(1, runs.names().size())) {
      heads.add(two ? Head.words("verdict") : Head.words(name + ": verdict", Medium.MARKDOWN));
    }
    return heads;
  }

  private Table figures() {
    Map<String, List<Row>> blocks = new LinkedHashMap<>();
    runs.subjects()
        .forEach((subject, lines) -> {
          List<Cell> cells = new ArrayList<>();
          List<Cell> verdicts = new ArrayList<>();
          String before = Table.MISSING;
          boolean paired = true;
          for (Comparison.Change line : lines) {
            before = line == null ? before : line.figure(line.before());
            cells.add(cell(line == null ? "" : line.figure(line.after()), verdict(line)));
            verdicts.add(words(verdict(line)));
            paired &= line == null || line.paired();
          }
          cells.addFirst(Cell.of(before));
          cells.addAll(verdicts);
          String head = subject.head() + (paired ? "" : " (other data: trials are not paired)");
          blocks
              .computeIfAbsent(head, _ -> new ArrayList<>())
              .add(new Row(subject.phase(), null, false, false, cells, List.of()));
        });
    return new Table(
        Table.Look.QUIET,
        "Medians",
        "phase",
        heads(true),
        blocks.entrySet().stream().map(each -> new Rows(each.getKey(), each.getValue())).toList());
  }

  private static @Nullable Verdict verdict(Comparison.@Nullable Change line) {
    return line == null ? null : line.verdict();
  }

  private Table totals() {
    List<Row> rows = new ArrayList<>();
    for (Map.Entry<Subject, List<Comparison.@Nullable Total>> each : runs.totals().entrySet()) {
      List<Cell> cells = new ArrayList<>();
      List<Cell> verdicts = new ArrayList<>();
      for (Comparison.Total total : each.getValue()) {
        cells.add(
            total == null
                ? Cell.of(Table.MISSING)
                : two
                    ? Cell.of(Integer.toString(total.overall().phases()))
                    : cell("", total.overall().verdict()));
        verdicts.add(words(total == null ? null : total.overall().verdict()));
      }
      cells.addAll(verdicts);
      rows.add(new Row(each.getKey().head(), null, false, false, cells, List.of()));
    }
    List<Head> heads = heads(false);
    if (two) {
      heads.set(0, Head.of("phases"));
    }
    return Table.of(Table.Look.QUIET, "Overall", "configuration", heads, rows);
  }

  private Cell cell(String figure, @Nullable Verdict verdict) {
    String text = verdict == null ? Table.MISSING : two ? figure : brief(figure, verdict);
    return Cell.of(text, tone(verdict), "");
  }

  private static String brief(String figure, Verdict verdict) {
    return Words.join(" ", figure, Comparisons.brief(verdict));
  }

  private static Cell words(@Nullable Verdict verdict) {
    return Cell.of(verdict == null ? Table.MISSING : verdict.words(), tone(verdict), "");
  }

  private static Tone tone(@Nullable Verdict verdict) {
    return switch (verdict) {
      case Verdict.Faster _ -> Tone.GOOD;
      case Verdict.Slower _ -> Tone.BAD;
      case null, default -> Tone.PLAIN;
    };
  }
}
