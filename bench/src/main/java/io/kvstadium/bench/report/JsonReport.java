package io.kvstadium.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.FigureEstimate;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Ranking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.Standing;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.Samples.Times;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report for programs: the results as in {@code results.json}, what they mean as {@code
 * verdicts}, and all {@code figures} over trials. {@code docs/results-schema.md} describes it.
 */
public final class JsonReport {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonReport() {}

  /** The text, which {@link ResultsFile#parse} reads too. */
  public static String render(Report report) {
    try {
      ObjectNode root = (ObjectNode) MAPPER.readTree(ResultsFile.toJson(report.results()));
      root.set("verdicts", MAPPER.valueToTree(verdicts(report)));
      root.set("figures", MAPPER.valueToTree(figures(report.results())));
      return Json.text(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("results that cannot be written as JSON", e);
    }
  }

  /** The figures of each configuration's trials, of each as a whole and of each phase. */
  private static List<Map<String, @Nullable Object>> figures(Results results) {
    List<Map<String, @Nullable Object>> figures = new ArrayList<>();
    for (ExperimentResult experiment : results.experiments()) {
      for (ConfigurationResult each : experiment.configurations()) {
        List<TrialResult> trials = Trials.good(each);
        if (!trials.isEmpty()) {
          Samples whole = new Samples(trials, List.of());
          figures.add(figures(experiment, each, null, trials.size(), whole));
        }
        for (String phase : Trials.phases(each)) {
          Trials own = Trials.of(each, phase);
          if (!own.isEmpty()) {
            int count = own.byNumber().size();
            figures.add(figures(experiment, each, phase, count, own.samples()));
          }
        }
      }
    }
    return figures;
  }

  private static Map<String, @Nullable Object> figures(
      ExperimentResult experiment,
      ConfigurationResult configuration,
      @Nullable String phase,
      int trials,
      Samples samples) {
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("experiment", experiment.name());
    line.put("configuration", configuration.name());
    line.put("phase", phase);
    line.put("trials", trials);
    Figures.ALL.stream()
        .filter(figure -> figure.ofPhase() == (phase != null))
        .forEach(figure -> put(line, figure, samples));
    Map<String, Map<String, @Nullable Object>> operations = new LinkedHashMap<>();
    for (String operation : samples.operations()) {
      Map<String, @Nullable Object> own = new LinkedHashMap<>();
      Figures.of(Times.CALLER).forEach(figure -> put(own, figure, samples.only(operation)));
      operations.put(operation, own);
    }
    if (!operations.isEmpty()) {
      line.put("byOperation", operations);
    }
    return line;
  }

  private static void put(Map<String, @Nullable Object> line, Figure figure, Samples samples) {
    Object value = figure.raw(samples);
    if (value != null) {
      line.put(figure.camel(), value);
    }
  }

  /** A line for each configuration at each phase, and overall. */
  private static List<Map<String, @Nullable Object>> verdicts(Report report) {
    List<Map<String, @Nullable Object>> lines = new ArrayList<>();
    for (ExperimentReport section : report.sections()) {
      String experiment = section.experiment().name();
      for (ComparisonGroup group : section.groups()) {
        OverallRanking overall = group.overall();
        if (overall != null) {
          overall.standings().forEach(each -> lines.add(line(experiment, group, overall, each)));
        }
        for (PhaseRanking ranking : group.rankings()) {
          ranking.all().forEach(each -> lines.add(line(experiment, group, ranking, each)));
        }
      }
    }
    return lines;
  }

  private static Map<String, @Nullable Object> line(
      String experiment, ComparisonGroup group, Ranking ranking, Ranking.Place own) {
    FigureEstimate figure = own.figure();
    Interval interval = figure.interval();
    Interval reach = own.verdict() == null ? null : own.verdict().reach();
    boolean compared = !Double.isNaN(own.factor());
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("experiment", experiment);
    line.put("group", group.group());
    line.put("phase", ranking.phase());
    line.put("configuration", own.configuration());
    line.put("verdict", compared ? word(ranking, own) : whyNotCompared(group, own));
    line.put("trials", own.rate().n());
    line.put("mean", figure.mean());
    line.put("low", interval == null ? null : interval.low());
    line.put("high", interval == null ? null : interval.high());
    line.put("unit", figure.figure().unit().word());
    line.put("factor", compared ? own.factor() : null);
    line.put("factorLow", reach == null ? null : reach.low());
    line.put("factorHigh", reach == null ? null : reach.high());
    return line;
  }

  private static String whyNotCompared(ComparisonGroup group, Ranking.Place place) {
    return place instanceof Standing own && group.isOutsideByLevel(own.trials().configuration())
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
