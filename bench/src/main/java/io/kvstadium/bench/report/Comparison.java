package io.kvstadium.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.bench.report.CsvReport.Field;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Overall;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Any number of runs, each compared with the first.
 *
 * @param names of the runs; the first is the baseline
 * @param lines one for each experiment, configuration and phase that the first and another have
 * @param totals one for each experiment and configuration with two phases or more that count
 * @param differences circumstances that differ: each is another possible cause of a verdict
 * @param missing what cannot be compared since only one of two runs has it
 */
public record Comparison(
    List<String> names,
    List<Line> lines,
    List<Total> totals,
    List<String> differences,
    List<String> missing) {

  /**
   * One configuration's phase.
   *
   * @param sides one for each run, {@code null} where it has no figure; the first has
   */
  record Line(String experiment, String configuration, String phase, List<@Nullable Side> sides) {
    /** Whether it is one operation in every run, so that a time says more than a rate. */
    boolean single() {
      return sides.stream()
          .allMatch(side -> side == null || side.trials.all(each -> each.operations() == 1));
    }

    boolean paired() {
      return sides.stream().skip(1).allMatch(side -> side == null || side.paired);
    }
  }

  /**
   * One run's figure.
   *
   * @param paired whether trials of equal number saw the same data and were compared in pairs
   * @param verdict on it against the first run, {@code null} for that itself
   */
  record Side(Trials trials, Estimate rate, boolean paired, @Nullable Verdict verdict) {}

  /**
   * One configuration over all phases that both runs have figures for in all trials that can be
   * compared, each phase counting alike. {@code open}, {@code close}, bulk loads and phases at a
   * fixed rate do not count, and points of a sweep have no total.
   *
   * @param sides one for each run after the first, {@code null} where it has none
   */
  record Total(String experiment, String configuration, List<@Nullable Overall> sides) {}

  /** A run's figure for one phase in the flat form for other programs. */
  record Row(Line line, String run, Side side) {
    /** {@code baseline}, {@code faster}, {@code slower}, {@code same} or {@code undecided}. */
    String verdict() {
      return switch (side.verdict) {
        case Verdict.Faster _ -> "faster";
        case Verdict.Slower _ -> "slower";
        case Verdict.Same _ -> "same";
        case Verdict.NoDifference _ -> "undecided";
        case null -> "baseline";
      };
    }

    /** How many times faster or slower. */
    @Nullable Double factor() {
      return switch (side.verdict) {
        case Verdict.Faster faster -> faster.ratio();
        case Verdict.Slower slower -> slower.ratio();
        case null, default -> null;
      };
    }

    private @Nullable Interval reach() {
      return switch (side.verdict) {
        case Verdict.Faster faster -> faster.interval();
        case Verdict.Slower slower -> slower.interval();
        case null, default -> null;
      };
    }
  }

  /** The flat form; what is unknown or does not apply is {@code null}. */
  static final List<Field<Row>> FIELDS =
      List.of(
          new Field<>("experiment", own -> own.line.experiment),
          new Field<>("configuration", own -> own.line.configuration),
          new Field<>("phase", own -> own.line.phase),
          new Field<>("run", Row::run),
          new Field<>("trials", own -> own.side.rate.n()),
          new Field<>("ops_per_second", own -> own.side.rate.median()),
          Field.of("low", own -> own.side.rate.interval(), Interval::low),
          Field.of("high", own -> own.side.rate.interval(), Interval::high),
          new Field<>("verdict", Row::verdict),
          new Field<>("paired", own -> own.side.verdict == null ? null : own.side.paired),
          new Field<>("factor", Row::factor),
          Field.of("factor_low", Row::reach, Interval::low),
          Field.of("factor_high", Row::reach, Interval::high));

  /**
   * Compares runs.
   *
   * @param runs two or more; the first is the one to compare with
   * @throws io.kvstadium.store.BadArgumentException if they are of different suites or data, or two
   *     have the same name
   */
  public static Comparison of(List<NamedRun> runs) {
    NamedRun.check(runs);
    List<Map<List<String>, List<Trials>>> parts = runs.stream().map(NamedRun::parts).toList();
    List<Line> lines = new ArrayList<>();
    List<Total> totals = new ArrayList<>();
    for (List<String> part : parts.getFirst().keySet()) {
      List<List<Trials>> same =
          parts.stream().map(own -> own.getOrDefault(part, List.of())).toList();
      if (part.size() == 3 && same.stream().skip(1).anyMatch(own -> !own.isEmpty())) {
        lines.add(new Line(part.get(0), part.get(1), part.get(2), sides(same)));
      } else if (part.size() == 2) {
        Total total = new Total(part.get(0), part.get(1), totals(same));
        totals.addAll(total.sides.stream().anyMatch(Objects::nonNull) ? List.of(total) : List.of());
      }
    }
    List<String> differences = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (NamedRun run : runs.subList(1, runs.size())) {
      String of = runs.size() == 2 ? "" : run.name() + ": ";
      runs.getFirst().differences(run).forEach(text -> differences.add(of + text));
      runs.getFirst().missing(run).forEach(text -> missing.add(of + text));
    }
    return new Comparison(
        runs.stream().map(NamedRun::name).toList(), lines, totals, differences, missing);
  }

  private static List<@Nullable Side> sides(List<List<Trials>> same) {
    List<@Nullable Side> sides = new ArrayList<>();
    Trials first = same.getFirst().getFirst();
    for (List<Trials> each : same) {
      Trials own = each.isEmpty() ? null : each.getFirst();
      Verdict verdict = own == null || sides.isEmpty() ? null : own.against(first);
      sides.add(
          own == null
              ? null
              : new Side(own, Estimate.of(own.rates()), own.pairsWith(first), verdict));
    }
    return sides;
  }

  private static List<@Nullable Overall> totals(List<List<Trials>> same) {
    List<@Nullable Overall> totals = new ArrayList<>();
    for (List<Trials> each : same.subList(1, same.size())) {
      Overall overall = OverallRanking.overall(each, same.getFirst());
      totals.add(overall == null || overall.phases() < 2 ? null : overall);
    }
    return totals;
  }

  /** Whether any phase was shown to be slower than in the first; totals have no say in it. */
  public boolean anySlower() {
    return rows().stream().anyMatch(row -> row.side.verdict instanceof Verdict.Slower);
  }

  /** Whether there is any figure that the first and another one have. */
  public boolean any() {
    return !lines.isEmpty();
  }

  /** All figures, one run's after the other's within each phase. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Line line : lines) {
      for (int i = 0; i < line.sides.size(); i++) {
        Side side = line.sides.get(i);
        if (side != null) {
          rows.add(new Row(line, names.get(i), side));
        }
      }
    }
    return rows;
  }

  /** All of it as a JSON document; {@code docs/results-schema.md} describes it. */
  public String toJson() {
    List<Map<String, @Nullable Object>> figures = new ArrayList<>();
    for (Row row : rows()) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      FIELDS.forEach(field -> values.put(field.camel(), field.value().apply(row)));
      figures.add(values);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("runs", names);
    all.put("differences", differences);
    all.put("missing", missing);
    all.put("figures", figures);
    try {
      return JsonMapper.builder()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .build()
              .writeValueAsString(all)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a comparison that cannot be written as JSON", e);
    }
  }
}
