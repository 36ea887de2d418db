package io.kvstadium.bench.report;

import io.kvstadium.bench.report.CsvReport.Field;
import io.kvstadium.bench.report.analysis.Difference;
import io.kvstadium.bench.report.analysis.FigureEstimate;
import io.kvstadium.bench.report.analysis.FigureTrials;
import io.kvstadium.bench.report.analysis.Measure;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.NamedRun.Part;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.TextStyle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
   * @param part a configuration's phase, or a configuration: its trials as a whole, or the phases
   *     of {@link OverallRanking} that both runs have in all trials, if both weigh them alike.
   *     Points of a sweep have no such total
   * @param measure what the phase is compared by; {@code null} for any other figure, and overall
   * @param trials the figure in them, or {@code null} over all phases
   * @param count how many trials it is of
   * @param sameData whether trials of the same number saw the same data
   * @param verdict the verdict on it against the first run, {@code null} for the first run itself
   */
  record Line(
      Part part,
      String run,
      @Nullable Measure measure,
      @Nullable FigureTrials trials,
      int count,
      boolean sameData,
      @Nullable Verdict verdict) {
    /** A line without figures. */
    static Line of(Part part, String run, @Nullable Measure measure) {
      return new Line(part, run, measure, null, 0, true, null);
    }

    Line with(FigureTrials figure, boolean isSameData) {
      return new Line(part, run, measure, figure, figure.speeds().size(), isSameData, null);
    }

    /** The same over all phases, of so many trials. */
    Line counting(int total) {
      return new Line(part, run, measure, null, total, sameData, null);
    }

    String phase() {
      return trials == null ? OverallRanking.PHASE : part.phase();
    }

    /** Its name in the catalogue, or {@code overall}. */
    String name() {
      return trials == null ? OverallRanking.PHASE : trials.figure().name();
    }

    /** The phase, and the figure if it is another one; of whole trials only that. */
    String title() {
      return main() || trials == null
          ? phase()
          : TextStyle.join(" ", part.phase(), trials.operation(), trials.figure().head());
    }

    /** Whether it is what the phase is compared by, or over all phases. */
    boolean main() {
      return measure != null || trials == null;
    }

    /** The figure that it is judged by, or {@code null} over all phases. */
    @Nullable FigureEstimate figure() {
      return trials == null ? null : trials.estimate();
    }

    /** Whether it is shown to be worse by no more than a factor. */
    boolean isWithin(double factor) {
      Interval reach = reach();
      return reach != null && reach.high() <= factor;
    }

    /** Whether it is shown to be worse by more than a factor. */
    boolean isBeyond(double factor) {
      Interval reach = reach();
      return reach != null && reach.low() > factor;
    }

    boolean changed() {
      return verdict instanceof Verdict.Faster || verdict instanceof Verdict.Slower;
    }

    /**
     * {@code baseline}, {@code faster}, {@code slower}, of amounts {@code less} and {@code more},
     * {@code equal} or {@code undecided}.
     */
    String word() {
      boolean amount = trials != null && trials.figure().isAmount();
      return switch (verdict) {
        case Verdict.Faster _ -> amount ? "less" : "faster";
        case Verdict.Slower _ -> amount ? "more" : "slower";
        case Verdict.Equal _ -> "equal";
        case Verdict.Undecided _ -> "undecided";
        case null -> "baseline";
      };
    }

    /** The verdict in words; there is one. */
    String words() {
      return switch (verdict) {
        case Verdict.Faster faster -> word() + " " + faster.factor();
        case Verdict.Slower slower -> word() + " " + slower.factor();
        case null -> "";
        default -> verdict.words();
      };
    }

    /** How many times slower, or more, than in the first run; below 1 if it is better. */
    @Nullable Double factor() {
      return verdict == null || Double.isNaN(verdict.slowness()) ? null : verdict.slowness();
    }

    private @Nullable Interval reach() {
      return verdict == null ? null : verdict.reach();
    }

    Line judged(Verdict by) {
      return new Line(part, run, measure, trials, count, sameData, by);
    }
  }

  /** The flat form; what is unknown or does not apply is {@code null}. */
  static final List<Field<Line>> FIELDS =
      List.of(
          new Field<>("experiment", own -> own.part.experiment()),
          new Field<>("configuration", own -> own.part.configuration()),
          new Field<>("phase", Line::phase),
          new Field<>("figure", Line::name),
          Field.of("operation", Line::trials, FigureTrials::operation),
          new Field<>("run", Line::run),
          new Field<>("trials", own -> own.count == 0 ? null : own.count),
          Field.of("measure", Line::measure, Measure::words),
          Field.of("mean", Line::figure, FigureEstimate::mean),
          Field.of("low", own -> interval(own), Interval::low),
          Field.of("high", own -> interval(own), Interval::high),
          Field.of("unit", Line::figure, own -> own.figure().unit().word()),
          new Field<>("verdict", Line::word),
          new Field<>("same_data", own -> own.verdict == null ? null : own.sameData),
          new Field<>("factor", Line::factor),
          Field.of("factor_low", Line::reach, Interval::low),
          Field.of("factor_high", Line::reach, Interval::high));

  private static @Nullable Interval interval(Line line) {
    FigureEstimate figure = line.figure();
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
    ComparedFigures figures = new ComparedFigures(runs);
    List<String> differences = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    for (NamedRun run : runs.subList(1, runs.size())) {
      figures.judge(run, margin, 1);
      String of = runs.size() == 2 ? "" : run.name() + ": ";
      Difference.between(baseline, run).forEach(each -> differences.add(of + each));
      baseline.missing(run, runs).forEach(text -> missing.add(of + text));
      baseline.lost(run, runs).forEach(text -> lost.add(of + text));
    }
    List<String> names = runs.stream().map(NamedRun::name).toList();
    return new Comparison(names, margin, figures.lines(), differences, missing, lost);
  }

  /** The factor that makes a phase slower: where the machine is no reason, what the screen has. */
  double slower() {
    return margin > 1 ? margin : MARGIN;
  }

  /** Whether there is any figure that both the first run and another one have. */
  public boolean any() {
    return lines.stream().anyMatch(Line::main);
  }

  /** All of it as a JSON document; {@code docs/results-schema.md} describes it. */
  public String toJson() {
    List<Map<String, @Nullable Object>> figures = new ArrayList<>();
    for (Line line : lines) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      FIELDS.forEach(field -> values.put(Figure.camel(field.name()), field.value().apply(line)));
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
