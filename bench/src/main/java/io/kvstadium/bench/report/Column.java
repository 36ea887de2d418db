package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table: its head and its cell in each row.
 *
 * @param <R> the type that a row is made from
 */
record Column<R>(Table.Head head, Function<R, Table.Cell> cell) {
  static <R> Column<R> of(String head, Function<R, String> text, Medium... media) {
    return new Column<>(Table.Head.of(head, media), row -> Table.Cell.of(text.apply(row)));
  }

  /** Returns the columns for a type that contains what they are made from. */
  static <S, R> List<Column<S>> of(Function<S, @Nullable R> part, List<Column<R>> columns) {
    return columns.stream()
        .map(own ->
            new Column<S>(own.head, row -> own.cell.apply(Objects.requireNonNull(part.apply(row)))))
        .toList();
  }

  static List<Table.Head> heads(List<? extends Column<?>> columns) {
    return columns.stream().<Table.Head>map(Column::head).toList();
  }

  static <R> List<Table.Row> rows(
      List<Column<R>> columns, Collection<? extends R> rows, Function<R, Table.Row> begun) {
    return rows.stream().map(row -> row(columns, row, begun.apply(row))).toList();
  }

  static <R> Table.Row row(List<Column<R>> columns, R of, Table.Row begun) {
    return begun.with(columns.stream().map(column -> column.cell.apply(of)).toList());
  }
}
