package io.kvstadium.bench.report;

import java.util.List;
import java.util.function.Function;

/**
 * A column of a table: its head and what each row has in it.
 *
 * @param <R> what a row is made from
 */
record Column<R>(String head, Function<R, String> text) {
  static List<String> heads(List<? extends Column<?>> columns) {
    return columns.stream().map(Column::head).toList();
  }

  static <R> List<String> texts(List<Column<R>> columns, R row) {
    return columns.stream().map(column -> column.text().apply(row)).toList();
  }
}
