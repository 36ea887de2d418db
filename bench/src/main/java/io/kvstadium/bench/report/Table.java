package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table: names on the left, figures or words to their right.
 *
 * @param caption what it shows; only for screen readers if a chart or a heading above says so
 * @param label what the rows are, as the head of their names
 * @param heads of the columns
 */
record Table(Look look, String caption, String label, List<Head> heads, List<Rows> blocks)
    implements Block {
  /** The text where there is no figure. */
  static final String MISSING = "–";

  /** How a table is laid out. */
  enum Look {
    /** With its caption above. */
    PLAIN,
    /** Without showing the caption. */
    QUIET,
    /** One in a usual form, with blocks. */
    PUBLISHED,
    /** Cells with notes, marks and meters. */
    MATRIX,
    /** Only where all columns fit side by side. */
    GLANCE,
    /** Cells coloured by their share. */
    HEAT,
    /** Narrow columns, whose heads may take two lines. */
    RANKS
  }

  /** How a figure is shown. */
  enum Tone {
    PLAIN,
    GOOD,
    BAD;

    static Tone of(@Nullable Verdict verdict) {
      return switch (verdict) {
        case Verdict.Faster _ -> GOOD;
        case Verdict.Slower _ -> BAD;
        case null, default -> PLAIN;
      };
    }
  }

  /**
   * The head of a column.
   *
   * @param words whether it has words, which are aligned left
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

  /** A row's role among others. */
  enum Weight {
    USUAL,
    /** It sums up the others of its block. */
    SUM,
    /** It is the second one of its configuration. */
    LESSER
  }

  /**
   * One row.
   *
   * @param key of its configuration, or {@code null}
   * @param notes what to know about it
   */
  record Row(String name, @Nullable Key key, Weight weight, List<Cell> cells, List<Term> notes) {
    static Row of(String name) {
      return new Row(name, null, Weight.USUAL, List.of(), List.of());
    }

    static Row of(String name, Key key) {
      return new Row(name, key, Weight.USUAL, List.of(), List.of());
    }

    static Row of(String name, List<String> texts) {
      return of(name).with(texts.stream().map(Cell::of).toList());
    }

    Row with(List<Cell> others) {
      return new Row(name, key, weight, others, notes);
    }

    Row noted(List<Term> others) {
      return new Row(name, key, weight, cells, others);
    }

    Row as(Weight other) {
      return new Row(name, key, other, cells, notes);
    }

    List<String> texts() {
      return cells.stream().map(Cell::shown).toList();
    }
  }

  /**
   * One cell.
   *
   * @param mark a sign after the text, which a sentence explains
   * @param sign another one for consoles, which have no room for words
   * @param notes lines below the text, on a page
   * @param share of the best, or of the darkest colour, in percent; negative if it does not apply
   * @param marks words of warnings, on a page
   */
  record Cell(
      String text,
      Tone tone,
      String mark,
      String sign,
      List<String> notes,
      int share,
      List<String> marks) {
    static Cell of(String text) {
      return of(text, Tone.PLAIN, "", "");
    }

    static Cell of(String text, Tone tone, String mark, String sign, String... notes) {
      return new Cell(text, tone, mark, sign, List.of(notes), -1, List.of());
    }

    /** The text with its mark. */
    String shown() {
      return text + mark;
    }
  }

  /** A table of equal rows. */
  static Table of(Look look, String caption, String label, List<Head> heads, List<Row> rows) {
    return new Table(look, caption, label, heads, List.of(new Rows("", rows)));
  }

  /** A table whose cells are made by columns from each row's object. */
  static <R> Table of(
      Look look,
      String caption,
      String label,
      List<Column<R>> columns,
      Collection<R> rows,
      Function<R, Row> begun) {
    return of(look, caption, label, Column.heads(columns), Column.rows(columns, rows, begun));
  }

  static List<Head> heads(String... texts) {
    return Stream.of(texts).map(Head::of).toList();
  }

  /** The table with the columns of one medium only. */
  Table in(Medium medium) {
    return only(column -> heads.get(column).media().contains(medium));
  }

  /** The table without the columns that have no figure. */
  Table known() {
    return only(column -> rows().anyMatch(row -> !row.cells().get(column).text().equals(MISSING)));
  }

  private Table only(IntPredicate column) {
    List<Integer> kept = IntStream.range(0, heads.size()).filter(column).boxed().toList();
    List<Rows> cut =
        blocks.stream()
            .map(block -> new Rows(block.head, block.rows.stream().map(r -> cut(r, kept)).toList()))
            .toList();
    return new Table(look, caption, label, kept.stream().map(heads::get).toList(), cut);
  }

  private static Row cut(Row row, List<Integer> kept) {
    return row.with(kept.stream().map(row.cells::get).toList());
  }

  Stream<Row> rows() {
    return blocks.stream().flatMap(block -> block.rows.stream());
  }

  /** Whether any block has a head. */
  boolean headed() {
    return blocks.stream().anyMatch(block -> !block.head.isEmpty());
  }
}
