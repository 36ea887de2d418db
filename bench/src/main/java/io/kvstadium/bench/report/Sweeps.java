package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Grid.Tone;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.stats.Projection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The points of one sweep as tables: a row for each configuration, a column for each point.
 *
 * @param points sections of the same sweep, in the suite's order
 */
record Sweeps(List<Section> points) {
  static final String LEGEND =
      "* shown to be fastest   = no difference shown from the highest median   ! see below the"
          + " table. Intervals, verdicts and latencies of each point stand in the HTML report.";

  Sweeps {
    points = List.copyOf(points);
  }

  /** What a configuration costs beside time, as far as it is shown by point. */
  record Cost(String title, ToDoubleFunction<Costs> figure) {
    static final List<Cost> ALL =
        List.of(
            new Cost("space on disk at rest", Costs::restingBytes),
            new Cost("anonymous memory", Costs::anonymousBytes));
  }

  /** Sections of one sweep together, where the first stands; others alone. */
  static List<List<Section>> of(List<Section> sections) {
    Map<Object, List<Section>> together = new LinkedHashMap<>();
    for (Section section : sections) {
      SweepPoint point = section.experiment().point();
      Object key = point == null ? section : point.sweep();
      together.computeIfAbsent(key, _ -> new ArrayList<>()).add(section);
    }
    return List.copyOf(together.values());
  }

  private static SweepPoint point(Section section) {
    return Objects.requireNonNull(section.experiment().point());
  }

  private static String at(Section section) {
    return point(section).label();
  }

  String title() {
    return point(points.getFirst()).sweep() + ": " + points.getFirst().experiment().question();
  }

  String parameter() {
    return Ink.clean(point(points.getFirst()).parameter().replace('_', ' '));
  }

  /** Groups with the titles of their divisions. */
  Map<String, String> groups() {
    Map<String, String> groups = new LinkedHashMap<>();
    for (Section section : points) {
      section.divisions().forEach(each -> groups.putIfAbsent(each.group(), each.title()));
    }
    return groups;
  }

  /** The phases that any configuration of the group has figures for at any point. */
  Set<String> phases(String group) {
    Set<String> phases = new LinkedHashSet<>();
    for (Section section : points) {
      section.divisions().stream()
          .filter(division -> division.group().equals(group))
          .forEach(division -> division.boards().forEach(board -> phases.add(board.phase())));
    }
    return phases;
  }

  /** For each phase, who is fastest at which points. */
  List<String> sentences(String group) {
    List<String> sentences = new ArrayList<>();
    for (String phase : phases(group)) {
      Map<String, List<String>> wins = new LinkedHashMap<>();
      List<String> open = new ArrayList<>();
      for (Section section : points) {
        Board board = board(section, group, phase);
        if (board != null && board.decided()) {
          wins.computeIfAbsent(board.cells().getFirst().configuration(), _ -> new ArrayList<>())
              .add(at(section));
        } else if (board != null && board.cells().size() > 1) {
          open.add(at(section));
        }
      }
      if (wins.isEmpty() && open.isEmpty()) {
        continue;
      }
      List<String> parts = new ArrayList<>();
      wins.forEach((name, where) -> parts.add(name + " is fastest " + where(where)));
      if (!open.isEmpty()) {
        parts.add("no single fastest " + where(open));
      }
      sentences.add(phase + ": " + String.join("; ", parts) + ".");
    }
    return sentences;
  }

  private String where(List<String> labels) {
    return labels.size() == points.size() ? "at every point" : "at " + String.join("; ", labels);
  }

  /** Medians of a phase, the best of each point marked. */
  Grid grid(Ink ink, String group, String phase) {
    Grid grid = new Grid(ink, "", points.stream().map(Sweeps::at).map(each -> each + " ").toList());
    for (String name : names(group)) {
      List<Grid.Cell> cells = new ArrayList<>();
      for (Section section : points) {
        Board board = board(section, group, phase);
        Cell cell = board == null ? null : board.cell(name);
        cells.add(
            board == null || cell == null
                ? new Grid.Cell(PublishedTable.MISSING + " ", Tone.PLAIN)
                : figure(board, cell));
      }
      grid.row(name, cells);
    }
    return grid;
  }

  private static Grid.Cell figure(Board board, Cell cell) {
    String sign = Overview.sign(board, cell);
    String text = board.figure(cell) + (cell.marks().isEmpty() ? "" : "!") + sign;
    return new Grid.Cell(text, sign.equals("*") ? Tone.GOOD : Tone.PLAIN);
  }

  /** What to know about figures of a phase: each word with where it holds. */
  List<String> marks(String group, String phase) {
    Map<String, Map<String, List<String>>> marks = new LinkedHashMap<>();
    for (Section section : points) {
      Board board = board(section, group, phase);
      for (Cell cell : board == null ? List.<Cell>of() : board.cells()) {
        for (Mark mark : cell.marks()) {
          marks
              .computeIfAbsent(mark.word(), _ -> new LinkedHashMap<>())
              .computeIfAbsent(cell.configuration(), _ -> new ArrayList<>())
              .add(at(section));
        }
      }
    }
    List<String> texts = new ArrayList<>();
    marks.forEach((word, where) -> {
      List<String> parts = new ArrayList<>();
      where.forEach((name, labels) -> parts.add(name + " " + where(labels)));
      texts.add(word + ": " + String.join(", ", parts));
    });
    return texts;
  }

  /** What the points let expect of each configuration where nothing ran. */
  List<String> projections(String group, String phase) {
    List<String> texts = new ArrayList<>();
    for (SweepSummary.Phase each : SweepSummary.of(points).getFirst().phases(group)) {
      if (each.name().equals(phase)) {
        each.lines().forEach(line -> texts.addAll(projections(line, each.single())));
      }
    }
    return texts;
  }

  private static List<String> projections(SweepSummary.Line line, boolean time) {
    Projection law = line.law();
    if (law == null) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (SweepSummary.Figure figure : line.figures()) {
      if (figure.projected()) {
        texts.add(
            String.format(
                Locale.ROOT,
                "at %,.0f, %s %s; so projected, the largest point is missed by %s",
                figure.value(),
                line.configuration(),
                figure.text(time),
                Units.percent(Math.abs(law.heldOutError()))));
      }
    }
    return texts;
  }

  /** A cost of all configurations, or {@code null} if nothing is known of it. */
  @Nullable Grid costs(Ink ink, Cost cost) {
    Grid grid = new Grid(ink, "", points.stream().map(Sweeps::at).toList());
    boolean known = false;
    Set<String> names = new LinkedHashSet<>();
    points.forEach(each -> each.costs().forEach(costs -> names.add(costs.configuration())));
    for (String name : names) {
      List<String> cells = new ArrayList<>();
      for (Section section : points) {
        double bytes =
            section.costs().stream()
                .filter(each -> each.configuration().equals(name))
                .mapToDouble(cost.figure)
                .findFirst()
                .orElse(Double.NaN);
        known |= !Double.isNaN(bytes);
        cells.add(Circumstances.bytes(bytes));
      }
      grid.row(name, false, cells);
    }
    return known ? grid : null;
  }

  List<PublishedTable> published() {
    return points.stream().flatMap(each -> each.published().stream()).toList();
  }

  /** What is missing, each reason once with the points that it holds for. */
  List<Absence> absences() {
    Map<Absence, List<String>> where = new LinkedHashMap<>();
    for (Section section : points) {
      section
          .absences()
          .forEach(each -> where.computeIfAbsent(each, _ -> new ArrayList<>()).add(at(section)));
    }
    List<Absence> absences = new ArrayList<>();
    where.forEach((each, labels) ->
        absences.add(
            new Absence(
                each.configuration(),
                each.what() + (labels.size() == points.size() ? "" : " " + where(labels)),
                each.reason())));
    return absences;
  }

  private static @Nullable Board board(Section section, String group, String phase) {
    return section.divisions().stream()
        .filter(division -> division.group().equals(group))
        .flatMap(division -> division.boards().stream())
        .filter(board -> board.phase().equals(phase))
        .findFirst()
        .orElse(null);
  }

  /** Those of the group that were run at any point, in the suite's order. */
  private List<String> names(String group) {
    Set<String> names = new LinkedHashSet<>();
    for (Section section : points) {
      section.divisions().stream()
          .filter(division -> division.group().equals(group))
          .flatMap(division -> division.configurations().stream())
          .filter(each -> each.skipped() == null)
          .map(ConfigurationResult::name)
          .forEach(names::add);
    }
    return List.copyOf(names);
  }
}
