package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Comparison.Line;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a later run must not do: conditions, each of which is shown to be broken, excluded, or left
 * open by the trials.
 */
public final class Thresholds {
  /** Short names of figures of the catalogue. */
  private static final Map<String, Figure> SHORT =
      Map.of(
          "throughput", Figures.RATE,
          "cpu", Figures.CPU,
          "heap", Figures.ALLOCATED,
          "disk", Figures.DISK,
          "memory", Figures.MEMORY,
          "written", Figures.WRITTEN);

  private static final String SLOWER = "slower";
  private static final Pattern CONDITION =
      Pattern.compile("([\\w.]+)(?:\\(([^()]+)\\))?([<>])([+-]?)([0-9.]+) ?%?");

  /** More trials than that are none that anybody makes. */
  private static final double MAX_MORE = 1_000;

  private final List<Condition> conditions;

  /**
   * @param text as the user wrote it
   * @param figure {@code null} for what each phase is compared by, and over all phases
   * @param where a phase or a kind of operation; empty for all
   * @param limit how many times worse is allowed; 0 for the margin of the comparison
   */
  private record Condition(String text, @Nullable Figure figure, String where, double limit) {
    boolean is(String phase, String operation) {
      return where.isEmpty() || where.equals(phase) || where.equals(operation);
    }

    /** The figures that it is about, each with its verdict. */
    List<Line> lines(List<NamedRun> runs, double limit, int questions) {
      ComparedFigures figures = new ComparedFigures(runs);
      for (NamedRun run : runs.subList(1, runs.size())) {
        if (figure == null) {
          figures.judge(run, limit, questions);
        } else {
          figures.judge(run, figure, this::is, limit, questions);
        }
      }
      return figures.lines().stream()
          .filter(line -> line.verdict() != null)
          .filter(line -> figure != null || (line.main() && is(line.phase(), "")))
          .toList();
    }
  }

  private Thresholds(List<Condition> conditions) {
    this.conditions = conditions;
  }

  /**
   * What became of the conditions.
   *
   * @param broken what is shown to be worse than allowed, or is gone
   * @param open what the trials neither show nor exclude
   * @param judged how many figures the conditions are about
   */
  public record Result(List<String> broken, List<String> open, int judged) {}

  /**
   * Reads conditions.
   *
   * @param text {@code slower}, for what each phase is compared by; or, separated by commas,
   *     conditions such as {@code p99(update)>10%} or {@code throughput<-5%}
   * @throws BadArgumentException if it is neither
   */
  public static Thresholds parse(String text) {
    return new Thresholds(
        Stream.of(text.split(",", -1)).map(each -> condition(each.strip())).toList());
  }

  private static Condition condition(String text) {
    if (text.equals(SLOWER)) {
      return new Condition(text, null, "", 0);
    }
    Matcher parts = CONDITION.matcher(text);
    if (!parts.matches()) {
      throw new BadArgumentException(
          "'%s' is no condition: give slower, or a figure and by how much it may change, in quotes: 'p99(update)>10%%,throughput<-5%%'"
              .formatted(text));
    }
    boolean overall = parts.group(1).equals(OverallRanking.PHASE);
    Figure figure = overall ? Figures.RATE : figure(parts.group(1));
    String sign = figure.better() == Figure.Better.HIGHER ? "<-" : ">";
    double percent = percent(text, parts.group(5));
    if (!(parts.group(3) + parts.group(4).replace("+", "")).equals(sign)) {
      throw new BadArgumentException(
          "'%s' is no loss: of %s %s is better, so write '%s%s%s%%'"
              .formatted(
                  text,
                  parts.group(1),
                  sign.equals(">") ? "less" : "more",
                  parts.group(1) + (parts.group(2) == null ? "" : "(" + parts.group(2) + ")"),
                  sign,
                  parts.group(5)));
    }
    double limit = sign.equals(">") ? 1 + percent / 100 : 1 / (1 - percent / 100);
    String where = parts.group(2) == null ? "" : parts.group(2);
    return overall
        ? new Condition(text, null, OverallRanking.PHASE, limit)
        : new Condition(text, figure, where, limit);
  }

  private static double percent(String text, String number) {
    try {
      double percent = Double.parseDouble(number);
      if (percent > 0 && percent < (text.contains("<") ? 100 : 100_000)) {
        return percent;
      }
    } catch (NumberFormatException notOne) { // said below
    }
    throw new BadArgumentException("'" + text + "': give a percentage above 0, such as 10%");
  }

  private static Figure figure(String name) {
    Figure known = SHORT.get(name);
    return known != null
        ? known
        : comparable()
            .filter(each -> each.name().equals(name.replace(".", "")))
            .findFirst()
            .orElseThrow(() ->
                new BadArgumentException(
                    "'%s' is no figure that runs are compared by: give overall, %s, p50, p90, p99, p99.9, max, or a name of docs/results-schema.md"
                        .formatted(
                            name,
                            SHORT.keySet().stream().sorted().collect(Collectors.joining(", ")))));
  }

  private static Stream<Figure> comparable() {
    return Figures.ALL.stream().filter(each -> each.better() != Figure.Better.NONE);
  }

  /**
   * Checks the conditions. All of them together are wrong about two equal runs in no more than one
   * of twenty cases, beyond what the machine itself may have changed.
   *
   * @param comparison of the runs
   * @param runs the first is the baseline
   * @throws BadArgumentException if no two runs have the figure of a condition
   */
  public Result check(Comparison comparison, List<NamedRun> runs) {
    List<String> broken = new ArrayList<>(comparison.lost());
    List<String> open = new ArrayList<>();
    int judged = 0;
    for (Condition each : conditions) {
      double limit = each.limit == 0 ? comparison.margin() : each.limit;
      List<Line> lines = each.lines(runs, limit, conditions.size());
      if (lines.isEmpty()) {
        throw new BadArgumentException(
            "--fail-on %s: no two of these runs have that figure%s"
                .formatted(each.text, places(comparison, each)));
      }
      judged += lines.size();
      for (Line line : lines) {
        if (line.isBeyond(Math.max(limit, comparison.margin()))) {
          broken.add(each.text + ": " + name(comparison, line) + " " + line.words());
        } else if (!line.isWithin(limit)) {
          open.add(each.text + ": " + name(comparison, line) + open(line, limit));
        }
      }
    }
    return new Result(broken, open, judged);
  }

  private static String places(Comparison comparison, Condition condition) {
    List<String> phases =
        comparison.lines().stream()
            .filter(line -> line.trials() != null && line.part().isPhase())
            .map(Line::phase)
            .distinct()
            .toList();
    return condition.where.isEmpty() || phases.contains(condition.where)
        ? ""
        : " of '" + condition.where + "'; phases are " + String.join(", ", phases);
  }

  private static String name(Comparison comparison, Line line) {
    String run = comparison.names().size() == 2 ? "" : line.run();
    return TextStyle.join(": ", run, line.part() + operation(line));
  }

  private static String operation(Line line) {
    return line.trials() == null || line.trials().operation().isEmpty()
        ? ""
        : ", " + line.trials().operation();
  }

  private static String open(Line line, double limit) {
    Verdict verdict = line.verdict();
    Interval reach = verdict == null ? null : verdict.reach();
    if (verdict == null || reach == null || line.trials() == null) {
      return " (fewer than two trials)";
    }
    double factor = verdict.slowness();
    String estimate =
        factor >= 1 ? Units.times(factor) + " worse" : Units.times(1 / factor) + " better";
    return " (%s in these trials, %s not excluded; %s)"
        .formatted(estimate, Units.times(reach.high()), more(line, factor, reach, limit));
  }

  /**
   * The trials that would decide it if the estimate stays: the interval shrinks with their root.
   */
  private static String more(Line line, double factor, Interval reach, double limit) {
    int trials = line.trials() == null ? 0 : line.trials().speeds().size();
    double end = factor > limit ? reach.low() : reach.high();
    double root = Math.log(end / factor) / Math.log(limit / factor);
    double more = Math.ceil(trials * (root * root - 1));
    return more > 0 && more < MAX_MORE
        ? "%.0f more trials would tell".formatted(more)
        : "more trials alone would not tell";
  }
}
