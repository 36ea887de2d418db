package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.SweepPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A table in the form in which measurements of an experiment's kind are usually published. It
 * compares nothing and shows no uncertainty: the boards do. All figures are written out, so that
 * every renderer shows the same.
 *
 * @param title what it shows, and the unit where all columns have the same
 * @param note how its figures were obtained
 * @param label what the rows are, for the head of their names
 * @param columns heads of the columns, with their units
 * @param blocks rows that belong together
 * @param remarks what to know about single figures, and why some are missing
 */
public record PublishedTable(
    String title,
    String note,
    String label,
    List<String> columns,
    List<Block> blocks,
    List<String> remarks) {
  /** What stands where there is no figure. */
  public static final String MISSING = "–";

  private static final Map<String, Function<List<ExperimentResult>, List<PublishedTable>>> FORMS =
      Map.of(
          "crud", CrudForm::tables,
          "sweep", SweepForm::tables,
          "open-read", OpenReadForm::tables,
          "multiget", MultiGetForm::tables,
          "scale", ScaleForm::tables);

  public PublishedTable {
    columns = List.copyOf(columns);
    blocks = List.copyOf(blocks);
    remarks = List.copyOf(remarks);
  }

  /**
   * Rows that belong together.
   *
   * @param head what they have in common, or an empty text
   * @param rows in the suite's order
   */
  public record Block(String head, List<Row> rows) {
    public Block {
      rows = List.copyOf(rows);
    }
  }

  /**
   * One row.
   *
   * @param label its name
   * @param cells a figure for each column, or {@link #MISSING}
   * @param strong whether it sums the others of its block up
   */
  public record Row(String label, List<String> cells, boolean strong) {
    public Row {
      cells = List.copyOf(cells);
    }

    /** One of several equal ones. */
    static Row of(String label, List<String> cells) {
      return new Row(label, cells, false);
    }

    /** Whether it has any figure. */
    boolean known() {
      return cells.stream().anyMatch(cell -> !cell.equals(MISSING));
    }
  }

  /**
   * The tables that experiments ask for by their form: those of a sweep's points together, under
   * the first point.
   *
   * @return for each experiment its tables; none for the later points of a sweep, and for forms
   *     that have none
   */
  static List<List<PublishedTable>> of(List<ExperimentResult> experiments) {
    Map<String, List<ExperimentResult>> sweeps = new LinkedHashMap<>();
    for (ExperimentResult each : experiments) {
      SweepPoint point = each.point();
      if (point != null) {
        sweeps.computeIfAbsent(point.sweep(), _ -> new ArrayList<>()).add(each);
      }
    }
    List<List<PublishedTable>> tables = new ArrayList<>();
    for (ExperimentResult each : experiments) {
      SweepPoint point = each.point();
      // a sweep's points are taken out with the first of them
      List<ExperimentResult> together =
          point == null ? List.of(each) : sweeps.remove(point.sweep());
      tables.add(together == null ? List.of() : tables(together));
    }
    return tables;
  }

  private static List<PublishedTable> tables(List<ExperimentResult> together) {
    return FORMS.getOrDefault(together.getFirst().form(), _ -> List.of()).apply(together).stream()
        .filter(PublishedTable::known)
        .toList();
  }

  /** How many columns it has with that of the labels. */
  int width() {
    return columns.size() + 1;
  }

  boolean hasRemarks() {
    return !remarks.isEmpty();
  }

  private boolean known() {
    return blocks.stream().flatMap(block -> block.rows().stream()).anyMatch(Row::known);
  }
}
