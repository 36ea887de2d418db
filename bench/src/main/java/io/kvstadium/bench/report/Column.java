package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import java.util.List;
import java.util.function.Function;

/**
 * A column of a table: its head and what each row has in it.
 *
 * @param <R> what a row is made from
 */
record Column<R>(Table.Head head, Function<R, String> text) {
  static <R> Column<R> of(String head, Function<R, String> text, Medium... media) {
    return new Column<>(Table.Head.of(head, media), text);
  }

  static List<Table.Head> heads(List<? extends Column<?>> columns) {
    return columns.stream().<Table.Head>map(Column::head).toList();
  }

  static <R> List<String> texts(List<Column<R>> columns, R row) {
    return columns.stream().map(column -> column.text().apply(row)).toList();
  }
}
