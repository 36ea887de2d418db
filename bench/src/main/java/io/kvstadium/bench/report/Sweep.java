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
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
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
public record Sweep(
    String name, String parameter, List<ExperimentReport> points, List<Group> groups) {
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
      String name, String measure, boolean single, String sentence, List<Series> lines) {}

  /**
   * One configuration's figures, by rising value.
   *
   * @param configuration its name
   * @param figures those that were measured, and after them those that were projected
   * @param law by which they were projected, or {@code null} if there are none
   */
  public record Series(String configuration, List<Point> figures, @Nullable Projection law) {}

  /**
   * One value of the parameter and what was measured there.
   *
   * @param value of the parameter
   * @param median in operations per second, or nanoseconds if the phase's figures are times
   * @param interval in the same unit, or {@code null} if there is none
   * @param projected whether nothing ran there, so that it was projected from the others
   * @param sign how it stands beside the others, where there is no room for words
   * @param warnings what to know about it
   */
  public record Point(
      double value,
      double median,
      @Nullable Interval interval,
      boolean projected,
      String sign,
      List<Warning> warnings) {
    /** The median, and whether it was projected. */
    String text(boolean time) {
      return (projected ? "projected " : "") + unit(time).apply(median);
    }

    /** The interval, or an empty text if there is none. */
    String range(boolean time) {
      DoubleFunction<String> unit = unit(time);
      return interval == null
          ? ""
          : "[" + unit.apply(interval.low()) + ", " + unit.apply(interval.high()) + "]";
    }

    private static DoubleFunction<String> unit(boolean time) {
      return time ? Units::time : Units::rate;
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

  /** The parameter in words. */
  public String words() {
    return parameter.replace('_', ' ');
  }

  static double value(ExperimentReport section) {
    SweepPoint point = section.experiment().point();
    return point == null ? Double.NaN : point.value();
  }

  /** The points of each sweep together, where the first stands, and what is none alone. */
  static <T> List<List<T>> together(List<T> all, Function<T, @Nullable SweepPoint> point) {
    Map<Object, List<T>> together = new LinkedHashMap<>();
    for (T each : all) {
      SweepPoint own = point.apply(each);
      Object key = own == null ? new Object() : own.sweep();
      together.computeIfAbsent(key, _ -> new ArrayList<>()).add(each);
    }
    return List.copyOf(together.values());
  }

  /** The sweep that sections are the points of. */
  static Sweep of(List<ExperimentReport> sections) {
    List<ExperimentReport> points = new ArrayList<>(sections);
    points.sort(Comparator.comparingDouble(Sweep::value));
    ExperimentResult first = points.getFirst().experiment();
    SweepPoint point = first.point();
    if (point == null) {
      throw new IllegalArgumentException(first.name() + " is no point of a sweep");
    }
    Map<String, ComparisonGroup> groups = new LinkedHashMap<>();
    points.forEach(
        section -> section.groups().forEach(each -> groups.putIfAbsent(each.group(), each)));
    return new Sweep(
        point.sweep(),
        point.parameter(),
        points,
        groups.values().stream().map(group -> group(group, points)).toList());
  }

  private static Group group(ComparisonGroup group, List<ExperimentReport> points) {
    List<String> names = group.configurations().stream().map(ConfigurationResult::name).toList();
    Map<String, Map<ExperimentReport, PhaseRanking>> rankings = new LinkedHashMap<>();
    for (ExperimentReport section : points) {
      for (ComparisonGroup each : section.groups()) {
        if (each.group().equals(group.group())) {
          each.rankings()
              .forEach(ranking ->
                  rankings
                      .computeIfAbsent(ranking.phase(), _ -> new LinkedHashMap<>())
                      .put(section, ranking));
        }
      }
    }
    List<Phase> phases = new ArrayList<>();
    rankings.forEach((name, at) -> phases.add(phase(name, names, at)));
    return new Group(group.group(), group.title(), names, phases);
  }

  private static Phase phase(
      String name, List<String> names, Map<ExperimentReport, PhaseRanking> rankings) {
    PhaseRanking any = rankings.values().iterator().next();
    List<Series> lines = new ArrayList<>();
    for (String configuration : names) {
      List<Point> figures = new ArrayList<>();
      rankings.forEach((section, ranking) -> {
        Standing standing = ranking.of(configuration);
        if (standing != null) {
          figures.add(figure(value(section), ranking, standing));
        }
      });
      if (figures.isEmpty()) {
        continue;
      }
      List<ExperimentReport> points = List.copyOf(rankings.keySet());
      Projection law = Projections.law(configuration, name, points);
      if (law != null) {
        figures.addAll(Projections.figures(law, points, any.single()));
      }
      lines.add(new Series(configuration, figures, law));
    }
    return new Phase(name, any.measure(), any.single(), sentence(rankings), lines);
  }

  private static Point figure(double value, PhaseRanking ranking, Standing standing) {
    Estimate shown = ranking.single() ? standing.rate().reciprocal() : standing.rate();
    double unit = ranking.single() ? 1e9 : 1;
    Interval interval = shown.interval();
    return new Point(
        value,
        shown.median() * unit,
        interval == null ? null : new Interval(interval.low() * unit, interval.high() * unit),
        false,
        ranking.sign(standing),
        standing.warnings());
  }

  /** Who is fastest at which values; neighbours with the same answer are named together. */
  private static String sentence(Map<ExperimentReport, PhaseRanking> rankings) {
    List<String> parts = new ArrayList<>();
    List<String> values = new ArrayList<>();
    String before = null;
    for (Map.Entry<ExperimentReport, PhaseRanking> entry : rankings.entrySet()) {
      PhaseRanking ranking = entry.getValue();
      String answer =
          ranking.standings().size() < 2
              ? "nothing to compare"
              : ranking.decided()
                  ? ranking.standings().getFirst().configuration() + " is fastest"
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
    parts.add(
        before
            + (parts.isEmpty() && values.size() > 1 ? " at every point" : " at " + range(values)));
    return String.join("; ", parts) + ".";
  }

  private static String range(List<String> values) {
    return values.size() == 1 ? values.getFirst() : values.getFirst() + " to " + values.getLast();
  }
}
