package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Term;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lays a document out as Markdown with tables, for an issue or a page of documentation. */
public final class MarkdownReport {
  private final StringBuilder out = new StringBuilder();

  private MarkdownReport() {}

  /** The report as text, with lines ended by {@code \n}. */
  public static String render(Report report) {
    return render(ReportDocument.of(report));
  }

  /** A comparison as text, in the same form. */
  public static String render(Comparison comparison) {
    return render(ComparisonDocument.of(comparison));
  }

  private static String render(Document document) {
    MarkdownReport markdown = new MarkdownReport();
    markdown.heading(1, document.title());
    markdown.paragraph(clean(document.where()));
    markdown.paragraph(strong(document.warning()));
    for (Document.Section section : document.sections()) {
      markdown.heading(2, section.title());
      markdown.blocks(section.blocks(), 3);
    }
    if (!document.closing().isEmpty()) {
      markdown.heading(2, "Circumstances");
      markdown.blocks(document.closing(), 3);
    }
    return markdown.out.toString().stripTrailing() + "\n";
  }

  private void blocks(List<Block> blocks, int level) {
    for (Block each : blocks) {
      switch (Block.in(Medium.MARKDOWN, each)) {
        case Block.Text text ->
            paragraph(text.style() == Style.ASIDE ? clean(text.text()) : strong(text.text()));
        case Block.Terms terms -> bullets(terms.terms());
        case Block.Items items -> bullets(items.items());
        case Block.Part part -> {
          heading(level, part.title());
          blocks(part.blocks(), part.title().isEmpty() ? level : level + 1);
        }
        case Table table -> table(table.in(Medium.MARKDOWN));
        case null, default -> {}
      }
    }
  }

  private void table(Table table) {
    boolean headed = table.headed();
    row(headed ? "" : null, table.label(), table.heads().stream().map(Table.Head::text).toList());
    out.append(headed ? "|---|---|" : "|---|");
    table.heads().forEach(each -> out.append(each.words() ? "---|" : "--:|"));
    out.append('\n');
    List<Term> notes = new ArrayList<>();
    for (Table.Rows block : table.blocks()) {
      for (Table.Row row : block.rows()) {
        row(headed ? block.head() : null, row.name(), row.texts());
        for (Term note : row.notes()) {
          notes.add(new Term(row.name(), Words.join(": ", note.name(), note.text())));
        }
      }
    }
    out.append('\n');
    bullets(notes);
  }

  private void heading(int level, String text) {
    if (!text.isEmpty()) {
      paragraph("#".repeat(Math.min(6, level)) + " " + clean(text));
    }
  }

  private void paragraph(String text) {
    out.append(text.isBlank() ? "" : text + "\n\n");
  }

  private void bullets(List<Term> items) {
    for (Term each : items) {
      String name = each.name().isEmpty() ? "" : strong(each.name()) + ": ";
      out.append("- ").append(name).append(clean(each.text())).append('\n');
    }
    out.append(items.isEmpty() ? "" : "\n");
  }

  private void row(@Nullable String head, String name, List<String> cells) {
    out.append(head == null ? "|" : "| " + clean(head) + " |");
    out.append(' ').append(clean(name)).append(" |");
    cells.forEach(cell -> out.append(' ').append(clean(cell)).append(" |"));
    out.append('\n');
  }

  private static String strong(String text) {
    return text.isEmpty() ? "" : "**" + clean(text) + "**";
  }

  /** Puts text on one line and escapes what Markdown or HTML would interpret. */
  private static String clean(String text) {
    return Ink.clean(text).replaceAll("([\\\\`*_|<>#\\[\\]&])", "\\\\$1");
  }
}
