package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Projection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The points of one sweep together: the same workload at several values of one number.
 *
 * @param name the sweep's
 * @param parameter what changes, as in the suite file
 * @param points by rising value
 * @param groups configurations that are compared with one another
 */
public record SweepSummary(
    String name, String parameter, List<Section> points, List<Group> groups) {
  /**
   * Configurations that are compared with one another.
   *
   * @param group the group's word
   * @param title what its configurations have in common
   * @param names of the configurations, in the suite's order
   * @param phases with figures at any point
   */
  public record Group(String group, String title, List<String> names, List<Phase> phases) {}

  /**
   * One phase at all values.
   *
   * @param name the phase's
   * @param measure what its figures are
   * @param single whether they are times
   * @param sentence who is fastest where
   * @param lines one for each configuration with figures
   */
  public record Phase(
      String name, String measure, boolean single, String sentence, List<Line> lines) {}

  /**
   * One configuration's figures, by rising value.
   *
   * @param configuration its name
   * @param figures those that were measured, and after them those that were projected
   * @param law by which they were projected, or {@code null} if there are none
   */
  public record Line(String configuration, List<Figure> figures, @Nullable Projection law) {}

  /**
   * One value of the parameter and what was measured there.
   *
   * @param value of the parameter
   * @param median in operations per second, or nanoseconds if the phase's figures are times
   * @param interval in the same unit, or {@code null} if there is none
   * @param projected whether nothing ran there, so that it was projected from the others
   */
  public record Figure(
      double value, double median, @Nullable Interval interval, boolean projected) {
    /**
     * With its interval, and whether it was projected.
     *
     * @param time whether it is one
     */
    String text(boolean time) {
      DoubleFunction<String> unit = time ? Units::time : Units::rate;
      String range =
          interval == null
              ? ""
              : " [" + unit.apply(interval.low()) + ", " + unit.apply(interval.high()) + "]";
      return (projected ? "projected " : "") + unit.apply(median) + range;
    }
  }

  /** Whether the values span more than a decade, so that a logarithmic axis shows them better. */
  public boolean wide() {
    double first = value(points.getFirst());
    double last =
        points.stream()
            .flatMap(section -> Stream.ofNullable(section.experiment().point()))
            .flatMap(point -> Stream.concat(Stream.of(point.value()), point.project().stream()))
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(first);
    return first > 0 && last >= 10 * first;
  }

  /** What a group's configurations did, by phase. */
  List<Phase> phases(String group) {
    return groups.stream()
        .filter(each -> each.group().equals(group))
        .flatMap(each -> each.phases().stream())
        .toList();
  }

  /** The parameter in words. */
  public String words() {
    return parameter.replace('_', ' ');
  }

  static double value(Section section) {
    SweepPoint point = section.experiment().point();
    return point == null ? Double.NaN : point.value();
  }

  /** The sweeps among sections, in their order. */
  static List<SweepSummary> of(List<Section> sections) {
    Map<String, List<Section>> byName = new LinkedHashMap<>();
    for (Section section : sections) {
      SweepPoint point = section.experiment().point();
      if (point != null) {
        byName.computeIfAbsent(point.sweep(), _ -> new ArrayList<>()).add(section);
      }
    }
    return byName.values().stream().map(SweepSummary::together).toList();
  }

  private static SweepSummary together(List<Section> sections) {
    List<Section> points = new ArrayList<>(sections);
    points.sort(Comparator.comparingDouble(SweepSummary::value));
    ExperimentResult first = points.getFirst().experiment();
    SweepPoint point = first.point();
    if (point == null) {
      throw new IllegalArgumentException(first.name() + " is no point of a sweep");
    }
    Map<String, Division> groups = new LinkedHashMap<>();
    points.forEach(
        section -> section.divisions().forEach(each -> groups.putIfAbsent(each.group(), each)));
    return new SweepSummary(
        point.sweep(),
        point.parameter(),
        points,
        groups.values().stream().map(division -> group(division, points)).toList());
  }

  private static Group group(Division division, List<Section> points) {
    List<String> names = division.configurations().stream().map(ConfigurationResult::name).toList();
    Map<String, Map<Section, Board>> boards = new LinkedHashMap<>();
    for (Section section : points) {
      for (Division each : section.divisions()) {
        if (each.group().equals(division.group())) {
          each.boards()
              .forEach(board ->
                  boards
                      .computeIfAbsent(board.phase(), _ -> new LinkedHashMap<>())
                      .put(section, board));
        }
      }
    }
    List<Phase> phases = new ArrayList<>();
    boards.forEach((name, at) -> phases.add(phase(name, at)));
    return new Group(division.group(), division.title(), names, phases);
  }

  private static Phase phase(String name, Map<Section, Board> boards) {
    Board any = boards.values().iterator().next();
    Set<String> names = new LinkedHashSet<>();
    boards
        .values()
        .forEach(board -> board.cells().forEach(cell -> names.add(cell.configuration())));
    List<Line> lines = new ArrayList<>();
    for (String configuration : names) {
      List<Figure> figures = new ArrayList<>();
      boards.forEach((section, board) -> {
        Cell cell = board.cell(configuration);
        if (cell != null) {
          figures.add(figure(value(section), board, cell));
        }
      });
      List<Section> points = List.copyOf(boards.keySet());
      Projection law = Projections.law(configuration, name, points);
      if (law != null) {
        figures.addAll(Projections.figures(law, points, any.single()));
      }
      lines.add(new Line(configuration, figures, law));
    }
    return new Phase(name, any.measure(), any.single(), sentence(boards), lines);
  }

  private static Figure figure(double value, Board board, Cell cell) {
    Estimate shown = board.single() ? cell.rate().reciprocal() : cell.rate();
    double unit = board.single() ? 1e9 : 1;
    Interval interval = shown.interval();
    return new Figure(
        value,
        shown.median() * unit,
        interval == null ? null : new Interval(interval.low() * unit, interval.high() * unit),
        false);
  }

  /** Who is fastest at which values; neighbours with the same answer are named together. */
  private static String sentence(Map<Section, Board> boards) {
    List<String> parts = new ArrayList<>();
    List<String> values = new ArrayList<>();
    String before = null;
    for (Map.Entry<Section, Board> entry : boards.entrySet()) {
      Board board = entry.getValue();
      String answer =
          board.cells().size() < 2
              ? "nothing to compare"
              : board.decided()
                  ? board.cells().getFirst().configuration() + " is fastest"
                  : "no single fastest";
      if (!answer.equals(before)) {
        if (before != null) {
          parts.add(before + " at " + range(values));
        }
        values.clear();
        before = answer;
      }
      values.add(Units.number(value(entry.getKey())));
    }
    parts.add(before + " at " + range(values));
    return String.join("; ", parts) + ".";
  }

  private static String range(List<String> values) {
    return values.size() == 1 ? values.getFirst() : values.getFirst() + " to " + values.getLast();
  }
}
