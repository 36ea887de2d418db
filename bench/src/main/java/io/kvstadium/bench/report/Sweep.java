package io.kvstadium.bench.report;

import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Projection;
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
 * @param projected further values at which nothing ran
 */
record Sweep(SweepPoint point, List<ExperimentReport> points, List<Double> projected) {
  /**
   * Configurations that are compared with one another.
   *
   * @param of the group, as it is at the first point that has it
   * @param phases with figures at any point
   */
  record Group(ComparisonGroup of, List<Phase> phases) {}

  /**
   * One phase at all values.
   *
   * @param measure what its figures are
   * @param single whether they are times
   * @param sentence who is fastest at which values
   * @param lines one for each configuration with figures
   */
  record Phase(String name, String measure, boolean single, String sentence, List<Series> lines) {}

  /**
   * One configuration's figures, by rising value.
   *
   * @param figures those that were measured, followed by those that were projected
   * @param law the law by which they were projected, or {@code null} if none were
   */
  record Series(String configuration, List<Point> figures, @Nullable Projection law) {
    @Nullable Point at(double value) {
      return figures.stream().filter(own -> own.value == value).findFirst().orElse(null);
    }
  }

  /**
   * One value of the parameter and the figure there.
   *
   * @param standing what was measured, or {@code null} if nothing ran there and the figure is
   *     projected
   * @param sign how it compares with the others, for tables without room for words
   */
  record Point(double value, Figure figure, @Nullable Standing standing, String sign) {
    boolean projected() {
      return standing == null;
    }

    List<Warning> warnings() {
      return standing == null ? List.of() : standing.warnings();
    }
  }

  /** The sweep whose points the sections are. */
  static Sweep of(List<ExperimentReport> sections) {
    List<ExperimentReport> points = new ArrayList<>(sections);
    points.sort(Comparator.comparingDouble(ExperimentReport::value));
    TreeSet<Double> projected = new TreeSet<>();
    for (ExperimentReport each : points) {
      projected.addAll(Objects.requireNonNull(each.experiment().point()).project());
    }
    points.forEach(each -> projected.remove(each.value()));
    projected.removeIf(value -> !(value > 0));
    SweepPoint point = Objects.requireNonNull(points.getFirst().experiment().point());
    return new Sweep(point, points, List.copyOf(projected));
  }

  /**
   * Groups the points of each sweep, at the place of the first; everything else stays on its own.
   */
  static <T> List<List<T>> together(List<T> all, Function<T, @Nullable SweepPoint> point) {
    Map<Object, List<T>> together = new LinkedHashMap<>();
    for (T each : all) {
      SweepPoint own = point.apply(each);
      Object key = own == null ? new Object() : own.sweep();
      together.computeIfAbsent(key, _ -> new ArrayList<>()).add(each);
    }
    return List.copyOf(together.values());
  }

  /** Whether the values span more than a decade, so that a logarithmic axis shows them better. */
  boolean wide() {
    double first = points.getFirst().value();
    double last = points.getLast().value();
    double most = projected.isEmpty() ? last : Math.max(last, projected.getLast());
    return first > 0 && most >= 10 * first;
  }

  /** The parameter in words. */
  String words() {
    return words(point);
  }

  static String words(SweepPoint point) {
    return point.parameter().replace('_', ' ');
  }

  List<Group> groups() {
    Map<String, ComparisonGroup> groups = new LinkedHashMap<>();
    points.forEach(own -> own.groups().forEach(each -> groups.putIfAbsent(each.group(), each)));
    return groups.values().stream().map(this::group).toList();
  }

  private Group group(ComparisonGroup group) {
    Map<String, Map<Double, PhaseRanking>> rankings = new LinkedHashMap<>();
    for (ExperimentReport section : points) {
      section.groups().stream()
          .filter(each -> each.group().equals(group.group()))
          .flatMap(each -> each.rankings().stream())
          .forEach(own ->
              rankings
                  .computeIfAbsent(own.phase(), _ -> new TreeMap<>())
                  .put(section.value(), own));
    }
    Group own = new Group(group, new ArrayList<>());
    rankings.forEach((name, at) -> own.phases.add(phase(name, group.names(), at)));
    return own;
  }

  private Phase phase(String name, List<String> names, Map<Double, PhaseRanking> rankings) {
    PhaseRanking any = rankings.values().iterator().next();
    List<Series> lines = new ArrayList<>();
    for (String configuration : names) {
      List<Point> figures = new ArrayList<>();
      rankings.forEach((value, ranking) -> {
        Standing own = ranking.of(configuration);
        if (own != null) {
          figures.add(new Point(value, own.figure(), own, ranking.sign(own)));
        }
      });
      if (!figures.isEmpty()) {
        Projection law = law(figures);
        if (law != null) {
          projected.forEach(value -> figures.add(projected(law, value, any.single())));
        }
        lines.add(new Series(configuration, figures, law));
      }
    }
    return new Phase(name, any.measure(), any.single(), sentence(rankings), lines);
  }

  /**
   * The law that the time per operation follows, or {@code null} if nothing should be projected or
   * there are too few points.
   */
  private @Nullable Projection law(List<Point> points) {
    List<double[]> figures = new ArrayList<>();
    for (Point each : points) {
      for (PhaseResult own : Objects.requireNonNull(each.standing).trials().phases()) {
        // at a fixed rate, the time per operation is the pacer's
        if (own.pace() == null && each.value > 0) {
          figures.add(new double[] {each.value, own.nanosPerOperation()});
        }
      }
    }
    double[] sizes = figures.stream().mapToDouble(figure -> figure[0]).toArray();
    return projected.isEmpty() || !Projection.carried(sizes)
        ? null
        : Projection.of(sizes, figures.stream().mapToDouble(figure -> figure[1]).toArray());
  }

  private static Point projected(Projection law, double value, boolean time) {
    Projection.Cost cost = law.at(value);
    Interval of = cost.interval();
    Figure figure =
        time
            ? new Figure(true, cost.cost(), of)
            : new Figure(false, 1e9 / cost.cost(), new Interval(1e9 / of.high(), 1e9 / of.low()));
    return new Point(value, figure, null, "");
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
                  : "no single fastest";
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
