package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ExperimentResult;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A table in the form in which measurements of an experiment's kind are usually published. It
 * compares nothing and shows no uncertainty: the rankings do. All figures are written out, so that
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
    List<Table.Rows> blocks,
    List<String> remarks) {
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

  /** One whose rows are configurations. */
  static PublishedTable of(
      String title,
      String note,
      List<? extends Column<?>> columns,
      List<Table.Rows> blocks,
      List<String> remarks) {
    List<String> heads = Column.heads(columns).stream().map(Table.Head::text).toList();
    return new PublishedTable(title, note, "configuration", heads, blocks, remarks);
  }

  /**
   * The tables that experiments ask for by their form: those of a sweep's points together, under
   * the first point.
   *
   * @return for each experiment its tables; none for the later points of a sweep, and for forms
   *     that have none
   */
  static List<List<PublishedTable>> of(List<ExperimentResult> experiments) {
    IdentityHashMap<ExperimentResult, List<PublishedTable>> tables = new IdentityHashMap<>();
    Sweep.together(experiments, ExperimentResult::point)
        .forEach(together -> tables.put(together.getFirst(), tables(together)));
    return experiments.stream().map(each -> tables.getOrDefault(each, List.of())).toList();
  }

  private static List<PublishedTable> tables(List<ExperimentResult> together) {
    return FORMS.getOrDefault(together.getFirst().tables(), _ -> List.of()).apply(together).stream()
        .filter(PublishedTable::known)
        .toList();
  }

  private boolean known() {
    return table().known();
  }

  Table table() {
    List<Table.Head> heads = columns.stream().map(Table.Head::of).toList();
    return new Table(Table.Look.PUBLISHED, "As published: " + title, label, heads, blocks);
  }
}
