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
    markdown.circumstances(results);
    return markdown.out.toString();
  }

  private void section(Section section) {
    paragraph(
        "## " + clean(section.experiment().name()) + ": " + clean(section.experiment().question()));
    for (Division division : section.divisions()) {
      paragraph("### " + clean(division.title()));
      paragraph("**" + clean(division.headline()) + "** " + clean(division.note()));
      for (Board board : division.boards()) {
        bullet("**" + clean(board.phase()) + "**: " + clean(board.sentence()));
      }
      out.append('\n');
      division.boards().forEach(this::board);
    }
    if (section.asPublished() != null) {
      published(section.asPublished());
    }
    for (Absence absence : section.absences()) {
      String who = absence.configuration() + ", " + absence.what();
      bullet("**" + clean(who) + "**: " + clean(absence.reason()));
    }
    out.append(section.absences().isEmpty() ? "" : "\n");
  }

  private void board(Board board) {
    row(List.of(board.phase(), "median", "95 % interval", "verdict", "p50", "p99", "p99.9", "max"));
    out.append("|---|--:|--:|---|--:|--:|--:|--:|\n");
    for (Cell cell : board.cells()) {
      List<String> cells = new ArrayList<>();
      cells.add(cell.configuration());
      cells.add(board.figure(cell));
      cells.add(board.interval(cell));
      String marks = String.join("; ", cell.marks().stream().map(Mark::explanation).toList());
      cells.add(board.standing(cell) + (marks.isEmpty() ? "" : " (" + marks + ")"));
      cells.addAll(latencies(cell));
      row(cells);
    }
    out.append('\n');
  }

  private static List<String> latencies(Cell cell) {
    Latencies latencies = cell.latencies();
    if (latencies == null) {
      return List.of("–", "–", "–", "–");
    }
    Stream<String> table =
        Latencies.TABLE.stream()
            .map(latencies::at)
            .map(nanos -> nanos == null ? "–" : Units.time(nanos));
    return Stream.concat(table, Stream.of(Units.time(latencies.maxNanos()))).toList();
  }

  private void published(AsPublished published) {
    paragraph("### As published, ms");
    List<String> head = new ArrayList<>(List.of("configuration", "group", ""));
    head.addAll(AsPublished.PHASES);
    head.add("total");
    row(head);
    out.append("|---|---|---|").append("--:|".repeat(AsPublished.PHASES.size() + 1)).append('\n');
    for (AsPublished.Block block : published.blocks()) {
      Stream.concat(block.trials().stream(), Stream.of(block.average()))
          .forEach(trial -> {
            List<String> cells = new ArrayList<>();
            cells.addAll(List.of(block.configuration(), block.group(), trial.label()));
            trial.millis().forEach(millis -> cells.add(Circumstances.millis(millis)));
            cells.add(Circumstances.millis(trial.total()));
            row(cells);
          });
    }
    out.append('\n');
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
