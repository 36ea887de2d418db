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
import io.kvstadium.bench.report.Table.Look;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Tone;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The document's part on the configurations of one group: the verdict, and the figures. */
final class GroupDocument {
  private static final String THROUGHPUT =
      "One line for each configuration: its median trial. Below the axis, ticks are garbage"
          + " collections; bars are compactions, flushes or cleanings.";

  /** The factor from which colours get no darker. */
  private static final double DARKEST = 100;

  private final ExperimentReport section;
  private final ComparisonGroup group;
  private final List<PhaseRanking> rankings;
  private final List<String> ran;

  /** The phases' rankings, followed by the overall one if there is one. */
  private final List<Ranking> all;

  GroupDocument(ExperimentReport section, ComparisonGroup group) {
    this.section = section;
    this.group = group;
    this.rankings = group.rankings();
    this.ran = group.ran().stream().map(ConfigurationResult::name).toList();
    this.all = new ArrayList<>(rankings);
    if (group.overall() != null && group.overall().places().size() > 1) {
      all.add(group.overall());
    }
  }

  Block verdict() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Text(Style.LEAD, group.headline()));
    if (!group.note().isEmpty()) {
      blocks.add(Text.aside(group.note()));
    }
    if (ran.size() > 1) {
      blocks.add(Block.on(Medium.CONSOLE, overview()));
    }
    boolean compared = rankings.stream().anyMatch(ranking -> ranking.standings().size() > 1);
    Block verdicts = new Block.Terms(group.verdicts());
    blocks.add(
        compared ? verdicts : new Block.Only(Set.of(Medium.PAGE, Medium.MARKDOWN), verdicts));
    return new Part(Kind.VERDICT, group.title(), blocks);
  }

  /** A row for each phase, a column for each configuration. */
  private Table overview() {
    List<Column<Ranking>> columns = new ArrayList<>();
    ran.forEach(name -> columns.add(new Column<>(Head.of(name), own -> glance(own, own.of(name)))));
    String legend = "* fastest   = not told apart from the first, or a tie with it";
    return Table.of(Look.GLANCE, legend, "", columns, all, own -> Row.of(own.phase()));
  }

  private static Cell glance(Ranking ranking, Ranking.@Nullable Place own) {
    return own == null
        ? Cell.of(Table.MISSING)
        : Cell.of(own.text(), Tone.PLAIN, own.mark(), ranking.sign(own));
  }

  /** The figures; empty if there are none. */
  List<Block> figures() {
    if (rankings.isEmpty()) {
      return List.of(Block.on(Medium.PAGE, verdict()));
    }
    List<Block> blocks = new ArrayList<>();
    if (ran.size() > 1) {
      blocks.add(Block.on(Medium.PAGE, heat()));
    }
    List<Block> bars = rankings.stream().<Block>map(own -> new Drawing(Charts.bars(own))).toList();
    blocks.add(Block.on(Medium.PAGE, Part.of(Kind.CHARTS, bars)));
    List<Block> tables = rankings.stream().<Block>map(GroupDocument::table).toList();
    blocks.add(Block.asText(Part.of(Kind.FIGURES, tables)));
    String name = section.experiment().name() + " " + group.group();
    List<Block> latencies =
        rankings.stream().flatMap(own -> LatencyBlocks.of(own, name).stream()).toList();
    if (!latencies.isEmpty()) {
      Part drawings = Part.of(Kind.DRAWINGS, latencies);
      blocks.add(new Part(Kind.SUBCHAPTER, "Latency", List.of(drawings)));
    }
    List<Block> courses = rankings.stream().flatMap(GroupDocument::throughput).toList();
    if (!courses.isEmpty()) {
      Text note = Text.aside(THROUGHPUT);
      Part drawings = Part.of(Kind.DRAWINGS, courses);
      blocks.add(page("Throughput over time", note, drawings));
    }
    Block.Choices scatter = Scatters.of(rankings);
    if (scatter != null) {
      blocks.add(page("Latency against cost", scatter));
    }
    String all = "Every verdict, interval and cost per operation";
    Part fold = new Part(Kind.FOLD, all, tables);
    blocks.add(page("Details", verdict(), matrix(), new Items('!', marks()), fold));
    return List.of(new Part(Kind.FIGURES, "Figures: " + group.title(), blocks));
  }

  private static Block page(String title, Block... blocks) {
    return Block.on(Medium.PAGE, new Part(Kind.SUBCHAPTER, title, List.of(blocks)));
  }

  /** How far each is behind the first, phase by phase. */
  private Table heat() {
    List<Ranking> phases = Summary.rankings(group);
    List<Column<String>> columns = new ArrayList<>();
    for (Ranking each : phases) {
      columns.add(new Column<>(Head.of(each.phase()), name -> heat(each, each.of(name))));
    }
    return Table.of(
        Look.HEAT,
        "How many times slower than the fastest of each phase, on a logarithmic scale; in brackets"
            + " if not told apart from it."
            + ComparisonGroup.legend(group.ran()),
        "configuration",
        columns,
        Summary.names(phases),
        name -> Row.of(name, Key.of(group.configurations(), name)));
  }

  private static Cell heat(Ranking ranking, Ranking.@Nullable Place own) {
    if (own == null) {
      return Cell.of(Table.MISSING);
    }
    boolean slower = own.verdict() instanceof Verdict.Slower;
    double factor =
        own.verdict() instanceof Verdict.Slower shown
            ? shown.ratio()
            : Math.max(1, 1 / own.relative());
    String text = own.verdict() == null ? "×1" : Units.times(factor);
    return new Cell(
        slower || own.verdict() == null ? text : "(" + text + ")",
        own.verdict() == null ? Tone.GOOD : Tone.PLAIN,
        own.mark(),
        "",
        ranking instanceof OverallRanking ? List.of() : List.of(own.text()),
        (int) Math.round(100 * Math.min(1, Math.log(factor) / Math.log(DARKEST))),
        List.of());
  }

  private Table matrix() {
    List<Column<ConfigurationResult>> columns = new ArrayList<>();
    for (Ranking each : all) {
      columns.add(new Column<>(Head.of(each.phase()), own -> cell(each, each.of(own.name()))));
    }
    return Table.of(
        Look.MATRIX,
        "Medians with 95 % intervals." + ComparisonGroup.legend(group.ran()),
        "configuration",
        columns,
        group.ran(),
        own -> Row.of(own.name(), Key.of(group.configurations(), own.name())));
  }

  private static Cell cell(Ranking ranking, Ranking.@Nullable Place own) {
    if (own == null) {
      String why = ranking instanceof OverallRanking ? "not ranked, phases missing" : "no figure";
      return Cell.of(Table.MISSING, Tone.PLAIN, "", "", why.split(", "));
    }
    return new Cell(
        own.text(),
        own.verdict() == null && ranking.decided() ? Tone.GOOD : Tone.PLAIN,
        own.mark(),
        "",
        own.notes(ranking),
        (int) Math.round(own.relative() * 100),
        own.warnings().stream().map(Warning::word).toList());
  }

  /** Each mark's word, with its meaning for each figure that has it. */
  private List<Term> marks() {
    List<Term> marks = new ArrayList<>();
    for (PhaseRanking ranking : rankings) {
      for (Standing own : ranking.standings()) {
        String where = own.configuration() + ", " + ranking.phase() + ": ";
        own.warnings().forEach(each -> marks.add(new Term(each.word(), where + each.text())));
      }
    }
    return marks;
  }

  /** Every figure of a phase, with its verdict. */
  private static Table table(PhaseRanking ranking) {
    List<Column<Standing>> columns = new ArrayList<>();
    columns.add(
        new Column<>(Head.of("median"), own -> Cell.of(own.text(), Tone.PLAIN, own.mark(), "")));
    columns.add(Column.of("±", Standing::spread, Medium.CONSOLE));
    columns.add(Column.of("95 % interval", GroupDocument::interval, Medium.MARKDOWN, Medium.PAGE));
    columns.add(Column.of("trials", own -> Integer.toString(own.rate().n()), Medium.PAGE));
    columns.add(
        new Column<>(
            Head.words("against the first"),
            own -> Cell.of(ranking.words(own), tone(ranking, own), "", "")));
    columns.addAll(Column.of(Standing::trials, Costs.PHASE));
    if (ranking.any(own -> !Double.isNaN(Costs.flushes(own.trials())))) {
      columns.addAll(Column.of(Standing::trials, List.of(Costs.FLUSHES)));
    }
    return Table.of(
        Look.PLAIN,
        ranking.phase() + ": each against the first, by " + ranking.measure(),
        ranking.phase(),
        columns,
        ranking.standings(),
        own ->
            Row.of(own.configuration())
                .noted(own.warnings().stream().map(e -> new Term(e.word(), e.text())).toList()));
  }

  private static String interval(Standing own) {
    return own.rate().interval() == null ? "none at n = 1" : own.figure().range();
  }

  private static Tone tone(PhaseRanking ranking, Standing own) {
    return own.verdict() == null && ranking.decided() ? Tone.GOOD : Tone.of(own.verdict());
  }

  private static Stream<Block> throughput(PhaseRanking ranking) {
    LineChart chart = Charts.throughput(ranking);
    if (chart == null) {
      return Stream.of();
    }
    Table table =
        ranking.table(Look.QUIET, "throughput over time", Standing::throughput, Throughput.COLUMNS);
    return Stream.of(Part.of(Kind.DRAWING, new Drawing(chart), table));
  }
}
