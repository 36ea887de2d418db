package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Text;
import java.util.List;

/** Lays a document out for a terminal of 80 columns. */
public final class ConsoleReport {
  private static final String MARGIN = "  ";

  private final Ink ink;
  private final StringBuilder out = new StringBuilder();

  private ConsoleReport(Ink ink) {
    this.ink = ink;
  }

  /**
   * The whole report as text, with lines ended by {@code \n}.
   *
   * @param ansi whether to use bold and colour: for a terminal, not for a pipe
   */
  public static String render(Report report, boolean ansi) {
    return render(ReportDocument.of(report), ansi);
  }

  /** The answer in at most forty lines of eighty columns. */
  public static String summary(Report report, boolean ansi) {
    return render(Summary.of(report, Medium.CONSOLE), ansi);
  }

  /** A comparison as text, in the same form. */
  public static String render(Comparison comparison, boolean ansi) {
    return render(ComparisonDocument.of(comparison), ansi);
  }

  private static String render(Document document, boolean ansi) {
    ConsoleReport console = new ConsoleReport(new Ink(ansi));
    console.line(
        Words.join(
            MARGIN,
            console.ink.bold(Ink.clean(document.title())),
            console.ink.warn(document.warning())));
    console.wrapped("", 0, document.where());
    for (Document.Section section : document.sections()) {
      console.line("");
      console.bold("", section.title());
      console.blocks(section.blocks());
    }
    console.line("");
    for (Block block : document.closing()) {
      if (Block.in(Medium.CONSOLE, block) instanceof Block.Terms terms) {
        terms
            .terms()
            .forEach(term -> console.wrapped("", 2, Words.join(": ", term.name(), term.text())));
      }
    }
    return console.out.toString();
  }

  private void blocks(List<Block> blocks) {
    for (Block each : blocks) {
      switch (Block.in(Medium.CONSOLE, each)) {
        case Text text -> text(text);
        case Block.Terms terms -> terms.terms().forEach(term -> item('-', term));
        case Block.Items items -> items.items().forEach(item -> item(items.sign(), item));
        case Part part -> part(part);
        case Table table -> table(table.in(Medium.CONSOLE));
        case null, default -> {}
      }
    }
  }

  private void text(Text text) {
    if (text.style() == Style.TITLE) {
      line("");
      bold(MARGIN, text.text());
    } else {
      wrapped(MARGIN, 2, text.text());
    }
  }

  private void item(char sign, Block.Term item) {
    wrapped(MARGIN + sign + " ", 4, Words.join(": ", item.name(), item.text()));
  }

  private void part(Part part) {
    List<Block> rest = part.blocks();
    if (part.kind() == Block.Kind.VERDICT) {
      boolean lead =
          !rest.isEmpty() && rest.getFirst() instanceof Text text && text.style() == Style.LEAD;
      line("");
      String text = lead && rest.getFirst() instanceof Text first ? first.text() : "";
      wrapped(MARGIN, 2, part.title() + (text.isEmpty() ? ":" : ": " + text));
      rest = rest.subList(lead ? 1 : 0, rest.size());
    } else if (!part.title().isEmpty()) {
      line("");
      bold(MARGIN, part.title());
    }
    blocks(rest);
  }

  private void table(Table table) {
    Grid grid = new Grid(ink, table);
    if (table.look() != Table.Look.GLANCE || grid.fits()) {
      line("");
      grid.lines().forEach(this::line);
      if (table.look() == Table.Look.GLANCE) {
        line(MARGIN + ink.dim(table.caption()));
        line("");
      }
    }
  }

  private void bold(String margin, String text) {
    Ink.wrap(margin, margin.length(), text).forEach(line -> line(ink.bold(line)));
  }

  private void wrapped(String first, int indent, String text) {
    if (!text.isBlank()) {
      Ink.wrap(first, indent, text).forEach(this::line);
    }
  }

  private void line(String text) {
    out.append(text.stripTrailing()).append('\n');
  }
}
