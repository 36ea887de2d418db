package io.kvstadium.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
  private final String label;
  private final List<String> columns;
  private final List<Row> rows = new ArrayList<>();
  private boolean headed;

  /** How a row or a figure is shown. */
  enum Tone {
    PLAIN,
    /** A name above the rows that belong to it. */
    HEAD,
    STRONG,
    GOOD,
    BAD
  }

  /** A figure. */
  record Cell(String text, Tone tone) {}

  private record Row(String name, Tone tone, List<Cell> cells) {}

  Grid(Ink ink, String label, List<String> columns) {
    this.ink = ink;
    this.label = label;
    this.columns = columns;
  }

  /** Adds a name that the rows after it belong to. */
  void head(String name) {
    headed = true;
    rows.add(new Row(Ink.clean(name), Tone.HEAD, List.of()));
  }

  /** Adds a row with a figure for each column. */
  void row(String name, List<Cell> cells) {
    rows.add(new Row(name(name), Tone.PLAIN, cells));
  }

  /** Adds a row that stands out, or not. */
  void row(String name, boolean strong, List<String> cells) {
    Tone tone = strong ? Tone.STRONG : Tone.PLAIN;
    rows.add(new Row(name(name), tone, cells.stream().map(each -> new Cell(each, tone)).toList()));
  }

  private String name(String name) {
    return (headed ? MARGIN : "") + Ink.clean(name);
  }

  /** A published table. */
  static Grid of(Ink ink, PublishedTable table) {
    Grid grid = new Grid(ink, table.label(), table.columns());
    for (PublishedTable.Block block : table.blocks()) {
      if (!block.head().isEmpty()) {
        grid.head(block.head());
      }
      block.rows().forEach(row -> grid.row(row.label(), row.strong(), row.cells()));
    }
    return grid;
  }

  /** All lines, none longer than the terminal is wide unless a name or a figure alone is. */
  List<String> lines() {
    int name = nameWidth();
    List<String> lines = new ArrayList<>();
    int from = 0;
    while (from < columns.size()) {
      int to = from + 1;
      int width = MARGIN.length() + name + columnWidth(from);
      while (to < columns.size() && width + columnWidth(to) <= Ink.WIDTH) {
        width += columnWidth(to);
        to++;
      }
      if (from > 0) {
        lines.add("");
      }
      lines.add(ink.dim(line(label, name, from, to, null)));
      for (Row row : rows) {
        lines.addAll(lines(row, name, from, to));
      }
      from = to;
    }
    return lines;
  }

  private List<String> lines(Row row, int name, int from, int to) {
    if (row.tone() == Tone.HEAD) {
      return Ink.wrap(MARGIN, MARGIN.length(), row.name()).stream().map(ink::bold).toList();
    }
    if (Ink.length(row.name()) <= name) {
      return List.of(line(row.name(), name, from, to, row));
    }
    String indent = MARGIN + (row.name().startsWith(MARGIN) ? MARGIN : "");
    List<String> lines =
        new ArrayList<>(Ink.wrap(indent, indent.length() + MARGIN.length(), row.name()));
    lines.add(line("", name, from, to, row));
    return lines;
  }

  private String line(String first, int name, int from, int to, @Nullable Row row) {
    StringBuilder line = new StringBuilder(MARGIN + Ink.left(first, name));
    for (int i = from; i < to; i++) {
      Cell cell = row == null ? new Cell(columns.get(i), Tone.PLAIN) : row.cells().get(i);
      String text = Ink.right(cell.text(), columnWidth(i));
      line.append(
          switch (cell.tone()) {
            case STRONG, HEAD -> ink.bold(text);
            case GOOD -> ink.good(text);
            case BAD -> ink.bad(text);
            case PLAIN -> text;
          });
    }
    return line.toString();
  }

  private int nameWidth() {
    int width = Ink.length(label);
    for (Row row : rows) {
      int length = Ink.length(row.name());
      if (row.tone() != Tone.HEAD && length <= NAME) {
        width = Math.max(width, length);
      }
    }
    return width;
  }

  private int columnWidth(int column) {
    int width = Ink.length(columns.get(column));
    for (Row row : rows) {
      if (row.tone() != Tone.HEAD) {
        width = Math.max(width, Ink.length(row.cells().get(column).text()));
      }
    }
    return width + GAP;
  }
}
