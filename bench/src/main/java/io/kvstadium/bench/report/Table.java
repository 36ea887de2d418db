package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table: names on the left, figures or words to the right of them.
 *
 * @param look how it is laid out
 * @param caption what it shows; read out where there is a chart or a heading above that says so
 * @param label what the rows are, for the head of their names
 * @param heads of the columns
 * @param blocks rows that belong together
 */
record Table(Look look, String caption, String label, List<Head> heads, List<Rows> blocks)
    implements Block {
  /** What stands where there is no figure. */
  static final String MISSING = "–";

  /** How a table is laid out. */
  enum Look {
    /** With its caption above. */
    PLAIN,
    /** The caption is not shown. */
    QUIET,
    /** One in a usual form, with blocks. */
    PUBLISHED,
    /** Cells with notes, marks and meters. */
    MATRIX,
    /** Only where all columns fit side by side. */
    GLANCE
  }

  /** How a figure is shown. */
  enum Tone {
    PLAIN,
    GOOD,
    BAD
  }

  /**
   * The head of a column.
   *
   * @param words whether it has words, which begin at the left
   * @param media that have the column
   */
  record Head(String text, boolean words, Set<Medium> media) {
    static Head of(String text, Medium... media) {
      return new Head(text, false, media.length == 0 ? ALL : Set.of(media));
    }

    static Head words(String text, Medium... media) {
      return new Head(text, true, media.length == 0 ? ALL : Set.of(media));
    }
  }

  private static final Set<Medium> ALL = EnumSet.allOf(Medium.class);

  /**
   * Rows that belong together.
   *
   * @param head what they have in common, or an empty text
   */
  record Rows(String head, List<Row> rows) {}

  /**
   * One row.
   *
   * @param name what it is of
   * @param key of its configuration, or {@code null}
   * @param strong whether it sums the others of its block up
   * @param lesser whether it is the second one of its configuration
   * @param cells one for each column
   * @param notes what to know about it
   */
  record Row(
      String name,
      @Nullable Key key,
      boolean strong,
      boolean lesser,
      List<Cell> cells,
      List<Term> notes) {
    static Row of(String name, List<String> cells) {
      return of(name, null, cells);
    }

    static Row of(String name, @Nullable Key key, List<String> cells) {
      return new Row(name, key, false, false, cells.stream().map(Cell::of).toList(), List.of());
    }

    Row asSum() {
      return new Row(name, key, true, lesser, cells, notes);
    }

    List<String> texts() {
      return cells.stream().map(Cell::text).toList();
    }
  }

  /**
   * One cell.
   *
   * @param sign what follows the text on a console, where it has no room for more
   * @param notes lines below the text, on a page
   * @param share of the best, in percent; below 0 if it is not of that kind
   * @param marks what to take care of, on a page
   */
  record Cell(
      String text, Tone tone, String sign, List<String> notes, int share, List<String> marks) {
    static Cell of(String text) {
      return of(text, Tone.PLAIN, "");
    }

    static Cell of(String text, Tone tone, String sign) {
      return new Cell(text, tone, sign, List.of(), -1, List.of());
    }
  }

  /** A table of equal rows. */
  static Table of(Look look, String caption, String label, List<Head> heads, List<Row> rows) {
    return new Table(look, caption, label, heads, List.of(new Rows("", rows)));
  }

  static List<Head> heads(String... texts) {
    return Arrays.stream(texts).map(Head::of).toList();
  }

  /** The table with the columns of one medium only. */
  Table in(Medium medium) {
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < heads.size(); i++) {
      if (heads.get(i).media().contains(medium)) {
        kept.add(i);
      }
    }
    return new Table(
        look,
        caption,
        label,
        kept.stream().map(heads::get).toList(),
        blocks.stream()
            .map(block ->
                new Rows(block.head(), block.rows().stream().map(row -> cut(row, kept)).toList()))
            .toList());
  }

  private static Row cut(Row row, List<Integer> kept) {
    List<Cell> cells = kept.stream().map(row.cells()::get).toList();
    return new Row(row.name(), row.key(), row.strong(), row.lesser(), cells, row.notes());
  }

  /** Whether any block has a head. */
  boolean headed() {
    return blocks.stream().anyMatch(block -> !block.head().isEmpty());
  }

  /** Whether there is any figure in it. */
  boolean known() {
    return blocks.stream()
        .flatMap(block -> block.rows().stream())
        .flatMap(row -> row.cells().stream())
        .anyMatch(cell -> !cell.text().equals(MISSING));
  }
}
