package io.kvstadium.bench.report.table;

import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table: names on the left, figures or words to their right. It is written for a terminal, as
 * Markdown and as HTML.
 *
 * @param caption what it shows; a terminal shows it in the corner, above the names
 */
public record Table(String caption, List<Head> heads, List<Row> rows) {
  /** Longer names get a separate line on a terminal. */
  private static final int NAME = 30;

  private static final String MARGIN = "  ";

  /** How a figure is shown. */
  public enum Tone {
    PLAIN,
    GOOD,
    BAD,
    /** Not to be relied on. */
    DIM
  }

  /**
   * The head of a column.
   *
   * @param words whether the column has words, which are aligned left
   */
  public record Head(String text, boolean words) {}

  /**
   * One row.
   *
   * @param style how its configuration is drawn, or {@code null}
   * @param notes what to know about it
   */
  public record Row(
      String name, @Nullable SeriesStyle style, List<Cell> cells, List<String> notes) {
    /** A row across all columns, with the heading of those below it. */
    public static Row heading(String text) {
      return new Row(text, null, List.of(), List.of());
    }

    public boolean isHeading() {
      return cells.isEmpty();
    }
  }

  /**
   * One cell.
   *
   * @param small a second figure, on a page only
   * @param heat of its colour on a page, in percent; negative if it has none
   */
  public record Cell(String text, Tone tone, String small, int heat) {
    public static final Cell NONE = of(Units.MISSING);

    public static Cell of(String text) {
      return of(text, Tone.PLAIN);
    }

    public static Cell of(String text, Tone tone) {
      return new Cell(text, tone, "", -1);
    }
  }

  /** A column: its head, and its cell in each row. */
  public record Column<R>(Head head, Function<R, Cell> cell) {
    public static <R> Column<R> of(String head, Function<R, String> text) {
      return cells(head, row -> Cell.of(text.apply(row)));
    }

    public static <R> Column<R> cells(String head, Function<R, Cell> cell) {
      return new Column<>(new Head(head, false), cell);
    }
  }

  /**
   * Makes a table.
   *
   * @param begun makes a row without cells
   */
  public static <R> Table of(
      String caption, List<Column<R>> columns, Collection<R> rows, Function<R, Row> begun) {
    List<Row> all = new ArrayList<>();
    for (R row : rows) {
      Row own = begun.apply(row);
      List<Cell> cells = columns.stream().map(column -> column.cell.apply(row)).toList();
      all.add(new Row(own.name, own.style, cells, own.notes));
    }
    return new Table(caption, columns.stream().map(Column::head).toList(), all);
  }

  /** The table without the columns that have no figure. */
  public Table known() {
    List<Integer> kept =
        IntStream.range(0, heads.size())
            .filter(i -> cells(i).anyMatch(cell -> !cell.text.equals(Units.MISSING)))
            .boxed()
            .toList();
    return new Table(
        caption,
        kept.stream().map(heads::get).toList(),
        rows.stream()
            .map(row ->
                row.isHeading()
                    ? row
                    : new Row(
                        row.name, row.style, kept.stream().map(row.cells::get).toList(), row.notes))
            .toList());
  }

  private Stream<Cell> cells(int column) {
    return rows.stream().filter(row -> !row.isHeading()).map(row -> row.cells.get(column));
  }

  // ---- for a terminal

  /**
   * All lines. If the columns do not fit side by side, the rest follow below, with the names
   * repeated. No line is wider than the terminal unless a single name or figure is.
   */
  public List<String> lines(TextStyle style) {
    int name =
        Stream.concat(Stream.of(caption), rows.stream().filter(r -> !r.isHeading()).map(Row::name))
            .mapToInt(text -> TextStyle.length(TextStyle.clean(text)))
            .filter(length -> length <= NAME)
            .max()
            .orElse(0);
    List<String> lines = new ArrayList<>();
    int from = 0;
    do {
      int to = from;
      int width = name;
      while (to < heads.size() && (to == from || width + width(to) <= TextStyle.WIDTH)) {
        width += width(to);
        to++;
      }
      if (from > 0) {
        lines.add("");
      }
      band(lines, style, name, from, to);
      from = to;
    } while (from < heads.size());
    return lines;
  }

  private int width(int column) {
    int head = headLines(column).stream().mapToInt(TextStyle::length).max().orElse(0);
    return heads.get(column).words
        ? head + MARGIN.length()
        : Math.max(
                head, cells(column).mapToInt(cell -> TextStyle.length(cell.text)).max().orElse(0))
            + MARGIN.length();
  }

  /** Heads of several words take two lines, so that columns are narrow. */
  private List<String> headLines(int column) {
    return List.of(TextStyle.clean(heads.get(column).text).split(" ", 2));
  }

  private void band(List<String> lines, TextStyle style, int name, int from, int to) {
    boolean two = IntStream.range(from, to).anyMatch(i -> headLines(i).size() > 1);
    for (int line = two ? 0 : 1; line < 2; line++) {
      String corner = line == 1 && TextStyle.length(caption) <= name ? caption : "";
      StringBuilder text = new StringBuilder(TextStyle.left(corner, name));
      for (int i = from; i < to; i++) {
        List<String> words = headLines(i);
        String word = line == 1 ? words.getLast() : words.size() > 1 ? words.getFirst() : "";
        text.append(heads.get(i).words ? MARGIN + word : TextStyle.right(word, width(i)));
      }
      lines.add(style.dim(text.toString().stripTrailing()));
    }
    for (Row row : rows) {
      if (row.isHeading()) {
        TextStyle.wrap("– ", 2, row.name).forEach(line -> lines.add(style.dim(line)));
      } else {
        add(lines, style, row, name, from, to);
      }
    }
  }

  private void add(List<String> lines, TextStyle style, Row row, int name, int from, int to) {
    String first = TextStyle.clean(row.name);
    if (TextStyle.length(first) > name) {
      lines.addAll(TextStyle.wrap("", 2, first));
      first = "";
    }
    StringBuilder line = new StringBuilder(TextStyle.left(first, name));
    int width = name;
    List<String> below = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Cell cell = row.cells.get(i);
      String shown = TextStyle.clean(cell.text);
      if (heads.get(i).words) {
        width += MARGIN.length() + TextStyle.length(shown);
        if (width > TextStyle.WIDTH) {
          below.addAll(TextStyle.wrap("      ", 6, shown));
        } else {
          line.append(MARGIN).append(painted(style, cell.tone, shown));
        }
      } else {
        int blank = width(i) - TextStyle.length(shown);
        width += width(i);
        line.append(" ".repeat(Math.max(0, blank))).append(painted(style, cell.tone, shown));
      }
    }
    lines.add(line.toString().stripTrailing());
    lines.addAll(below);
    if (from == 0) {
      row.notes.forEach(note -> lines.addAll(TextStyle.wrap("      ! ", 8, note)));
    }
  }

  private static String painted(TextStyle style, Tone tone, String text) {
    return switch (tone) {
      case GOOD -> style.good(text);
      case BAD -> style.bad(text);
      case DIM -> style.dim(text);
      case PLAIN -> text;
    };
  }

  // ---- for other media

  /** The table in Markdown, with its lines ended by {@code \n}. */
  public String markdown() {
    StringBuilder out = new StringBuilder(line(caption, heads.stream().map(Head::text).toList()));
    out.append("|---|");
    heads.forEach(each -> out.append(each.words ? "---|" : "--:|"));
    out.append('\n');
    for (Row row : rows) {
      List<String> cells =
          row.isHeading()
              ? heads.stream().map(_ -> "").toList()
              : row.cells.stream().map(Cell::text).toList();
      out.append(line(row.name, cells));
    }
    return out.toString();
  }

  private static String line(String name, List<String> cells) {
    StringBuilder out = new StringBuilder("| " + escaped(name) + " |");
    cells.forEach(cell -> out.append(' ').append(escaped(cell)).append(" |"));
    return out.append('\n').toString();
  }

  /** Puts text on one line and escapes what Markdown or HTML would interpret. */
  public static String escaped(String text) {
    return TextStyle.clean(text).replaceAll("([\\\\`*_|<>#\\[\\]&~])", "\\\\$1");
  }

  /**
   * Writes the table as HTML.
   *
   * @param quiet whether only screen readers get the caption, because something else says it
   */
  public void html(Markup out, boolean quiet) {
    boolean heat = rows.stream().flatMap(row -> row.cells.stream()).anyMatch(c -> c.heat >= 0);
    out.open("div.scroll", "role", "region", "tabindex", 0, "aria-label", caption);
    out.open(heat ? "table.heat" : "table");
    out.element(quiet ? "caption.quiet" : "caption", caption);
    out.open("thead").open("tr").element("th", "", "scope", "col");
    for (Head head : heads) {
      out.element(head.words ? "th.w" : heat ? "th" : "th.n", head.text, "scope", "col");
    }
    out.close().close().open("tbody");
    for (Row row : rows) {
      if (row.isHeading()) {
        out.open("tr.block");
        out.element("th", row.name, "scope", "rowgroup", "colspan", heads.size() + 1).close();
      } else {
        html(out, row, heat);
      }
    }
    out.close().close().close();
  }

  private void html(Markup out, Row row, boolean heat) {
    out.open("tr").open("th", "scope", "row");
    if (row.style != null && heat) {
      out.element("span.dot." + row.style.style(), "", "aria-hidden", "true");
    } else if (row.style != null) {
      out.open("svg.key." + row.style.style(), "viewBox", "0 0 24 10", "aria-hidden", "true");
      out.empty("path", "d", "M0 5H24").empty("use", "href", "#m" + row.style.marker()).close();
    }
    out.text(row.name).close();
    for (int i = 0; i < row.cells.size(); i++) {
      Cell cell = row.cells.get(i);
      String tone =
          switch (cell.tone) {
            case GOOD -> ".good";
            case BAD -> ".bad";
            case DIM -> ".dim";
            case PLAIN -> "";
          };
      String number = heat || heads.get(i).words ? "" : ".n";
      out.open("td" + number + tone, "style", cell.heat < 0 ? null : "--h:" + cell.heat);
      out.text(cell.text);
      if (!cell.small.isEmpty()) {
        out.text(" ").element("small", cell.small);
      }
      out.close();
    }
    out.close();
  }
}
