package io.kvstadium.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.Figure;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Ranking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.Standing;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report for programs: the results as in {@code results.json}, and what they mean as {@code
 * verdicts}. {@code docs/results-schema.md} describes it.
 */
public final class JsonReport {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonReport() {}

  /**
   * One configuration at one phase, or overall.
   *
   * @param verdict {@code fastest}, {@code highest} (not shown to be faster than all), {@code
   *     slower}, {@code equal}, {@code undecided}, {@code alone}; and for one that is not compared
   *     {@code stronger} (at a stronger durability than asked for) or {@code far behind}
   * @param trials with a figure
   * @param mean operations per second or nanoseconds, the geometric mean over trials; {@code null}
   *     overall
   * @param unit {@code ops/s} or {@code ns}
   * @param factor how many times slower than the fastest
   */
  private record Line(
      String experiment,
      String group,
      String phase,
      String configuration,
      String verdict,
      @Nullable Integer trials,
      @Nullable Double mean,
      @Nullable Double low,
      @Nullable Double high,
      @Nullable String unit,
      @Nullable Double factor,
      @Nullable Double factorLow,
      @Nullable Double factorHigh) {}

  /** The text, which {@link ResultsFile#parse} reads too. */
  public static String render(Report report) {
    try {
      ObjectNode root = (ObjectNode) MAPPER.readTree(ResultsFile.toJson(report.results()));
      root.set("verdicts", MAPPER.valueToTree(lines(report)));
      return Json.text(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("results that cannot be written as JSON", e);
    }
  }

  private static List<Line> lines(Report report) {
    List<Line> lines = new ArrayList<>();
    for (ExperimentReport section : report.sections()) {
      String experiment = section.experiment().name();
      for (ComparisonGroup group : section.groups()) {
        OverallRanking overall = group.overall();
        if (overall != null) {
          overall
              .standings()
              .forEach(each -> lines.add(line(experiment, group, overall, each, null)));
        }
        for (PhaseRanking ranking : group.rankings()) {
          ranking.all().forEach(each -> lines.add(line(experiment, group, ranking, each, each)));
        }
      }
    }
    return lines;
  }

  private static Line line(
      String experiment,
      ComparisonGroup group,
      Ranking ranking,
      Ranking.Place own,
      @Nullable Standing figures) {
    Figure figure = figures == null ? null : figures.figure();
    Interval interval = figure == null ? null : figure.interval();
    Interval reach = own.verdict() == null ? null : own.verdict().reach();
    boolean compared = !Double.isNaN(own.factor());
    return new Line(
        experiment,
        group.group(),
        ranking.phase(),
        own.configuration(),
        compared ? word(ranking, own) : whyNotCompared(group, figures),
        figures == null ? null : figures.rate().n(),
        figure == null ? null : figure.mean(),
        interval == null ? null : interval.low(),
        interval == null ? null : interval.high(),
        figure == null ? null : figure.unit(),
        compared ? own.factor() : null,
        reach == null ? null : reach.low(),
        reach == null ? null : reach.high());
  }

  private static String whyNotCompared(ComparisonGroup group, @Nullable Standing own) {
    return own != null && group.isOutsideByLevel(own.trials().configuration())
        ? "stronger"
        : "far behind";
  }

  private static String word(Ranking ranking, Ranking.Place own) {
    return switch (own.verdict()) {
      case Verdict.Slower _ -> "slower";
      case Verdict.Faster _ -> "faster";
      case Verdict.Equal _ -> "equal";
      case Verdict.Undecided _ -> "undecided";
      case null -> ranking.words(own);
    };
  }
}
