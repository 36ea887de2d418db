package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.report.table.Table.Tone;
import io.kvstadium.bench.suite.SweepPoint;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The points of one sweep together: the same workload at several values of one number.
 *
 * @param points by rising value
 */
public record Sweep(SweepPoint point, List<ExperimentReport> points) {
  /**
   * One phase of one group at all values.
   *
   * @param group in which its configurations are compared
   * @param measure what its figures are
   * @param sentence who is fastest at which values
   * @param lines each configuration's standing at each value
   */
  public record Phase(
      ComparisonGroup group,
      String name,
      Measure measure,
      String sentence,
      Map<SeriesStyle, Map<Double, Standing>> lines) {}

  /** The sweep whose points the sections are. */
  public static Sweep of(List<ExperimentReport> sections) {
    List<ExperimentReport> points = new ArrayList<>(sections);
    points.sort(Comparator.comparingDouble(ExperimentReport::value));
    SweepPoint point = Objects.requireNonNull(points.getFirst().experiment().plan().point());
    return new Sweep(point, points);
  }

  /**
   * Groups the points of each sweep, at the place of the first; everything else stays on its own.
   */
  public static <T> List<List<T>> together(List<T> all, Function<T, @Nullable SweepPoint> point) {
    Map<Object, List<T>> together = new LinkedHashMap<>();
    for (T each : all) {
      SweepPoint own = point.apply(each);
      Object key = own == null ? new Object() : own.sweep();
      together.computeIfAbsent(key, _ -> new ArrayList<>()).add(each);
    }
    return List.copyOf(together.values());
  }

  /** Whether the values span more than a decade, so that a logarithmic axis shows them better. */
  public boolean wide() {
    double first = points.getFirst().value();
    return first > 0 && points.getLast().value() >= 10 * first;
  }

  /** What changes, in words. */
  public String parameter() {
    return point.parameter().replace('_', ' ');
  }

  /** All phases with figures, those of the same group next to each other. */
  public List<Phase> phases() {
    Map<String, Map<String, Map<Double, PhaseRanking>>> all = new LinkedHashMap<>();
    Map<String, ComparisonGroup> groups = new LinkedHashMap<>();
    for (ExperimentReport section : points) {
      for (ComparisonGroup group : section.groups()) {
        groups.putIfAbsent(group.group(), group);
        for (PhaseRanking own : group.rankings()) {
          all.computeIfAbsent(group.group(), _ -> new LinkedHashMap<>())
              .computeIfAbsent(own.phase(), _ -> new TreeMap<>())
              .put(section.value(), own);
        }
      }
    }
    List<Phase> phases = new ArrayList<>();
    all.forEach((group, of) ->
        of.forEach((name, rankings) ->
            phases.add(phase(Objects.requireNonNull(groups.get(group)), name, rankings))));
    return phases;
  }

  private static Phase phase(
      ComparisonGroup group, String name, Map<Double, PhaseRanking> rankings) {
    PhaseRanking any = rankings.values().iterator().next();
    Map<SeriesStyle, Map<Double, Standing>> lines = new LinkedHashMap<>();
    for (String configuration : group.names()) {
      Map<Double, Standing> figures = new TreeMap<>();
      rankings.forEach((value, ranking) -> {
        Standing own = ranking.of(configuration);
        if (own != null) {
          figures.put(value, own);
        }
      });
      if (!figures.isEmpty()) {
        lines.put(SeriesStyle.of(group.configurations(), configuration), figures);
      }
    }
    return new Phase(group, name, any.measure(), sentence(rankings), lines);
  }

  /** The figures of a phase: a column for each value. */
  public Table table(Phase phase) {
    TreeSet<Double> values = new TreeSet<>();
    phase.lines.values().forEach(line -> values.addAll(line.keySet()));
    List<Column<Map.Entry<SeriesStyle, Map<Double, Standing>>>> columns =
        values.stream()
            .map(value ->
                Column.<Map.Entry<SeriesStyle, Map<Double, Standing>>>cells(
                    Units.number(value), line -> cell(line.getValue().get(value))))
            .toList();
    return Table.of(
        phase.name + " by " + parameter(),
        columns,
        phase.lines.entrySet(),
        line -> {
          Map<Double, Standing> own = line.getValue();
          String name = own.values().iterator().next().configuration();
          return new Row(name, line.getKey(), List.of(), warnings(own));
        });
  }

  private static Cell cell(@Nullable Standing own) {
    if (own == null) {
      return Cell.NONE;
    }
    Tone tone = own.verdict() == null && own.compared() ? Tone.GOOD : Tone.PLAIN;
    String factor = own.verdict() == null ? "" : own.times();
    return new Cell(own.text(), tone, factor, -1);
  }

  /** Each kind of warning once, with the values that it applies to. */
  private static List<String> warnings(Map<Double, Standing> line) {
    Map<Warning, List<String>> where = new TreeMap<>();
    line.forEach((value, own) ->
        own.warnings()
            .forEach(each ->
                where
                    .computeIfAbsent(each.warning(), _ -> new ArrayList<>())
                    .add(Units.number(value))));
    List<String> notes = new ArrayList<>();
    where.forEach((warning, values) ->
        notes.add(
            "%s at %s: %s".formatted(warning.word(), String.join("; ", values), warning.advice())));
    return notes;
  }

  /** Who is fastest at which values; neighbouring values with the same answer are combined. */
  private static String sentence(Map<Double, PhaseRanking> rankings) {
    record Run(String answer, List<String> values) {}

    List<Run> runs = new ArrayList<>();
    rankings.forEach((value, ranking) -> {
      String answer =
          ranking.standings().size() < 2
              ? "nothing to compare"
              : ranking.decided()
                  ? ranking.standings().getFirst().configuration() + " is fastest"
                  : ranking.open() ? "not decided yet" : "equal within 10 %";
      if (runs.isEmpty() || !runs.getLast().answer.equals(answer)) {
        runs.add(new Run(answer, new ArrayList<>()));
      }
      runs.getLast().values.add(Units.number(value));
    });
    if (runs.size() == 1 && rankings.size() > 1) {
      return runs.getFirst().answer + " at every point.";
    }
    List<String> parts = new ArrayList<>();
    for (Run run : runs) {
      String last = run.values.size() == 1 ? "" : " to " + run.values.getLast();
      parts.add(run.answer + " at " + run.values.getFirst() + last);
    }
    return String.join("; ", parts) + ".";
  }
}
