package io.kvstadium.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Any number of runs, each held against the first.
 *
 * @param names of the runs; the first is the baseline
 * @param pairs each later run against the first, in order
 */
public record Comparisons(List<String> names, List<Comparison> pairs) {
  public Comparisons {
    names = List.copyOf(names);
    pairs = List.copyOf(pairs);
  }

  /**
   * Compares runs.
   *
   * @param runs two or more; the first is the one to compare with
   * @throws io.kvstadium.store.BadArgumentException if they are of different suites or data, or two
   *     have the same name
   */
  public static Comparisons of(List<NamedRun> runs) {
    NamedRun.check(runs);
    NamedRun first = runs.getFirst();
    return new Comparisons(
        runs.stream().map(NamedRun::name).toList(),
        runs.stream().skip(1).map(run -> Comparison.of(first.results(), run.results())).toList());
  }

  /** Whether anything was shown to be slower than in the first run. */
  public boolean anySlower() {
    return pairs.stream().anyMatch(Comparison::anySlower);
  }

  /** Whether there is any figure that the first and another one have. */
  public boolean any() {
    return pairs.stream().anyMatch(pair -> !pair.lines().isEmpty());
  }

  /**
   * What a line of a comparison is about.
   *
   * @param experiment its name
   * @param configuration its name
   * @param phase its name
   */
  record Subject(String experiment, String configuration, String phase) {
    String head() {
      return experiment + ", " + configuration;
    }
  }

  /** For each subject its line in each pair, {@code null} where the later run has no figure. */
  Map<Subject, List<Comparison.@Nullable Change>> subjects() {
    return aligned(
        Comparison::lines,
        line -> new Subject(line.experiment(), line.configuration(), line.phase()));
  }

  /** For each configuration its total in each pair, {@code null} where there is none. */
  Map<Subject, List<Comparison.@Nullable Total>> totals() {
    return aligned(
        Comparison::overall,
        total -> new Subject(total.experiment(), total.configuration(), "overall"));
  }

  private <T> Map<Subject, List<@Nullable T>> aligned(
      Function<Comparison, List<T>> parts, Function<T, Subject> subject) {
    Map<Subject, List<@Nullable T>> subjects = new LinkedHashMap<>();
    for (int i = 0; i < pairs.size(); i++) {
      for (T part : parts.apply(pairs.get(i))) {
        List<@Nullable T> own =
            subjects.computeIfAbsent(subject.apply(part), _ -> new ArrayList<>());
        while (own.size() < i) {
          own.add(null);
        }
        own.add(part);
      }
    }
    for (List<@Nullable T> own : subjects.values()) {
      while (own.size() < pairs.size()) {
        own.add(null);
      }
    }
    return subjects;
  }

  /**
   * A run's figure for one phase, with the verdict on it: the flat form for other programs. What is
   * unknown or does not apply is {@code null}.
   *
   * @param experiment its name
   * @param configuration its name
   * @param phase its name
   * @param run name of the run
   * @param trials that had the figure
   * @param opsPerSecond median over trials
   * @param low end of its interval
   * @param high end of its interval
   * @param verdict {@code baseline}, {@code faster}, {@code slower}, {@code same} or {@code
   *     undecided}
   * @param paired whether trials of equal number saw the same data and were compared in pairs
   * @param factor how many times faster or slower
   * @param factorLow end of its interval
   * @param factorHigh end of its interval
   */
  public record Row(
      String experiment,
      String configuration,
      String phase,
      String run,
      int trials,
      double opsPerSecond,
      @Nullable Double low,
      @Nullable Double high,
      String verdict,
      @Nullable Boolean paired,
      @Nullable Double factor,
      @Nullable Double factorLow,
      @Nullable Double factorHigh) {}

  /** All figures, one run's after the other's within each phase. */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    subjects()
        .forEach((subject, lines) -> {
          boolean first = true;
          for (int i = 0; i < lines.size(); i++) {
            Comparison.Change line = lines.get(i);
            if (line == null) {
              continue;
            }
            if (first) {
              rows.add(row(subject, names.getFirst(), line.before(), null, null));
              first = false;
            }
            rows.add(row(subject, names.get(i + 1), line.after(), line.verdict(), line.paired()));
          }
        });
    return rows;
  }

  private static Row row(
      Subject subject,
      String run,
      Estimate rate,
      @Nullable Verdict verdict,
      @Nullable Boolean paired) {
    Interval own = rate.interval();
    String word = "baseline";
    Double factor = null;
    Interval reach = null;
    switch (verdict) {
      case Verdict.Faster faster -> {
        word = "faster";
        factor = faster.ratio();
        reach = faster.interval();
      }
      case Verdict.Slower slower -> {
        word = "slower";
        factor = slower.ratio();
        reach = slower.interval();
      }
      case Verdict.Same _ -> word = "same";
      case Verdict.NoDifference _ -> word = "undecided";
      case null -> {}
    }
    return new Row(
        subject.experiment(),
        subject.configuration(),
        subject.phase(),
        run,
        rate.n(),
        rate.median(),
        own == null ? null : own.low(),
        own == null ? null : own.high(),
        word,
        paired,
        factor,
        reach == null ? null : reach.low(),
        reach == null ? null : reach.high());
  }

  private record Json(
      List<String> runs, List<String> differences, List<String> missing, List<Row> figures) {}

  /** All of it as a JSON document; {@code docs/results-schema.md} describes it. */
  public String toJson() {
    try {
      return JsonMapper.builder()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .build()
              .writeValueAsString(new Json(names, differences(), missing(), rows()))
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a comparison that cannot be written as JSON", e);
    }
  }

  /** Circumstances in which later runs differ from the first, with the run's name. */
  public List<String> differences() {
    return named(Comparison::differences);
  }

  /** What cannot be compared since only one of two runs has it. */
  public List<String> missing() {
    return named(Comparison::missing);
  }

  private List<String> named(Function<Comparison, List<String>> texts) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      String of = pairs.size() == 1 ? "" : names.get(i + 1) + ": ";
      texts.apply(pairs.get(i)).forEach(text -> all.add(of + text));
    }
    return all;
  }

  /** A verdict in a word or two, for a cell. */
  static String brief(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Faster faster -> "faster ×" + Units.digits(faster.ratio());
      case Verdict.Slower slower -> "slower ×" + Units.digits(slower.ratio());
      case Verdict.Same _ -> "same";
      case Verdict.NoDifference _ -> "?";
    };
  }

  /** What the brief verdicts mean. */
  String legend() {
    return "Medians, and verdicts against "
        + names.getFirst()
        + " at 95 %; same: within "
        + Math.round((Verdict.PRACTICALLY_EQUAL - 1) * 100)
        + (pairs.size() == 1 ? " %." : " %; ?: no difference shown.");
  }
}
