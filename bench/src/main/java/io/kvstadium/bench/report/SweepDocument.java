package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Drawing;
import io.kvstadium.bench.report.Block.Items;
import io.kvstadium.bench.report.Block.Kind;
import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Term;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Head;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Tone;
import io.kvstadium.bench.stats.Projection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Puts the points of a sweep into one section: a column for each point, and each point folded. */
final class SweepDocument {
  private static final String LEGEND =
      "* shown to be fastest   = no difference shown from the highest median   ! see below the"
          + " table. Intervals, verdicts and latencies of each point are in the HTML report.";

  private final Sweep sweep;

  private SweepDocument(Sweep sweep) {
    this.sweep = sweep;
  }

  static Document.Section section(Sweep sweep) {
    return new SweepDocument(sweep).section();
  }

  private Document.Section section() {
    List<Term> glance = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    for (Sweep.Group group : sweep.groups()) {
      List<Term> verdicts = new ArrayList<>();
      for (Sweep.Phase phase : group.phases()) {
        verdicts.add(new Term(phase.name(), phase.sentence()));
        if (Trials.workload(phase.name())) {
          String title = group.title() + ", " + phase.name();
          glance.add(new Term(title, "Over " + sweep.words() + ": " + phase.sentence()));
        }
      }
      blocks.add(new Part(Kind.VERDICT, group.title(), List.of(new Block.Terms(verdicts))));
      blocks.add(
          Part.of(
              Kind.DRAWINGS,
              group.phases().stream().<Block>map(phase -> drawing(group, phase)).toList()));
    }
    blocks.add(
        Block.on(Medium.CONSOLE, Part.of(Kind.FIGURES, List.of(new Text(Style.ASIDE, LEGEND)))));
    costs(blocks, "space on disk at rest", Costs::restingBytes);
    costs(blocks, "anonymous memory", Costs::anonymousBytes);
    sweep.points().stream()
        .flatMap(point -> point.published().stream())
        .forEach(table -> blocks.add(ReportDocument.published(table)));
    blocks.addAll(ReportDocument.absences(absences()));
    for (ExperimentReport point : sweep.points()) {
      String title = "Details of " + sweep.words() + " " + Units.number(Sweep.value(point));
      blocks.add(
          Block.on(
              Medium.PAGE,
              Medium.MARKDOWN,
              new Part(Kind.FOLD, title, ReportDocument.blocks(point))));
    }
    var first = sweep.points().getFirst().experiment();
    String name = ReportDocument.name(sweep.name(), first);
    return new Document.Section(name, first.question(), glance, blocks);
  }

  private static String at(ExperimentReport point) {
    return Units.number(Sweep.value(point));
  }

  /** In how many points, in words. */
  private String where(List<String> values) {
    return values.size() == sweep.points().size()
        ? "at every point"
        : "at " + String.join("; ", values);
  }

  private Part drawing(Sweep.Group group, Sweep.Phase phase) {
    List<Double> values =
        phase.lines().stream()
            .flatMap(line -> line.figures().stream())
            .map(Sweep.Point::value)
            .distinct()
            .sorted()
            .toList();
    List<Row> rows = new ArrayList<>();
    List<String> projections = new ArrayList<>();
    Map<String, Map<String, List<String>>> marks = new LinkedHashMap<>();
    for (Sweep.Series line : phase.lines()) {
      String name = line.configuration();
      Map<Double, Cell> cells = new LinkedHashMap<>();
      values.forEach(value -> cells.put(value, Cell.of(Table.MISSING)));
      for (Sweep.Point figure : line.figures()) {
        cells.put(figure.value(), cell(figure, phase.single()));
        if (figure.projected() && line.law() != null) {
          projections.add(projection(name, figure, line.law(), phase.single()));
        }
        for (Warning warning : figure.warnings()) {
          marks
              .computeIfAbsent(warning.word(), _ -> new LinkedHashMap<>())
              .computeIfAbsent(name, _ -> new ArrayList<>())
              .add(Units.number(figure.value()));
        }
      }
      Key key = Key.of(group.names(), name);
      rows.add(new Row(name, key, false, false, List.copyOf(cells.values()), List.of()));
    }
    List<Term> remarks = new ArrayList<>();
    marks.forEach((word, where) -> {
      List<String> parts = new ArrayList<>();
      where.forEach((name, points) -> parts.add(name + " " + where(points)));
      remarks.add(new Term(word, String.join(", ", parts)));
    });
    String title = phase.name() + ": median, by " + sweep.words();
    return Part.of(
        Kind.DRAWING,
        List.of(
            Block.on(Medium.CONSOLE, Medium.MARKDOWN, new Text(Style.TITLE, title)),
            new Drawing(Charts.sweep(sweep, group, phase)),
            Table.of(
                Table.Look.QUIET,
                phase.name() + " over " + sweep.words(),
                "",
                values.stream().map(value -> Head.of(Units.number(value))).toList(),
                rows),
            Block.on(Medium.CONSOLE, Medium.MARKDOWN, new Items('!', remarks)),
            Block.on(Medium.CONSOLE, Medium.MARKDOWN, Items.of('~', projections)),
            Block.on(Medium.PAGE, new Text(Style.ASIDE, laws(phase)))));
  }

  private static Cell cell(Sweep.Point figure, boolean time) {
    return new Cell(
        figure.text(time),
        figure.sign().equals("*") ? Tone.GOOD : Tone.PLAIN,
        (figure.warnings().isEmpty() ? "" : "!") + figure.sign(),
        List.of(figure.range(time)),
        -1,
        List.of());
  }

  private static String projection(String name, Sweep.Point figure, Projection law, boolean time) {
    return String.format(
        Locale.ROOT,
        "at %,.0f, %s %s %s; this law misses the largest measured point by %s",
        figure.value(),
        name,
        figure.text(time),
        figure.range(time),
        Units.percent(Math.abs(law.heldOutError())));
  }

  /** What a reader must know of projected figures. */
  private String laws(Sweep.Phase phase) {
    List<String> laws = new ArrayList<>();
    for (Sweep.Series line : phase.lines()) {
      Projection law = line.law();
      if (law != null) {
        laws.add(
            String.format(
                Locale.ROOT,
                "%s: exponent %.2f, misses the largest measured point by %s",
                line.configuration(),
                law.exponent(),
                Units.percent(Math.abs(law.heldOutError()))));
      }
    }
    return laws.isEmpty()
        ? ""
        : "Hollow points were not measured but projected: time per operation as a power of "
            + sweep.words()
            + ", with the interval that one further trial would fall into if the law holds so far."
            + " The misses show how far to trust it. "
            + String.join("; ", laws)
            + ".";
  }

  /** A cost of all configurations, if anything is known of it. */
  private void costs(List<Block> blocks, String title, ToDoubleFunction<Costs> cost) {
    Set<String> names = new LinkedHashSet<>();
    sweep.points().forEach(point -> point.costs().forEach(own -> names.add(own.configuration())));
    List<Row> rows = new ArrayList<>();
    for (String name : names) {
      List<String> cells =
          sweep.points().stream()
              .map(point ->
                  CostColumns.bytes(
                      point.costs().stream()
                          .filter(own -> own.configuration().equals(name))
                          .mapToDouble(cost)
                          .findFirst()
                          .orElse(Double.NaN)))
              .toList();
      rows.add(Row.of(name, cells));
    }
    List<Head> heads = sweep.points().stream().map(point -> Head.of(at(point))).toList();
    Table table = Table.of(Table.Look.QUIET, title, "", heads, rows);
    if (table.known()) {
      Text text = new Text(Style.TITLE, title + ": median, by " + sweep.words());
      Part part = Part.of(Kind.FIGURES, List.of(text, table));
      blocks.add(Block.on(Medium.CONSOLE, Medium.MARKDOWN, part));
    }
  }

  /** What is missing, each reason once with the points that it holds for. */
  private List<Absence> absences() {
    Map<Absence, List<String>> where = new LinkedHashMap<>();
    for (ExperimentReport point : sweep.points()) {
      for (Absence each : point.absences()) {
        where.computeIfAbsent(each, _ -> new ArrayList<>()).add(at(point));
      }
    }
    List<Absence> absences = new ArrayList<>();
    where.forEach((each, points) -> {
      boolean always = points.size() == sweep.points().size();
      String what = each.what() + (always ? "" : " " + where(points));
      absences.add(new Absence(each.configuration(), what, each.reason()));
    });
    return absences;
  }
}
