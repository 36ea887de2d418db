package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.Difference;
import io.kvstadium.bench.report.analysis.Difference.Kind;
import io.kvstadium.bench.report.analysis.FigureTrials;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.NamedRun.Part;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Head;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.stats.ChangePoints;
import io.kvstadium.bench.stats.ChangePoints.Change;
import io.kvstadium.bench.stats.Families;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.Sparkline;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.store.BadArgumentException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A figure over runs of one suite, with the same data and phases, on one machine.
 *
 * @param runs in the order in which they began
 * @param series one for each configuration and phase
 * @param apart why the runs do not belong to the first history, or nothing
 */
public record History(List<NamedRun> runs, List<Series> series, List<Difference> apart) {
  /** More runs than a line has room for. */
  private static final int MAX_SHOWN = 30;

  private static final int DATE = "2026-01-31".length();

  /**
   * A figure of a configuration, or of one of its phases.
   *
   * @param figures one for each run, or {@code null} where a run has none
   * @param changes what changed for good, by number of the run in the history
   */
  record Series(Part part, List<@Nullable FigureTrials> figures, List<Change> changes) {
    FigureTrials first() {
      return figures.stream().filter(Objects::nonNull).findFirst().orElseThrow();
    }

    FigureTrials last() {
      return figures.reversed().stream().filter(Objects::nonNull).findFirst().orElseThrow();
    }

    /** What it is of its configuration. */
    String title() {
      Figure figure = first().figure();
      return TextStyle.join(
          " ", part.phase(), first().operation(), figure.equals(Figures.RATE) ? "" : figure.head());
    }

    /** The mean of each run; NaN where it has none. */
    double[] means() {
      return figures.stream()
          .mapToDouble(each -> each == null ? Double.NaN : each.estimate().mean())
          .toArray();
    }

    /** The mean between changes as a line: number of the run, from 1, and figure. */
    List<double[]> steps() {
      List<Integer> ends = new ArrayList<>(changes.stream().map(Change::at).toList());
      ends.addFirst(0);
      ends.addLast(figures.size());
      double[] means = means();
      List<double[]> line = new ArrayList<>();
      for (int i = 1; i < ends.size(); i++) {
        double[] own = Arrays.copyOfRange(means, ends.get(i - 1), ends.get(i));
        double mean =
            Math.exp(
                Arrays.stream(own)
                    .filter(each -> !Double.isNaN(each))
                    .map(Math::log)
                    .average()
                    .orElseThrow());
        line.add(new double[] {ends.get(i - 1) + 1, mean});
        line.add(new double[] {ends.get(i), mean});
      }
      return line;
    }
  }

  /**
   * The histories of runs, which are split where machine, data or phases differ.
   *
   * @param figure whose histories they are, or {@code null} for what each phase is compared by
   * @throws io.kvstadium.store.BadArgumentException if no run has it
   */
  public static List<History> of(List<NamedRun> runs, @Nullable FigureName figure) {
    List<NamedRun> ordered = new ArrayList<>(runs);
    ordered.sort(Comparator.comparing(History::began));
    List<List<NamedRun>> groups = new ArrayList<>();
    for (NamedRun run : ordered) {
      groups.stream()
          .filter(group -> apart(group.getFirst(), run).isEmpty())
          .findFirst()
          .orElseGet(() -> {
            List<NamedRun> group = new ArrayList<>();
            groups.add(group);
            return group;
          })
          .add(run);
    }
    NamedRun first = ordered.getFirst();
    List<History> histories =
        groups.stream()
            .map(group -> new History(group, series(group, figure), apart(first, group.getFirst())))
            .toList();
    if (figure != null && histories.stream().allMatch(each -> each.series.isEmpty())) {
      throw figure.unknown();
    }
    return histories;
  }

  private static Instant began(NamedRun run) {
    try {
      return OffsetDateTime.parse(run.results().started()).toInstant();
    } catch (DateTimeParseException e) {
      throw new BadArgumentException(
          "run %s began at '%s', which is no time such as 2026-01-31T12:00:00+01:00: repair its results.json"
              .formatted(run.name(), run.results().started()),
          e);
    }
  }

  private static List<Difference> apart(NamedRun first, NamedRun run) {
    if (!first.results().suite().equals(run.results().suite())) {
      return List.of(
          new Difference(Kind.WORKLOAD, "suite", first.results().suite(), run.results().suite()));
    }
    return Difference.between(first, run).stream()
        .filter(each -> each.kind() == Kind.MACHINE || each.kind() == Kind.WORKLOAD)
        .toList();
  }

  private static List<Series> series(List<NamedRun> runs, @Nullable FigureName figure) {
    Set<Part> parts = new LinkedHashSet<>();
    runs.forEach(run -> parts.addAll(run.parts(runs).keySet()));
    Map<Part, Map<String, List<@Nullable FigureTrials>>> all = new LinkedHashMap<>();
    for (Part part : parts) {
      Map<String, List<@Nullable FigureTrials>> own = new LinkedHashMap<>();
      for (int i = 0; i < runs.size(); i++) {
        for (FigureTrials each : figures(runs.get(i), part, figure, runs)) {
          List<@Nullable FigureTrials> line =
              own.computeIfAbsent(each.operation(), _ -> new ArrayList<>());
          while (line.size() < i) {
            line.add(null);
          }
          line.add(each);
        }
      }
      own.values()
          .forEach(line -> {
            while (line.size() < runs.size()) {
              line.add(null);
            }
          });
      all.put(part, own);
    }
    int number = all.values().stream().mapToInt(Map::size).sum();
    List<Series> series = new ArrayList<>();
    all.forEach((part, own) ->
        own.values().forEach(line -> series.add(new Series(part, line, changes(line, number)))));
    return series;
  }

  private static List<FigureTrials> figures(
      NamedRun run, Part part, @Nullable FigureName asked, List<NamedRun> runs) {
    ConfigurationResult own = run.configuration(part);
    if (own == null) {
      return List.of();
    }
    if (asked == null) {
      List<Trials> trials = run.parts(runs).getOrDefault(part, List.of());
      return part.isPhase() && Trials.workload(part.phase()) && !trials.isEmpty()
          ? List.of(FigureTrials.of(trials.getFirst()))
          : List.of();
    }
    if (asked.figure().ofPhase() != part.isPhase()) {
      return List.of();
    }
    Set<String> operations = new LinkedHashSet<>(List.of(""));
    if (part.isPhase()) {
      operations.addAll(Trials.of(own, part.phase()).samples().operations());
    }
    return operations.stream()
        .filter(operation -> asked.is(part.phase(), operation))
        .map(operation -> FigureTrials.of(own, part.phase(), asked.figure(), operation))
        .filter(each -> !each.speeds().isEmpty())
        .toList();
  }

  private static List<Change> changes(List<@Nullable FigureTrials> figures, int series) {
    List<Integer> known = new ArrayList<>();
    List<Double> speeds = new ArrayList<>();
    for (int i = 0; i < figures.size(); i++) {
      FigureTrials own = figures.get(i);
      if (own != null) {
        known.add(i);
        speeds.add(own.figure().speed(own.estimate().mean()));
      }
    }
    return ChangePoints.of(speeds, Families.LEVEL / series).stream()
        .map(each -> new Change(known.get(each.at()), each.verdict()))
        .toList();
  }

  /** Suite, number of runs, and from when to when. */
  String title() {
    String suite = runs.getFirst().results().suite();
    String from = date(runs.getFirst());
    return runs.size() == 1
        ? "%s: 1 run, %s".formatted(suite, from)
        : "%s: %d runs, %s to %s".formatted(suite, runs.size(), from, date(runs.getLast()));
  }

  static String date(NamedRun run) {
    return run.results().started().substring(0, DATE);
  }

  /** Each change that is significant, with what else changed at that run. */
  List<String> changes() {
    List<String> lines = new ArrayList<>();
    for (Series each : series) {
      for (Change change : each.changes) {
        NamedRun run = runs.get(change.at());
        String also =
            Difference.between(runs.get(change.at() - 1), run).stream()
                .filter(own -> own.kind() == Kind.SUBJECT && concerns(own, each.part))
                .map(Difference::toString)
                .collect(Collectors.joining("; "));
        lines.add(
            "%s %s: %s since %s (%s)%s"
                .formatted(
                    each.part.configuration(),
                    each.title(),
                    words(each, change.verdict()),
                    run.name(),
                    date(run),
                    also.isEmpty() ? "" : "; with it changed " + also));
      }
    }
    return lines;
  }

  /** Whether it is of all configurations, or of this one. */
  private static boolean concerns(Difference difference, Part part) {
    return !difference.what().contains(", ")
        || difference.what().startsWith(part.experiment() + ", " + part.configuration() + ":");
  }

  static String words(Series series, Verdict verdict) {
    boolean amount = series.first().figure().isAmount();
    return switch (verdict) {
      case Verdict.Faster faster -> (amount ? "less " : "faster ") + faster.factor();
      case Verdict.Slower slower -> (amount ? "more " : "slower ") + slower.factor();
      default -> verdict.words();
    };
  }

  /** A line for each series, with its last runs as bars. */
  Table table() {
    List<Head> heads =
        List.of(
            new Head("runs", true),
            new Head("first", false),
            new Head("last", false),
            new Head("last change", true));
    List<Row> rows = new ArrayList<>();
    String head = "";
    for (Series each : series) {
      String own = each.part.experiment() + ", " + each.part.configuration();
      if (!own.equals(head)) {
        rows.add(Row.heading(own));
        head = own;
      }
      double[] means = each.means();
      int from = Math.max(0, means.length - MAX_SHOWN);
      Change change = each.changes.isEmpty() ? null : each.changes.getLast();
      rows.add(
          new Row(
              each.title(),
              null,
              List.of(
                  Cell.of(Sparkline.of(Arrays.copyOfRange(means, from, means.length))),
                  Cell.of(each.first().estimate().text()),
                  Cell.of(each.last().estimate().text()),
                  change == null
                      ? Cell.NONE
                      : Cell.of(
                          words(each, change.verdict()) + ", " + date(runs.get(change.at())),
                          change.verdict() instanceof Verdict.Slower
                              ? Table.Tone.BAD
                              : Table.Tone.GOOD)),
              List.of()));
    }
    return new Table("", heads, rows);
  }

  /** Why it is a history of its own, or an empty text. */
  String whyApart() {
    return apart.isEmpty()
        ? ""
        : "Not mixed with the first: "
            + apart.stream().map(Difference::toString).collect(Collectors.joining("; "));
  }

  /** All histories for a terminal of 80 columns, the lines ended by {@code \n}. */
  public static String text(List<History> histories, boolean ansi) {
    TextStyle style = new TextStyle(ansi);
    List<String> text = new ArrayList<>();
    for (History each : histories) {
      if (!text.isEmpty()) {
        text.add("");
      }
      text.addAll(TextStyle.wrap("", 2, each.title()));
      text.addAll(TextStyle.wrap("", 2, each.whyApart()));
      text.addAll(each.table().lines(style));
      each.changes().forEach(line -> text.addAll(TextStyle.wrap("- ", 2, line)));
    }
    return text.stream().map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
  }
}
