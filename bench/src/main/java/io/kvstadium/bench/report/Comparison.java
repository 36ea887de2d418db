package io.kvstadium.bench.report;

import io.kvstadium.bench.report.CsvReport.Field;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.Figure;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.NamedRun.Part;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.report.table.Table.Tone;
import io.kvstadium.bench.stats.Changes;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.text.DecimalFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Any number of runs, each compared with the first.
 *
 * @param names of the runs; the first is the baseline
 * @param margin the factor by which the machine may have changed from one run to another
 * @param lines one for each run, experiment, configuration and phase that the first and another run
 *     have, and for each configuration over all phases
 * @param differences circumstances that differ: each is another possible cause of a verdict
 * @param missing what cannot be compared because only one of two runs has it
 * @param lost those of them that the first run has
 */
public record Comparison(
    List<String> names,
    double margin,
    List<Line> lines,
    List<String> differences,
    List<String> missing,
    List<String> lost) {
  /**
   * The factor by which equal runs of the same minutes differed on a virtual machine that shares
   * its processors with others ({@code benchmarks/verdicts.sh compare}).
   */
  public static final double MARGIN = 1.07;

  /**
   * One run's figure.
   *
   * @param part a configuration's phase, or a configuration over all phases that both runs have in
   *     all trials, each counting alike. {@code open}, {@code close}, bulk loads and phases at a
   *     fixed rate do not count, and points of a sweep have no such total
   * @param trials its trials, or {@code null} over all phases
   * @param phases how many phases it is over
   * @param sameData whether trials of the same number saw the same data
   * @param verdict the verdict on it against the first run, {@code null} for the first run itself
   */
  record Line(
      Part part,
      String run,
      @Nullable Trials trials,
      int phases,
      boolean sameData,
      @Nullable Verdict verdict) {
    String phase() {
      return trials == null ? OverallRanking.PHASE : part.phase();
    }

    @Nullable Estimate rate() {
      return trials == null ? null : Estimate.of(trials.rates());
    }

    /** The figure that it is judged by, or {@code null} over all phases. */
    @Nullable Figure figure() {
      Estimate rate = rate();
      return rate == null || trials == null ? null : Figure.of(rate, trials.measure().time());
    }

    /** Whether a slowdown beyond the margin is neither shown nor excluded. */
    boolean leavesOpen(double margin) {
      Interval reach = reach();
      return verdict instanceof Verdict.Undecided && (reach == null || reach.high() > margin);
    }

    /** {@code baseline}, {@code faster}, {@code slower}, {@code equal} or {@code undecided}. */
    String word() {
      return switch (verdict) {
        case Verdict.Faster _ -> "faster";
        case Verdict.Slower _ -> "slower";
        case Verdict.Equal _ -> "equal";
        case Verdict.Undecided _ -> "undecided";
        case null -> "baseline";
      };
    }

    /** How many times slower than in the first run, below 1 if it is faster. */
    @Nullable Double factor() {
      return verdict == null || Double.isNaN(verdict.slowness()) ? null : verdict.slowness();
    }

    private @Nullable Interval reach() {
      return verdict == null ? null : verdict.reach();
    }
  }

  /** The flat form; what is unknown or does not apply is {@code null}. */
  static final List<Field<Line>> FIELDS =
      List.of(
          new Field<>("experiment", own -> own.part.experiment()),
          new Field<>("configuration", own -> own.part.configuration()),
          new Field<>("phase", Line::phase),
          new Field<>("run", Line::run),
          Field.of("trials", Line::rate, Estimate::n),
          Field.of("measure", own -> own.trials, trials -> trials.measure().words()),
          Field.of("mean", Line::figure, Figure::mean),
          Field.of("low", own -> interval(own), Interval::low),
          Field.of("high", own -> interval(own), Interval::high),
          Field.of("unit", Line::figure, Figure::unit),
          new Field<>("verdict", Line::word),
          new Field<>("same_data", own -> own.verdict == null ? null : own.sameData),
          new Field<>("factor", Line::factor),
          Field.of("factor_low", Line::reach, Interval::low),
          Field.of("factor_high", Line::reach, Interval::high));

  private static @Nullable Interval interval(Line line) {
    Figure figure = line.figure();
    return figure == null ? null : figure.interval();
  }

  /**
   * Compares runs.
   *
   * @param runs two or more of different names; the first is the baseline
   * @param margin the factor by which the machine may have changed between them, 1 or more
   * @throws io.kvstadium.store.BadArgumentException if they are of different suites or data
   */
  public static Comparison of(List<NamedRun> runs, double margin) {
    NamedRun.check(runs);
    NamedRun baseline = runs.getFirst();
    Map<Part, List<Trials>> before = baseline.parts(runs);
    Map<Part, List<Line>> byPart = new LinkedHashMap<>();
    List<String> differences = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    for (NamedRun run : runs.subList(1, runs.size())) {
      Map<Part, List<Trials>> after = run.parts(runs);
      after.keySet().removeIf(part -> !baseline.comparable(run, part));
      judge(before, run.name(), after, margin)
          .forEach(line -> byPart.computeIfAbsent(line.part, _ -> new ArrayList<>()).add(line));
      String of = runs.size() == 2 ? "" : run.name() + ": ";
      baseline.differences(run).forEach(text -> differences.add(of + text));
      baseline.missing(run, runs).forEach(text -> missing.add(of + text));
      baseline.lost(run, runs).forEach(text -> lost.add(of + text));
    }
    List<Line> lines = new ArrayList<>();
    before.forEach((part, trials) -> {
      List<Line> own = byPart.getOrDefault(part, List.of());
      if (!own.isEmpty() && part.isPhase()) {
        lines.add(new Line(part, baseline.name(), trials.getFirst(), 1, true, null));
      }
      lines.addAll(own);
    });
    List<String> names = runs.stream().map(NamedRun::name).toList();
    return new Comparison(names, margin, lines, differences, missing, lost);
  }

  /** A later run's lines: its phases are judged together, and so are its totals. */
  private static List<Line> judge(
      Map<Part, List<Trials>> before, String run, Map<Part, List<Trials>> after, double margin) {
    Map<Changes.Part, Map<Integer, Double>> then = new LinkedHashMap<>();
    Map<Changes.Part, Map<Integer, Double>> now = new LinkedHashMap<>();
    Map<Changes.Part, Line> lines = new LinkedHashMap<>();
    Set<String> judgedAlone = new LinkedHashSet<>();
    before.forEach((part, trials) -> {
      List<Trials> others = after.getOrDefault(part, List.of());
      if (part.isPhase() && !others.isEmpty()) {
        Trials first = trials.getFirst();
        Trials other = others.getFirst();
        Changes.Part name = name(part, part.phase(), false);
        lines.put(name, new Line(part, run, other, 1, other.sameData(first), null));
        then.put(name, first.speeds());
        now.put(name, other.speeds());
        if (!Trials.workload(part.phase()) || first.atFixedRate()) {
          judgedAlone.add(name.phase());
        }
      } else if (part.isConfiguration()) {
        List<Trials> theirs = common(others, common(trials, others));
        List<Trials> own = common(trials, theirs);
        if (own.size() > 1) {
          Changes.Part name = name(part, OverallRanking.PHASE, true);
          lines.put(name, new Line(part, run, null, own.size(), true, null));
          then.put(name, OverallRanking.means(own));
          now.put(name, OverallRanking.means(theirs));
        }
      }
    });
    Map<Changes.Part, Verdict> verdicts = Changes.of(then, now, judgedAlone, margin);
    List<Line> judged = new ArrayList<>();
    lines.forEach((name, own) -> {
      Verdict verdict = verdicts.getOrDefault(name, Verdict.Undecided.UNKNOWN);
      judged.add(new Line(own.part, own.run, own.trials, own.phases, own.sameData, verdict));
    });
    return judged;
  }

  private static Changes.Part name(Part part, String phase, boolean total) {
    return new Changes.Part(part.configuration(), part.experiment() + ", " + phase, total);
  }

  /** The phases that the others have too and that have all of the trials that any phase has. */
  private static List<Trials> common(List<Trials> own, List<Trials> others) {
    Set<Integer> all = new HashSet<>();
    own.forEach(each -> all.addAll(each.byNumber().keySet()));
    return own.stream()
        .filter(each -> each.byNumber().keySet().equals(all))
        .filter(each -> others.stream().anyMatch(same -> same.phase().equals(each.phase())))
        .toList();
  }

  /** Whether any phase, or all of a configuration's together, was shown to be slower. */
  public boolean anySlower() {
    return lines.stream().anyMatch(line -> line.verdict instanceof Verdict.Slower);
  }

  /**
   * The phases of which these runs show neither that they are slower by more than the margin, nor
   * that they are not; none if that is known of all.
   */
  public List<String> open() {
    return lines.stream()
        .filter(line -> line.trials != null && line.leavesOpen(margin))
        .map(line -> (names.size() == 2 ? "" : line.run + ": ") + line.part + open(line))
        .toList();
  }

  /** The number of figures of phases that are compared with the first run's. */
  public long judged() {
    return lines.stream().filter(line -> line.trials != null && line.verdict != null).count();
  }

  private static String open(Line line) {
    Double factor = line.factor();
    Interval reach = line.reach();
    if (factor == null || reach == null) {
      return " (fewer than two trials)";
    }
    String estimate =
        factor >= 1 ? Units.times(factor) + " slower" : Units.times(1 / factor) + " faster";
    return " (" + estimate + " in these trials, " + Units.times(reach.high()) + " not excluded)";
  }

  /** Whether there is any figure that both the first run and another one have. */
  public boolean any() {
    return !lines.isEmpty();
  }

  // ---- for people

  /** The comparison for a terminal of 80 columns, its lines ended by {@code \n}. */
  public String text(boolean ansi) {
    TextStyle style = new TextStyle(ansi);
    List<String> text = new ArrayList<>(table().lines(style));
    TextStyle.wrap("", 2, legend()).forEach(line -> text.add(style.dim(line)));
    remarks().forEach(each -> text.addAll(TextStyle.wrap("- ", 2, each)));
    return text.stream().map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
  }

  /** The same in Markdown. */
  public String markdown() {
    StringBuilder out = new StringBuilder(table().markdown());
    out.append('\n').append(Table.escaped(legend())).append("\n\n");
    remarks().forEach(each -> out.append("- ").append(Table.escaped(each)).append('\n'));
    return out.toString().stripTrailing() + "\n";
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    Map<String, Set<String>> measures = new LinkedHashMap<>();
    for (Line line : lines) {
      if (line.trials != null && !line.trials.measure().isUsual()) {
        String words = line.trials.measure().words();
        measures.computeIfAbsent(words, _ -> new LinkedHashSet<>()).add(line.phase());
      }
    }
    measures.forEach((words, phases) -> remarks.add(String.join(", ", phases) + ": by " + words));
    differences.forEach(each -> remarks.add("Differs, and may be the cause: " + each));
    missing.forEach(each -> remarks.add("Not compared: " + each));
    return remarks;
  }

  /** A column for each run, and for two runs the words of the verdict. */
  private Table table() {
    boolean two = names.size() == 2;
    List<Column<Map<String, Line>>> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(Column.cells(name, row -> cell(row.get(name), two)));
    }
    if (two) {
      columns.add(
          new Column<>(new Table.Head("verdict", true), row -> verdict(row.get(names.getLast()))));
    }
    Map<String, Map<Part, Map<String, Line>>> blocks = new LinkedHashMap<>();
    for (Line line : lines) {
      String head = line.part.experiment() + ", " + line.part.configuration();
      boolean other =
          lines.stream().anyMatch(o -> o.part.equals(line.part) && o.trials != null && !o.sameData);
      blocks
          .computeIfAbsent(other ? head + " (other data)" : head, _ -> new LinkedHashMap<>())
          .computeIfAbsent(line.part, _ -> new LinkedHashMap<>())
          .put(line.run, line);
    }
    List<Row> rows = new ArrayList<>();
    List<Table.Head> heads = columns.stream().map(Column::head).toList();
    blocks.forEach((head, parts) -> {
      rows.add(Row.heading(head));
      parts.forEach((part, row) -> {
        String name = row.values().iterator().next().phase();
        List<Cell> cells = columns.stream().map(column -> column.cell().apply(row)).toList();
        rows.add(new Row(name, null, cells, List.of()));
      });
    });
    return new Table("", heads, rows);
  }

  private static Cell cell(@Nullable Line line, boolean two) {
    Figure known = line == null ? null : line.figure();
    Trials trials = line == null ? null : line.trials;
    String figure = known == null ? "" : known.text();
    String mark = trials != null && ComparisonGroup.isStronger(trials.configuration()) ? "†" : "";
    Verdict verdict = line == null ? null : line.verdict;
    String shown = TextStyle.join(" ", figure + mark, two ? "" : brief(verdict));
    return shown.isEmpty() ? Cell.NONE : Cell.of(shown, tone(verdict));
  }

  private static Cell verdict(@Nullable Line line) {
    Verdict verdict = line == null ? null : line.verdict;
    return verdict == null ? Cell.NONE : Cell.of(verdict.words(), tone(verdict));
  }

  private static String brief(@Nullable Verdict verdict) {
    return switch (verdict) {
      case Verdict.Faster faster -> "faster " + Units.times(faster.ratio());
      case Verdict.Slower slower -> "slower " + Units.times(slower.ratio());
      case Verdict.Equal _ -> "=";
      case Verdict.Undecided _ -> "~";
      case null -> "";
    };
  }

  private static Tone tone(@Nullable Verdict verdict) {
    return switch (verdict) {
      case Verdict.Faster _ -> Tone.GOOD;
      case Verdict.Slower _ -> Tone.BAD;
      case Verdict.Undecided _ -> Tone.DIM;
      case null, default -> Tone.PLAIN;
    };
  }

  private String legend() {
    boolean marked =
        lines.stream()
            .anyMatch(
                l -> l.trials != null && ComparisonGroup.isStronger(l.trials.configuration()));
    return "Medians, and verdicts against %s at 95 %%. Up to %s %% (--margin) may be machine noise.%s%s"
        .formatted(
            names.getFirst(),
            new DecimalFormat("0.#").format((margin - 1) * 100),
            names.size() == 2 ? "" : " ~ not decided yet, = equal within that.",
            marked ? " †: at a durability other than asked for." : "");
  }

  // ---- for programs

  /** All of it as a JSON document; {@code docs/results-schema.md} describes it. */
  public String toJson() {
    List<Map<String, @Nullable Object>> figures = new ArrayList<>();
    for (Line line : lines) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      FIELDS.forEach(field -> values.put(field.camel(), field.value().apply(line)));
      figures.add(values);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("runs", names);
    all.put("margin", margin);
    all.put("differences", differences);
    all.put("missing", missing);
    all.put("figures", figures);
    return Json.text(all) + "\n";
  }
}
