package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table for a terminal of 80 columns: names on the left, figures to their right. If the columns
 * do not fit side by side, the rest follow below, with the names repeated.
 */
final class Grid {
  /** Longer names get a separate line. */
  private static final int NAME = 30;

  private static final String MARGIN = "  ";

  private final Ink ink;
  private final Table table;
  private final int name;

  /** The width of the signs after the figures of each column. */
  private final List<Integer> tails = new ArrayList<>();

  private final List<Integer> widths = new ArrayList<>();

  Grid(Ink ink, Table table) {
    this.ink = ink;
    this.table = table;
    this.name =
        Stream.concat(Stream.of(table.label()), table.rows().map(this::name))
            .mapToInt(Ink::length)
            .filter(length -> length <= NAME)
            .max()
            .orElse(0);
    for (int i = 0; i < table.heads().size(); i++) {
      int column = i;
      Table.Head head = table.heads().get(i);
      tails.add(cells(column).mapToInt(cell -> Ink.length(tail(cell))).max().orElse(0));
      int text = cells(column).mapToInt(cell -> Ink.length(cell.text())).max().orElse(0);
      int own = heads(head).stream().mapToInt(Ink::length).max().orElse(0);
      widths.add(head.words() ? own : Math.max(text, own) + tails.getLast() + MARGIN.length());
    }
  }

  /** The lines of a column's head. */
  private List<String> heads(Table.Head head) {
    String[] words = Ink.clean(head.text()).split(" ", 2);
    return table.look() == Table.Look.RANKS && words.length == 2
        ? List.of(words)
        : List.of(Ink.clean(head.text()));
  }

  private Stream<Cell> cells(int column) {
    return table.rows().map(row -> row.cells().get(column));
  }

  private static String tail(Cell cell) {
    return cell.mark() + cell.sign();
  }

  private String name(Row row) {
    return (table.headed() ? MARGIN : "") + Ink.clean(row.name());
  }

  /** Whether all columns fit side by side, and no name is too long. */
  boolean fits() {
    int all = widths.stream().mapToInt(Integer::intValue).sum();
    return MARGIN.length() + name + all <= Ink.WIDTH
        && table.rows().allMatch(row -> Ink.length(name(row)) <= name);
  }

  /** All lines; none is wider than the terminal unless a single name or figure is. */
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
      if (table.heads().subList(from, to).stream().anyMatch(head -> heads(head).size() > 1)) {
        lines.add(head(from, to, 0));
      }
      lines.add(head(from, to, 1));
      for (Rows block : table.blocks()) {
        if (!block.head().isEmpty()) {
          Ink.wrap(MARGIN, 2, block.head()).forEach(line -> lines.add(ink.bold(line)));
        }
        for (Row row : block.rows()) {
          add(lines, row, from, to);
        }
      }
      from = to;
    } while (from < widths.size());
    return lines;
  }

  /**
   * @param last 1 for the last line of the heads, 0 for the line above it in heads that have two
   */
  private String head(int from, int to, int last) {
    boolean quiet = table.label().isEmpty() || table.look() != Table.Look.PLAIN;
    String label = Ink.left(last == 0 ? "" : Ink.clean(table.label()), name);
    StringBuilder line = new StringBuilder();
    for (int i = from; i < to; i++) {
      List<String> words = heads(table.heads().get(i));
      String text = last == 1 ? words.getLast() : words.size() > 1 ? words.getFirst() : "";
      line.append(table.heads().get(i).words() ? MARGIN + text : placed(i, text, ""));
    }
    return MARGIN + (quiet ? ink.dim(label) : ink.bold(label)) + ink.dim(line.toString());
  }

  private String placed(int column, String text, String tail) {
    int room = tails.get(column);
    return Ink.right(text, widths.get(column) - room) + Ink.left(tail, room);
  }

  private void add(List<String> lines, Row row, int from, int to) {
    String first = name(row);
    if (Ink.length(first) > name) {
      String indent = MARGIN + (table.headed() ? MARGIN : "");
      lines.addAll(Ink.wrap(indent, indent.length() + 2, row.name()));
      first = "";
    }
    StringBuilder line = new StringBuilder(MARGIN + Ink.left(first, name));
    int width = MARGIN.length() + name;
    List<String> below = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Cell cell = row.cells().get(i);
      boolean words = table.heads().get(i).words();
      String text = words ? MARGIN + cell.shown() : placed(i, cell.text(), tail(cell));
      width += Ink.length(text);
      if (words && width > Ink.WIDTH) {
        below.addAll(Ink.wrap("      ", 6, cell.shown()));
      } else {
        line.append(painted(row, cell, text));
      }
    }
    lines.add(line.toString().stripTrailing());
    lines.addAll(below);
    for (Block.Term note : from > 0 ? List.<Block.Term>of() : row.notes()) {
      lines.addAll(Ink.wrap("      ! ", 8, Words.join(": ", note.name(), note.text())));
    }
  }

  private String painted(Row row, Cell cell, String text) {
    if (row.weight() == Table.Weight.SUM) {
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
