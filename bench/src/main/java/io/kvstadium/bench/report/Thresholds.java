package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Comparison.Line;
import io.kvstadium.bench.report.analysis.Difference;
import io.kvstadium.bench.report.analysis.Difference.Kind;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.stats.Changes;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a later run must not do: conditions, each of which is shown to be broken, excluded, or left
 * open by the trials.
 */
public final class Thresholds {
  private static final String SLOWER = "slower";
  private static final Pattern CONDITION =
      Pattern.compile(FigureName.FORM + "([<>])([+-]?)([0-9.]+) ?%?");

  /** More trials than that are none that anybody makes. */
  private static final int MAX_MORE = 1_000;

  /** An interval up to such a factor says nothing. */
  private static final double SAYS_NOTHING = 100;

  private final List<Condition> conditions;

  /**
   * @param text as the user wrote it
   * @param figure {@code null} for what each phase is compared by, and over all phases
   * @param where a phase, if there is no figure; empty for all
   * @param limit how many times worse is allowed; 0 for the margin of the comparison
   */
  private record Condition(String text, @Nullable FigureName figure, String where, double limit) {
    /** The phase or the operation that it names; empty if it names none. */
    String place() {
      return figure == null ? where : figure.where();
    }

    /** The figures that it is about, each with its verdict. */
    List<Line> lines(List<NamedRun> runs, double limit, int questions) {
      ComparedFigures figures = new ComparedFigures(runs);
      for (NamedRun run : runs.subList(1, runs.size())) {
        if (figure == null) {
          figures.judge(run, limit, questions);
        } else {
          figures.judge(run, figure.figure(), figure::is, limit, questions);
        }
      }
      return figures.lines().stream()
          .filter(line -> line.verdict() != null)
          .filter(line ->
              figure != null || (line.main() && (where.isEmpty() || where.equals(line.phase()))))
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
   * @param trials how many more trials of each run would decide those of {@code open} that more
   *     trials can decide, in ascending order
   */
  public record Result(List<String> broken, List<String> open, int judged, List<Integer> trials) {}

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
    String subject = text.substring(0, parts.start(3));
    FigureName figure = overall ? null : FigureName.parse(subject);
    boolean higher = figure == null || figure.figure().better() == Figure.Better.HIGHER;
    String sign = higher ? "<-" : ">";
    double percent = percent(text, parts.group(5));
    if (!(parts.group(3) + parts.group(4).replace("+", "")).equals(sign)) {
      throw new BadArgumentException(
          "'%s' is no loss: of %s %s is better, so write '%s%s%s%%'"
              .formatted(
                  text,
                  parts.group(1),
                  sign.equals(">") ? "less" : "more",
                  subject,
                  sign,
                  parts.group(5)));
    }
    double limit = sign.equals(">") ? 1 + percent / 100 : 1 / (1 - percent / 100);
    return new Condition(text, figure, overall ? OverallRanking.PHASE : "", limit);
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

  /**
   * Refuses conditions on what a suite does not have, before it is measured.
   *
   * @throws BadArgumentException if one names another phase or operation
   */
  public void requirePlaces(Suite suite) {
    List<String> phases =
        suite.experiments().stream()
            .flatMap(each -> each.phases().stream())
            .map(PhaseSpec::name)
            .distinct()
            .toList();
    for (Condition each : conditions) {
      boolean known =
          Stream.of(
                  phases.stream(),
                  PhaseSpec.CALLS.stream(),
                  Stream.of(Operation.values()).map(Operation::word),
                  Stream.of("", OverallRanking.PHASE))
              .flatMap(places -> places)
              .anyMatch(each.place()::equals);
      if (!known) {
        throw new BadArgumentException(
            "--fail-on %s: this suite has nothing%s".formatted(each.text, places(phases, each)));
      }
    }
  }

  /**
   * Checks the conditions. All of them together are wrong about equal runs in no more than one of
   * twenty cases, beyond what the machine itself may have changed.
   *
   * @param comparison of the runs
   * @param runs the first is the baseline
   * @throws BadArgumentException if no two runs have the figure of a condition, or a run was made
   *     on another machine or did something else
   */
  public Result check(Comparison comparison, List<NamedRun> runs) {
    runs.subList(1, runs.size()).forEach(run -> requireLike(runs.getFirst(), run));
    List<String> broken = new ArrayList<>(comparison.lost());
    List<String> open = new ArrayList<>();
    int judged = 0;
    List<Integer> trials = new ArrayList<>();
    for (Condition each : conditions) {
      double limit = each.limit > 0 ? each.limit : comparison.slower();
      List<Line> lines = each.lines(runs, limit, conditions.size() * (runs.size() - 1));
      if (lines.isEmpty()) {
        throw new BadArgumentException(
            "--fail-on %s: no two of these runs have that figure%s"
                .formatted(each.text, places(phases(comparison), each)));
      }
      judged += lines.size();
      for (Line line : lines) {
        if (line.isBeyond(Math.max(limit, comparison.margin()))) {
          broken.add(each.text + ": " + name(comparison, line) + " " + line.words());
        } else if (!line.isWithin(limit)) {
          int more = more(line, limit, comparison.margin());
          open.add(each.text + ": " + name(comparison, line) + open(line, more));
          Stream.of(more).filter(number -> number > 0).forEach(trials::add);
        }
      }
    }
    return new Result(broken, open, judged, trials.stream().sorted().toList());
  }

  private static void requireLike(NamedRun first, NamedRun run) {
    List<String> other =
        Difference.between(first, run).stream()
            .filter(each -> each.kind() == Kind.MACHINE || each.kind() == Kind.WORKLOAD)
            .map(Difference::toString)
            .toList();
    if (!other.isEmpty()) {
      throw new BadArgumentException(
          "--fail-on: %s was not measured as %s was (%s), so a change says nothing: measure both alike on one machine, as with bench --against"
              .formatted(run.name(), first.name(), String.join("; ", other)));
    }
  }

  private static List<String> phases(Comparison comparison) {
    return comparison.lines().stream()
        .filter(line -> line.trials() != null && line.part().isPhase())
        .map(Line::phase)
        .distinct()
        .toList();
  }

  private static String places(List<String> phases, Condition condition) {
    String place = condition.place();
    return place.isEmpty() || phases.contains(place)
        ? ""
        : " of '" + place + "'; phases are " + String.join(", ", phases);
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

  private static String open(Line line, int more) {
    Verdict verdict = line.verdict();
    Interval reach = verdict == null ? null : verdict.reach();
    if (verdict == null || reach == null) {
      return " (fewer than two trials)";
    }
    double factor = verdict.slowness();
    String size = Units.times(Math.max(factor, 1 / factor));
    String estimate =
        size.equals(Units.times(1)) ? "equal" : size + (factor > 1 ? " worse" : " better");
    return " (%s in these trials, %s not excluded; %s)"
        .formatted(
            estimate,
            reach.high() > SAYS_NOTHING ? "far more" : Units.times(reach.high()),
            more > 0 ? more + " more trials would tell" : "more trials alone would not tell");
  }

  /**
   * How many more trials of both runs would decide it if the estimate stays. 0 if none would: they
   * are too many, or it is a change that the machine itself may have made.
   */
  private static int more(Line line, double limit, double margin) {
    Interval reach = line.verdict() == null ? null : line.verdict().reach();
    Double factor = line.factor();
    if (reach == null || factor == null) {
      return line.count() < 2 ? 2 - line.count() : 0;
    }
    double end = factor > limit ? reach.low() : reach.high();
    double target = factor > limit ? Math.max(limit, margin) : limit;
    if (factor > limit && factor <= target) {
      return 0;
    }
    return Changes.moreTrials(
        Math.max(2, line.count()), Math.log(target / factor) / Math.log(end / factor), MAX_MORE);
  }
}
