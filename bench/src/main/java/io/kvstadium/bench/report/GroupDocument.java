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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is to be said of the configurations of one group: the verdict, and the figures. */
final class GroupDocument {
  private static final String THROUGHPUT =
      "One line for each configuration: its median trial. Below the axis, ticks are garbage"
          + " collections; bars are compactions, flushes or cleanings.";

  private final ExperimentReport section;
  private final ComparisonGroup group;
  private final List<String> names;

  /** {@code null} if there is no ranking over all phases. */
  private final @Nullable OverallRanking overall;

  GroupDocument(ExperimentReport section, ComparisonGroup group) {
    this.section = section;
    this.group = group;
    this.names = group.configurations().stream().map(ConfigurationResult::name).toList();
    OverallRanking own = group.overall();
    this.overall = own == null || own.places().size() < 2 ? null : own;
  }

  private Key key(String name) {
    return Key.of(names, name);
  }

  Block verdict() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Text(Style.LEAD, group.headline()));
    if (!group.note().isEmpty()) {
      blocks.add(new Text(Style.ASIDE, group.note()));
    }
    if (ran().size() > 1) {
      blocks.add(Block.on(Medium.CONSOLE, overview()));
    }
    if (group.rankings().stream().anyMatch(ranking -> ranking.standings().size() > 1)) {
      blocks.add(verdicts());
    } else {
      blocks.add(Block.on(Medium.PAGE, Medium.MARKDOWN, verdicts()));
    }
    return new Part(Kind.VERDICT, group.title(), blocks);
  }

  private Block verdicts() {
    List<Term> terms = new ArrayList<>();
    group.verdicts().forEach((of, sentence) -> terms.add(new Term(of, sentence)));
    return new Block.Terms(terms);
  }

  /** Those with a figure in any phase. */
  private List<String> ran() {
    return names.stream()
        .filter(name -> group.rankings().stream().anyMatch(each -> each.of(name) != null))
        .toList();
  }

  /** A row for each phase, a column for each configuration. */
  private Table overview() {
    List<Row> rows = new ArrayList<>();
    for (PhaseRanking ranking : group.rankings()) {
      rows.add(
          signed(
              ranking.phase(),
              ran().stream()
                  .map(name -> {
                    Standing own = ranking.of(name);
                    return own == null
                        ? Cell.of(Table.MISSING)
                        : Cell.of(ranking.figure(own), Tone.PLAIN, ranking.sign(own));
                  })
                  .toList()));
    }
    OverallRanking all = overall;
    if (all != null) {
      rows.add(
          signed(
              "overall",
              ran().stream()
                  .map(name -> {
                    OverallRanking.Rank own = all.place(name);
                    return own == null
                        ? Cell.of(Table.MISSING)
                        : Cell.of(
                            Units.percent(own.relative()),
                            Tone.PLAIN,
                            PhaseRanking.sign(all.decided(), own.verdict()));
                  })
                  .toList()));
    }
    return Table.of(
        Look.GLANCE,
        "* fastest   = no difference shown from the highest median",
        "",
        ran().stream().map(Head::of).toList(),
        rows);
  }

  private static Row signed(String name, List<Cell> cells) {
    return new Row(name, null, false, false, cells, List.of());
  }

  /** Nothing if there are none. */
  List<Block> figures() {
    List<PhaseRanking> rankings = group.rankings();
    if (rankings.isEmpty()) {
      return List.of();
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(Block.on(Medium.PAGE, matrix()));
    blocks.add(Block.on(Medium.PAGE, new Items('!', marks())));
    List<Block> bars =
        rankings.stream().<Block>map(each -> new Drawing(Charts.bars(each, names))).toList();
    blocks.add(Block.on(Medium.PAGE, Part.of(Kind.CHARTS, bars)));
    List<Block> tables = rankings.stream().<Block>map(GroupDocument::table).toList();
    String all = "Every verdict, interval and cost per operation";
    blocks.add(Block.on(Medium.PAGE, new Part(Kind.FOLD, all, tables)));
    blocks.add(Block.on(Medium.CONSOLE, Medium.MARKDOWN, Part.of(Kind.FIGURES, tables)));
    subchapter(blocks, "Latency", rankings.stream().flatMap(each -> latencies(each).stream()));
    List<Block> courses = new ArrayList<>();
    Text note = new Text(Style.ASIDE, THROUGHPUT);
    subchapter(courses, "Throughput over time", rankings.stream().flatMap(this::throughput), note);
    courses.forEach(course -> blocks.add(Block.on(Medium.PAGE, course)));
    Block.Choices scatter = Scatters.of(section, group, names);
    if (scatter != null) {
      Part part = new Part(Kind.SUBCHAPTER, "Latency against cost", List.of(scatter));
      blocks.add(Block.on(Medium.PAGE, part));
    }
    return List.of(new Part(Kind.FIGURES, "Figures: " + group.title(), blocks));
  }

  private static void subchapter(
      List<Block> blocks, String title, Stream<Block> drawings, Block... before) {
    List<Block> all = drawings.toList();
    if (!all.isEmpty()) {
      List<Block> own = new ArrayList<>(List.of(before));
      own.add(Part.of(Kind.DRAWINGS, all));
      blocks.add(new Part(Kind.SUBCHAPTER, title, own));
    }
  }

  private Table matrix() {
    List<Head> heads = new ArrayList<>();
    group.rankings().forEach(ranking -> heads.add(Head.of(ranking.phase())));
    if (overall != null) {
      heads.add(Head.of("overall"));
    }
    List<Row> rows = new ArrayList<>();
    for (String name : ran()) {
      List<Cell> cells = new ArrayList<>();
      for (PhaseRanking ranking : group.rankings()) {
        Standing own = ranking.of(name);
        cells.add(own == null ? unknown("no figure") : cell(ranking, own));
      }
      if (overall != null) {
        cells.add(cell(overall, name));
      }
      rows.add(new Row(name, key(name), false, false, cells, List.of()));
    }
    return Table.of(Look.MATRIX, "Medians with 95 % intervals", "configuration", heads, rows);
  }

  private static Cell unknown(String... why) {
    return new Cell(Table.MISSING, Tone.PLAIN, "", List.of(why), -1, List.of());
  }

  private static Cell cell(PhaseRanking ranking, Standing own) {
    double spread = own.rate().spread();
    return new Cell(
        ranking.figure(own),
        own.verdict() == null && ranking.decided() ? Tone.GOOD : Tone.PLAIN,
        "",
        List.of(
            Double.isNaN(spread) ? "n = 1" : "± " + Units.percent(spread),
            own.verdict() == null
                ? ranking.words(own)
                : Units.percent(own.relative()) + " of best"),
        (int) Math.round(own.relative() * 100),
        own.warnings().stream().map(Warning::word).toList());
  }

  private static Cell cell(OverallRanking overall, String name) {
    OverallRanking.Rank place = overall.place(name);
    if (place == null) {
      return unknown("not ranked", "phases missing");
    }
    String standing =
        switch (place.verdict()) {
          case null -> overall.decided() ? "fastest" : "best median";
          // the sentence above says the rest, which would make this the widest column
          case Verdict.NoDifference _ -> "no difference shown";
          default -> place.verdict().words();
        };
    return new Cell(
        Units.percent(place.relative()),
        place.verdict() == null && overall.decided() ? Tone.GOOD : Tone.PLAIN,
        "",
        List.of("of best", standing),
        (int) Math.round(place.relative() * 100),
        List.of());
  }

  /** Each mark's word, with what it says for each figure that bears it. */
  private List<Term> marks() {
    List<Term> marks = new ArrayList<>();
    for (PhaseRanking ranking : group.rankings()) {
      for (Standing own : ranking.standings()) {
        String where = own.configuration() + ", " + ranking.phase() + ": ";
        own.warnings()
            .forEach(warning -> marks.add(new Term(warning.word(), where + warning.text())));
      }
    }
    return marks;
  }

  /** Every figure of a phase, with its verdict. */
  private static Table table(PhaseRanking ranking) {
    List<Head> heads = new ArrayList<>();
    heads.add(Head.of("median"));
    heads.add(Head.of("±", Medium.CONSOLE));
    heads.add(Head.of("95 % interval", Medium.MARKDOWN, Medium.PAGE));
    heads.add(Head.of("trials", Medium.PAGE));
    heads.add(Head.words("against the first"));
    heads.addAll(Column.heads(CostColumns.PHASE));
    List<Row> rows = new ArrayList<>();
    for (Standing own : ranking.standings()) {
      double spread = own.rate().spread();
      String interval = ranking.interval(own);
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.of(ranking.figure(own)));
      cells.add(Cell.of(Double.isNaN(spread) ? "n = 1" : Units.percent(spread)));
      cells.add(Cell.of(interval.isEmpty() ? "none at n = 1" : interval));
      cells.add(Cell.of(Integer.toString(own.rate().n())));
      cells.add(Cell.of(ranking.words(own), tone(ranking, own), ""));
      Column.texts(CostColumns.PHASE, own.costs()).forEach(text -> cells.add(Cell.of(text)));
      List<Term> notes =
          own.warnings().stream().map(warning -> new Term(warning.word(), warning.text())).toList();
      rows.add(new Row(own.configuration(), null, false, false, cells, notes));
    }
    String caption = ranking.phase() + ": each against the first, by " + ranking.measure();
    return Table.of(Look.PLAIN, caption, ranking.phase(), heads, rows);
  }

  private static Tone tone(PhaseRanking ranking, Standing own) {
    return switch (own.verdict()) {
      case Verdict.Slower _ -> Tone.BAD;
      case Verdict.Faster _ -> Tone.GOOD;
      case null -> ranking.decided() ? Tone.GOOD : Tone.PLAIN;
      default -> Tone.PLAIN;
    };
  }

  private List<Block> latencies(PhaseRanking ranking) {
    if (ranking.standings().stream().noneMatch(Standing::hasLatencies)) {
      return List.of();
    }
    return LatencyBlocks.of(section, group, ranking, names);
  }

  private Stream<Block> throughput(PhaseRanking ranking) {
    LineChart chart = Charts.throughput(ranking, names);
    if (chart == null) {
      return Stream.of();
    }
    List<Row> rows = new ArrayList<>();
    for (Standing own : ranking.standings()) {
      if (own.throughput() != null) {
        List<String> texts = Column.texts(Throughput.COLUMNS, own.throughput());
        rows.add(Row.of(own.configuration(), key(own.configuration()), texts));
      }
    }
    return Stream.of(
        Part.of(
            Kind.DRAWING,
            List.of(
                new Drawing(chart),
                Table.of(
                    Look.QUIET,
                    ranking.phase() + ": throughput over time",
                    "configuration",
                    Column.heads(Throughput.COLUMNS),
                    rows))));
  }
}
