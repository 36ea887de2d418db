package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table for a terminal of 80 columns: names on the left, figures to the right of them. Where the
 * columns do not fit side by side, the rest follow below with the names once more.
 */
final class Grid {
  /** Longer names stand on a line of their own. */
  private static final int NAME = 30;

  private static final int GAP = 2;
  private static final String MARGIN = "  ";

  private final Ink ink;
  private final Table table;
  private final int name;
  private final List<Integer> widths = new ArrayList<>();

  Grid(Ink ink, Table table) {
    this.ink = ink;
    this.table = table;
    this.name =
        Stream.concat(Stream.of(table.label()), rows().map(this::name))
            .mapToInt(Ink::length)
            .filter(length -> length <= NAME)
            .max()
            .orElse(0);
    for (int i = 0; i < table.heads().size(); i++) {
      int column = i;
      int head = Ink.length(table.heads().get(i).text()) + (signed() ? 1 : 0);
      int widest = rows().mapToInt(row -> Ink.length(text(row, column))).reduce(head, Math::max);
      widths.add(table.heads().get(i).words() ? head : widest + GAP);
    }
  }

  private Stream<Row> rows() {
    return table.blocks().stream().flatMap(block -> block.rows().stream());
  }

  private boolean signed() {
    return rows().flatMap(row -> row.cells().stream()).anyMatch(cell -> !cell.sign().isEmpty());
  }

  private String name(Row row) {
    return (table.headed() ? MARGIN : "") + Ink.clean(row.name());
  }

  private String text(Row row, int column) {
    Cell cell = row.cells().get(column);
    return cell.text() + (signed() && cell.sign().isEmpty() ? " " : cell.sign());
  }

  /** Whether all columns fit side by side, and no name is too long. */
  boolean fits() {
    int all = widths.stream().mapToInt(Integer::intValue).sum();
    return MARGIN.length() + name + all <= Ink.WIDTH
        && rows().allMatch(row -> Ink.length(name(row)) <= name);
  }

  /** All lines, none longer than the terminal is wide unless a name or a figure alone is. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    int from = 0;
    do {
      int to = from;
      int width = MARGIN.length() + name;
      while (to < widths.size() && (to == from || width + widths.get(to) <= Ink.WIDTH)) {
        width += widths.get(to);
        to++;
      }
      if (from > 0) {
        lines.add("");
      }
      lines.add(head(from, to));
      for (Rows block : table.blocks()) {
        if (!block.head().isEmpty()) {
          Ink.wrap(MARGIN, 2, block.head()).forEach(line -> lines.add(ink.bold(line)));
        }
        for (Row row : block.rows()) {
          lines.addAll(lines(row, from, to));
        }
      }
      from = to;
    } while (from < widths.size());
    return lines;
  }

  private String head(int from, int to) {
    boolean quiet = table.label().isEmpty() || table.look() != Table.Look.PLAIN;
    String label = Ink.left(Ink.clean(table.label()), name);
    StringBuilder line = new StringBuilder();
    for (int i = from; i < to; i++) {
      Table.Head head = table.heads().get(i);
      String text = Ink.clean(head.text()) + (signed() ? " " : "");
      line.append(head.words() ? MARGIN + text : Ink.right(text, widths.get(i)));
    }
    return MARGIN + (quiet ? ink.dim(label) : ink.bold(label)) + ink.dim(line.toString());
  }

  private List<String> lines(Row row, int from, int to) {
    List<String> lines = new ArrayList<>();
    String first = name(row);
    if (Ink.length(first) > name) {
      String indent = MARGIN + (table.headed() ? MARGIN : "");
      lines.addAll(Ink.wrap(indent, indent.length() + 2, row.name()));
      first = "";
    }
    StringBuilder line = new StringBuilder(MARGIN + Ink.left(first, name));
    int width = MARGIN.length() + name;
    String below = null;
    for (int i = from; i < to; i++) {
      Cell cell = row.cells().get(i);
      boolean words = table.heads().get(i).words();
      String text = words ? MARGIN + cell.text() : Ink.right(text(row, i), widths.get(i));
      width += Ink.length(text);
      if (words && width > Ink.WIDTH) {
        below = cell.text();
      } else {
        line.append(painted(row, cell, text));
      }
    }
    lines.add(line.toString().stripTrailing());
    if (below != null) {
      lines.addAll(Ink.wrap("      ", 6, below));
    }
    for (Block.Term note : from > 0 ? List.<Block.Term>of() : row.notes()) {
      lines.addAll(Ink.wrap("      ! ", 8, Words.join(": ", note.name(), note.text())));
    }
    return lines;
  }

  private String painted(Row row, Cell cell, String text) {
    if (row.strong()) {
      return ink.bold(text);
    }
    String bare = text.stripLeading();
    String space = text.substring(0, text.length() - bare.length());
    return switch (cell.tone()) {
      case GOOD -> space + ink.good(bare);
      case BAD -> space + ink.bad(bare);
      case PLAIN -> text;
    };
  }
}
