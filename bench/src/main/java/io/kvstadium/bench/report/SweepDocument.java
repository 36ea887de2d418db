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
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.stats.Projection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts the points of a sweep into one section: a column for each point, and the details of each
 * point folded.
 */
final class SweepDocument {
  private static final String LEGEND =
      "* shown to be fastest   = not told apart from the first, or a tie   ! see below the"
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
      List<Block> verdicts = new ArrayList<>();
      List<Block> drawings = new ArrayList<>();
      List<Term> terms = new ArrayList<>();
      for (Sweep.Phase phase : group.phases()) {
        terms.add(new Term(phase.name(), phase.sentence()));
        drawings.add(drawing(group, phase));
        if (Trials.workload(phase.name())) {
          String title = group.of().title() + ", " + phase.name();
          glance.add(new Term(title, "Over " + sweep.words() + ": " + phase.sentence()));
        }
      }
      if (!group.of().note().isEmpty()) {
        verdicts.add(Text.aside(group.of().note()));
      }
      verdicts.add(new Block.Terms(terms));
      blocks.add(new Part(Kind.VERDICT, group.of().title(), verdicts));
      blocks.add(Part.of(Kind.DRAWINGS, drawings));
    }
    blocks.add(Block.on(Medium.CONSOLE, Part.of(Kind.FIGURES, Text.aside(LEGEND))));
    costs(blocks, "space on disk when closed", card -> card.sizes().resting());
    costs(blocks, "anonymous memory", card -> card.memory().anonymousBytes());
    for (ExperimentReport point : sweep.points()) {
      point.published().forEach(table -> blocks.add(table.part()));
    }
    blocks.addAll(ReportDocument.absences(absences()));
    for (ExperimentReport point : sweep.points()) {
      String title = "Details of " + sweep.words() + " " + at(point);
      Part details = new Part(Kind.FOLD, title, ReportDocument.blocks(point));
      blocks.add(new Block.Only(Set.of(Medium.PAGE, Medium.MARKDOWN), details));
    }
    var first = sweep.points().getFirst().experiment();
    String name = ReportDocument.name(sweep.point().sweep(), first);
    return new Document.Section(name, first.question(), glance, blocks);
  }

  private static String at(ExperimentReport point) {
    return Units.number(point.value());
  }

  /** At which points, in words. */
  private String where(List<String> values) {
    boolean all = values.size() == sweep.points().size();
    return all ? "at every point" : "at " + String.join("; ", values);
  }

  private Part drawing(Sweep.Group group, Sweep.Phase phase) {
    List<Column<Sweep.Series>> columns =
        phase.lines().stream()
            .flatMap(line -> line.figures().stream())
            .map(Sweep.Point::value)
            .distinct()
            .sorted()
            .map(value ->
                new Column<Sweep.Series>(
                    Head.of(Units.number(value)), line -> cell(line.at(value))))
            .toList();
    List<String> projections = new ArrayList<>();
    List<String> laws = new ArrayList<>();
    for (Sweep.Series line : phase.lines()) {
      Projection law = line.law();
      if (law != null) {
        String misses = Units.percent(Math.abs(law.heldOutError()));
        laws.add(
            String.format(
                Locale.ROOT,
                "%s: exponent %.2f, misses the largest measured point by %s",
                line.configuration(),
                law.exponent(),
                misses));
        line.figures().stream()
            .filter(Sweep.Point::projected)
            .map(own ->
                "at %s, %s %s %s; this law misses the largest measured point by %s"
                    .formatted(
                        Units.number(own.value()),
                        line.configuration(),
                        text(own),
                        range(own),
                        misses))
            .forEach(projections::add);
      }
    }
    Table table =
        Table.of(
            Table.Look.QUIET,
            phase.name() + " over " + sweep.words(),
            "",
            columns,
            phase.lines(),
            own ->
                Row.of(
                    own.configuration(), Key.of(group.of().configurations(), own.configuration())));
    String title = phase.name() + ": median, by " + sweep.words();
    return Part.of(
        Kind.DRAWING,
        List.of(
            Block.asText(new Text(Style.TITLE, title)),
            new Drawing(Charts.sweep(sweep, group, phase)),
            table,
            Block.asText(new Items('!', marks(phase))),
            Block.asText(Items.of('~', projections)),
            Block.on(Medium.PAGE, Text.aside(laws(laws)))));
  }

  private static Cell cell(Sweep.@Nullable Point own) {
    if (own == null) {
      return Cell.of(Table.MISSING);
    }
    Tone tone = own.sign().equals("*") ? Tone.GOOD : Tone.PLAIN;
    String mark = own.standing() == null ? "" : own.standing().mark();
    String sign = (own.warnings().isEmpty() ? "" : "!") + own.sign();
    return Cell.of(text(own), tone, mark, sign, range(own));
  }

  private static String text(Sweep.Point own) {
    return (own.projected() ? "projected " : "") + own.figure().text();
  }

  private static String range(Sweep.Point own) {
    String range = own.figure().range().replace(" to ", ", ");
    return range.isEmpty() ? "" : "[" + range + "]";
  }

  /** The word of each warning, with the configurations and points that it applies to. */
  private List<Term> marks(Sweep.Phase phase) {
    Map<String, Map<String, List<String>>> marks = new LinkedHashMap<>();
    for (Sweep.Series line : phase.lines()) {
      for (Sweep.Point own : line.figures()) {
        for (Warning warning : own.warnings()) {
          marks
              .computeIfAbsent(warning.word(), _ -> new LinkedHashMap<>())
              .computeIfAbsent(line.configuration(), _ -> new ArrayList<>())
              .add(Units.number(own.value()));
        }
      }
    }
    List<Term> terms = new ArrayList<>();
    marks.forEach((word, where) -> {
      List<String> parts = new ArrayList<>();
      where.forEach((name, points) -> parts.add(name + " " + where(points)));
      terms.add(new Term(word, String.join(", ", parts)));
    });
    return terms;
  }

  /** What a reader must know of projected figures. */
  private String laws(List<String> laws) {
    return laws.isEmpty()
        ? ""
        : "Hollow points were not measured but projected: time per operation as a power of "
            + sweep.words()
            + ", with the interval that one further trial would fall into if the law holds that"
            + " far."
            + " The misses show how far to trust it. "
            + String.join("; ", laws)
            + ".";
  }

  /** A cost of all configurations, if anything is known about it. */
  private void costs(List<Block> blocks, String title, ToDoubleFunction<CostCard> cost) {
    Set<String> names = new LinkedHashSet<>();
    List<Column<String>> columns = new ArrayList<>();
    for (ExperimentReport point : sweep.points()) {
      point.costs().forEach(own -> names.add(own.configuration()));
      columns.add(
          Column.of(
              at(point),
              name ->
                  point.costs().stream()
                      .filter(own -> own.configuration().equals(name))
                      .map(own -> Units.bytes(own.median(cost)))
                      .findFirst()
                      .orElse(Table.MISSING)));
    }
    Table table = Table.of(Table.Look.QUIET, title, "", columns, names, name -> Row.of(name));
    if (!table.known().heads().isEmpty()) {
      Text text = new Text(Style.TITLE, title + ": median, by " + sweep.words());
      Part part = Part.of(Kind.FIGURES, text, table);
      blocks.add(Block.asText(part));
    }
  }

  /** What is missing: each reason once, with the points that it applies to. */
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
