package io.kvstadium.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.bench.report.CsvReport.Field;
import io.kvstadium.bench.stats.Changes;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Any number of runs, each compared with the first.
 *
 * @param names of the runs; the first is the baseline
 * @param margin the factor by which the machine may have changed from one run to another
 * @param lines one for each experiment, configuration and phase that the first and another run have
 * @param totals one for each experiment and configuration with two or more phases that count
 * @param differences circumstances that differ: each is another possible cause of a verdict
 * @param missing what cannot be compared because only one of two runs has it
 * @param lost those of them that the first run has
 */
public record Comparison(
    List<String> names,
    double margin,
    List<Line> lines,
    List<Total> totals,
    List<String> differences,
    List<String> missing,
    List<String> lost) {

  /**
   * The factor by which equal runs of the same minutes differed on a virtual machine that shares
   * its processors with others ({@code benchmarks/verdicts.sh compare}).
   */
  public static final double MARGIN = 1.07;

  /**
   * One configuration's phase.
   *
   * @param sides one for each run, {@code null} where it has no figure; the first always has one
   */
  record Line(String experiment, String configuration, String phase, List<@Nullable Side> sides) {
    /** Whether it is a single operation in every run, so that a time says more than a rate. */
    boolean single() {
      return sides.stream()
          .allMatch(side -> side == null || side.trials.all(each -> each.operations() == 1));
    }

    boolean sameData() {
      return sides.stream().skip(1).allMatch(side -> side == null || side.sameData);
    }
  }

  /**
   * One run's figure.
   *
   * @param sameData whether trials of the same number saw the same data
   * @param verdict the verdict on it against the first run, {@code null} for the first run itself
   */
  record Side(Trials trials, Estimate rate, boolean sameData, @Nullable Verdict verdict) {}

  /**
   * One configuration over all phases that both runs have figures for in all trials, each phase
   * counting alike. {@code open}, {@code close}, bulk loads and phases at a fixed rate do not
   * count, and points of a sweep have no total.
   *
   * @param sides one for each run after the first, {@code null} where it has none
   */
  record Total(String experiment, String configuration, List<@Nullable TotalSide> sides) {}

  /**
   * One run's total.
   *
   * @param phases the number of phases that it is over
   */
  record TotalSide(int phases, Verdict verdict) {}

  /** A run's figure for one phase in the flat form for other programs. */
  record Row(Line line, String run, Side side) {
    /** {@code baseline}, {@code faster}, {@code slower}, {@code same} or {@code undecided}. */
    String verdict() {
      return switch (side.verdict) {
        case Verdict.Faster _ -> "faster";
        case Verdict.Slower _ -> "slower";
        case Verdict.Tie _ -> "same";
        case Verdict.NotToldApart _ -> "undecided";
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
          new Field<>("same_data", own -> own.side.verdict == null ? null : own.side.sameData),
          new Field<>("factor", Row::factor),
          Field.of("factor_low", Row::reach, Interval::low),
          Field.of("factor_high", Row::reach, Interval::high));

  /**
   * Compares runs.
   *
   * @param runs two or more; the first is the baseline
   * @param margin the factor by which the machine may have changed between them, 1 or more
   * @throws io.kvstadium.store.BadArgumentException if they are of different suites or data, or two
   *     have the same name
   */
  public static Comparison of(List<NamedRun> runs, double margin) {
    NamedRun.check(runs);
    List<Map<List<String>, List<Trials>>> parts = runs.stream().map(NamedRun::parts).toList();
    List<Judged> judged =
        parts.stream().skip(1).map(after -> Judged.of(parts.getFirst(), after, margin)).toList();
    List<Line> lines = new ArrayList<>();
    List<Total> totals = new ArrayList<>();
    for (List<String> part : parts.getFirst().keySet()) {
      List<List<Trials>> same =
          parts.stream().map(own -> own.getOrDefault(part, List.of())).toList();
      if (part.size() == 3 && same.stream().skip(1).anyMatch(own -> !own.isEmpty())) {
        lines.add(new Line(part.get(0), part.get(1), part.get(2), sides(part, same, judged)));
      } else if (part.size() == 2) {
        List<@Nullable TotalSide> sides = new ArrayList<>();
        judged.forEach(each -> sides.add(each.totals.get(part)));
        totals.addAll(
            sides.stream().anyMatch(Objects::nonNull)
                ? List.of(new Total(part.get(0), part.get(1), sides))
                : List.of());
      }
    }
    List<String> differences = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    for (NamedRun run : runs.subList(1, runs.size())) {
      String of = runs.size() == 2 ? "" : run.name() + ": ";
      runs.getFirst().differences(run).forEach(text -> differences.add(of + text));
      runs.getFirst().missing(run).forEach(text -> missing.add(of + text));
      runs.getFirst().lost(run).forEach(text -> lost.add(of + text));
    }
    List<String> names = runs.stream().map(NamedRun::name).toList();
    return new Comparison(names, margin, lines, totals, differences, missing, lost);
  }

  /** The verdicts on one run against the first, by experiment, configuration and phase. */
  private record Judged(Map<List<String>, Verdict> phases, Map<List<String>, TotalSide> totals) {
    static Judged of(
        Map<List<String>, List<Trials>> before,
        Map<List<String>, List<Trials>> after,
        double margin) {
      Map<Changes.Part, Map<Integer, Double>> then = new LinkedHashMap<>();
      Map<Changes.Part, Map<Integer, Double>> now = new LinkedHashMap<>();
      Map<List<String>, Changes.Part> names = new LinkedHashMap<>();
      Map<List<String>, Integer> counts = new LinkedHashMap<>();
      Set<String> apart = new LinkedHashSet<>();
      before.forEach((part, trials) -> {
        List<Trials> others = after.getOrDefault(part, List.of());
        if (part.size() == 3 && !others.isEmpty()) {
          Changes.Part name = name(part, part.get(2), false);
          names.put(part, name);
          then.put(name, trials.getFirst().speeds());
          now.put(name, others.getFirst().speeds());
          if (!Trials.workload(part.get(2)) || trials.getFirst().atFixedRate()) {
            apart.add(name.phase());
          }
        } else if (part.size() == 2) {
          List<Trials> theirs = common(others, common(trials, others));
          List<Trials> own = common(trials, theirs);
          if (own.size() > 1) {
            Changes.Part name = name(part, OverallRanking.PHASE, true);
            names.put(part, name);
            counts.put(part, own.size());
            then.put(name, OverallRanking.means(own));
            now.put(name, OverallRanking.means(theirs));
          }
        }
      });
      Map<Changes.Part, Verdict> verdicts = Changes.of(then, now, apart, margin);
      Map<List<String>, Verdict> phases = new LinkedHashMap<>();
      Map<List<String>, TotalSide> totals = new LinkedHashMap<>();
      names.forEach((part, name) -> {
        Verdict verdict = verdicts.getOrDefault(name, Verdict.NotToldApart.UNKNOWN);
        if (name.total()) {
          totals.put(part, new TotalSide(counts.getOrDefault(part, 0), verdict));
        } else {
          phases.put(part, verdict);
        }
      });
      return new Judged(phases, totals);
    }

    private static Changes.Part name(List<String> part, String phase, boolean total) {
      return new Changes.Part(part.get(1), part.getFirst() + ", " + phase, total);
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
  }

  private static List<@Nullable Side> sides(
      List<String> part, List<List<Trials>> same, List<Judged> judged) {
    List<@Nullable Side> sides = new ArrayList<>();
    Trials first = same.getFirst().getFirst();
    for (List<Trials> each : same) {
      Trials own = each.isEmpty() ? null : each.getFirst();
      Verdict verdict =
          own == null || sides.isEmpty() ? null : judged.get(sides.size() - 1).phases.get(part);
      sides.add(
          own == null
              ? null
              : new Side(own, Estimate.of(own.rates()), own.sameData(first), verdict));
    }
    return sides;
  }

  /** Whether any phase, or all of a configuration's together, was shown to be slower. */
  public boolean anySlower() {
    return rows().stream().anyMatch(row -> row.side.verdict instanceof Verdict.Slower)
        || totals.stream()
            .flatMap(total -> total.sides.stream())
            .anyMatch(side -> side != null && side.verdict instanceof Verdict.Slower);
  }

  /** Whether there is any figure that both the first run and another one have. */
  public boolean any() {
    return !lines.isEmpty();
  }

  /** All figures; within each phase, in the order of the runs. */
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
    all.put("margin", margin);
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
