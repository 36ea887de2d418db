package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Lays a report out as Markdown with tables, for an issue or a page of documentation. */
public final class MarkdownReport {
  private final StringBuilder out = new StringBuilder();

  private MarkdownReport() {}

  /** The report as text, lines ended by {@code \n}. */
  public static String render(Report report) {
    MarkdownReport markdown = new MarkdownReport();
    Results results = report.results();
    markdown.paragraph("# " + clean(results.suite()));
    markdown.paragraph(clean(Circumstances.machine(results.machine())) + ".");
    if (!results.complete()) {
      markdown.paragraph("**Interrupted**: only what was finished is here.");
    }
    report.sections().forEach(markdown::section);
    Sweeps.of(report.sections()).forEach(markdown::projections);
    markdown.circumstances(results);
    return markdown.out.toString();
  }

  /** A comparison as text, with a column for each run. */
  public static String render(Comparisons comparisons) {
    MarkdownReport markdown = new MarkdownReport();
    List<String> head = new ArrayList<>(List.of("experiment", "configuration", "phase"));
    head.addAll(comparisons.names());
    markdown.row(head);
    markdown
        .out
        .append("|---|---|---|--:|")
        .append("---|".repeat(comparisons.pairs().size()))
        .append('\n');
    comparisons
        .subjects()
        .forEach((subject, lines) -> {
          List<String> cells = new ArrayList<>();
          cells.addAll(List.of(subject.experiment(), subject.configuration(), subject.phase(), ""));
          for (Comparison.Line line : lines) {
            if (line == null) {
              cells.add(PublishedTable.MISSING);
            } else {
              cells.set(3, line.figure(line.before()));
              cells.add(line.figure(line.after()) + ", " + line.verdict().words());
            }
          }
          markdown.row(cells);
        });
    markdown.out.append('\n');
    comparisons
        .totals()
        .forEach((subject, totals) -> {
          for (int i = 0; i < totals.size(); i++) {
            Comparison.Total total = totals.get(i);
            if (total != null) {
              String run = comparisons.names().get(i + 1);
              markdown.bullet(
                  "**overall**, "
                      + clean(subject.head() + ", " + run + " " + total.overall().words()));
            }
          }
        });
    comparisons.differences().forEach(text -> markdown.bullet("Differs: " + clean(text)));
    comparisons.missing().forEach(text -> markdown.bullet("Not compared: " + clean(text)));
    return markdown.out.toString();
  }

  private void section(Section section) {
    paragraph(
        "## " + clean(section.experiment().name()) + ": " + clean(section.experiment().question()));
    for (Division division : section.divisions()) {
      paragraph("### " + clean(division.title()));
      paragraph("**" + clean(division.headline()) + "** " + clean(division.note()));
      division
          .verdicts()
          .forEach((of, sentence) -> bullet("**" + clean(of) + "**: " + clean(sentence)));
      out.append('\n');
      division.boards().forEach(this::board);
    }
    section.published().forEach(this::published);
    for (Absence absence : section.absences()) {
      String who = absence.configuration() + ", " + absence.what();
      bullet("**" + clean(who) + "**: " + clean(absence.reason()));
    }
    out.append(section.absences().isEmpty() ? "" : "\n");
  }

  private void projections(List<Section> together) {
    if (together.getFirst().experiment().point() == null) {
      return;
    }
    Sweeps sweep = new Sweeps(together);
    List<String> texts = new ArrayList<>();
    for (String group : sweep.groups().keySet()) {
      for (String phase : sweep.phases(group)) {
        sweep.projections(group, phase).forEach(text -> texts.add(phase + " " + text));
      }
    }
    if (!texts.isEmpty()) {
      paragraph("## " + clean(sweep.title()) + " What to expect where nothing ran");
      texts.forEach(text -> bullet(clean(text)));
      out.append('\n');
    }
  }

  private void board(Board board) {
    // of a phase at a fixed rate: what its callers would have felt
    String times = board.paced() ? "response " : "";
    List<String> head =
        new ArrayList<>(List.of(board.phase(), "median", "95 % interval", "verdict"));
    LatencyColumns.SHORT.forEach(column -> head.add(times + column.head()));
    row(head);
    out.append("|---|--:|--:|---|").append("--:|".repeat(LatencyColumns.SHORT.size())).append('\n');
    for (Cell cell : board.cells()) {
      List<String> cells = new ArrayList<>();
      cells.add(cell.configuration());
      cells.add(board.figure(cell));
      cells.add(board.interval(cell));
      Stream<String> notes = cell.marks().stream().map(Mark::explanation);
      if (cell.felt() != null && !cell.felt().single()) {
        notes = Stream.concat(notes, Stream.of(LatencyColumns.note(cell.felt())));
      }
      String marks = String.join("; ", notes.toList());
      cells.add(board.standing(cell) + (marks.isEmpty() ? "" : " (" + marks + ")"));
      cells.addAll(latencies(cell));
      row(cells);
    }
    out.append('\n');
  }

  private static List<String> latencies(Cell cell) {
    Latencies latencies = cell.felt();
    return latencies == null
        ? LatencyColumns.SHORT.stream().map(_ -> CostTexts.UNKNOWN).toList()
        : Column.texts(LatencyColumns.SHORT, latencies);
  }

  private void published(PublishedTable table) {
    paragraph("### As published: " + clean(table.title()));
    boolean headed = table.blocks().stream().anyMatch(block -> !block.head().isEmpty());
    List<String> head =
        new ArrayList<>(headed ? List.of("", table.label()) : List.of(table.label()));
    head.addAll(table.columns());
    row(head);
    out.append(headed ? "|---|---|" : "|---|")
        .append("--:|".repeat(table.columns().size()))
        .append('\n');
    for (PublishedTable.Block block : table.blocks()) {
      for (PublishedTable.Row each : block.rows()) {
        List<String> cells = new ArrayList<>();
        if (headed) {
          cells.add(block.head());
        }
        cells.add(each.label());
        cells.addAll(each.cells());
        row(cells);
      }
    }
    out.append('\n');
    paragraph(clean(table.note()));
    table.remarks().forEach(remark -> bullet(clean(remark)));
    out.append(table.remarks().isEmpty() ? "" : "\n");
  }

  private void circumstances(Results results) {
    paragraph("## Circumstances");
    if (results.audit() != null) {
      bullet(clean(Circumstances.audit(results.audit())));
    }
    for (Finding finding : results.findings()) {
      String level = finding.level().name().toLowerCase(Locale.ROOT);
      bullet(clean(level + ", " + finding.subject() + ": " + finding.message()));
    }
    bullet(clean(Circumstances.run(results)));
    bullet(Circumstances.INTERVALS);
  }

  private void paragraph(String text) {
    out.append(text.strip()).append("\n\n");
  }

  private void bullet(String text) {
    out.append("- ").append(text).append('\n');
  }

  private void row(List<String> cells) {
    out.append('|');
    cells.forEach(cell -> out.append(' ').append(clean(cell)).append(" |"));
    out.append('\n');
  }

  /** On one line, and without what Markdown or HTML inside it would read as their own. */
  private static String clean(String text) {
    return Ink.clean(text).replaceAll("([\\\\`*_|<>#\\[\\]&])", "\\\\$1");
  }
}
