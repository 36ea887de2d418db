package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.Absence;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.Costs;
import io.kvstadium.bench.report.analysis.CurrentEngine;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Ranking;
import io.kvstadium.bench.report.analysis.Ranking.Place;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.Standing;
import io.kvstadium.bench.report.analysis.Sweep;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.analysis.Warning;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.report.table.Table.Tone;
import io.kvstadium.bench.report.table.TextStyle;
import io.kvstadium.bench.report.table.Units;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Facts;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.SweepPoint;
import io.kvstadium.store.Durability;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report on a terminal: the answer on one screen, or all figures. The answer is a table for
 * each group of comparable configurations: the fastest of a phase with its figure, every other with
 * the factor by which it is slower.
 */
public final class TextReport {
  /** The lines of a screen, without the file paths at the end. */
  private static final int LINES = 40;

  /** How many of them are kept for remarks. */
  private static final int REMARKS = 5;

  /** The factor from which colours get no darker. */
  private static final double DARKEST = 100;

  private static final double P99 = 0.99;

  private final TextStyle style;
  private final List<String> lines = new ArrayList<>();

  private TextReport(TextStyle style) {
    this.style = style;
  }

  /**
   * The answer in at most forty lines of eighty columns, each ended by {@code \n}; for a reader who
   * uses one of the engines today, what to do follows below.
   *
   * @param ansi whether to use bold and colour: for a terminal, not for a pipe
   */
  public static String answer(Report report, boolean ansi) {
    TextReport screen = new TextReport(new TextStyle(ansi));
    List<String> remarks = remarks(report);
    int reserved = remarks.stream().mapToInt(each -> wrapped(each).size()).sum();
    screen.answer(report, LINES - Math.min(REMARKS, reserved));
    int left = 0;
    screen.line("");
    for (String each : remarks) {
      if (screen.lines.size() + wrapped(each).size() < LINES) {
        screen.lines.addAll(wrapped(each));
      } else {
        left++;
      }
    }
    if (left > 0) {
      screen.line("and " + left + " more: --details");
    }
    List<String> closing = closing(report);
    screen.line("");
    closing.forEach(each -> screen.lines.addAll(wrapped(each)));
    return screen.text().stripTrailing() + "\n";
  }

  /** What to do for a reader who uses one of the engines: by the first group of equals with it. */
  private static List<String> closing(Report report) {
    return report.sections().stream()
        .filter(section -> section.experiment().plan().point() == null)
        .flatMap(section ->
            section.groups().stream()
                .filter(ComparisonGroup::equalPromises)
                .map(group -> CurrentEngine.of(section, group)))
        .filter(sentences -> !sentences.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /** The same table for every phase, then every figure, and the circumstances. */
  public static String details(Report report, boolean ansi) {
    TextReport screen = new TextReport(new TextStyle(ansi));
    screen.interruption(report);
    for (List<ExperimentReport> chapter : report.chapters()) {
      ExperimentReport first = chapter.getFirst();
      screen.line("");
      screen.title(first);
      if (first.experiment().plan().point() != null) {
        screen.sweep(Sweep.of(chapter));
      }
      for (ExperimentReport section : chapter) {
        screen.details(section);
      }
    }
    screen.line("");
    remarks(report).forEach(each -> screen.lines.addAll(wrapped(each)));
    screen.terms(Details.circumstances(report.results()));
    return screen.text();
  }

  /** The answer's tables in Markdown, for an issue or a page. */
  public static String markdown(Report report) {
    StringBuilder out = new StringBuilder();
    for (List<ExperimentReport> chapter : report.chapters()) {
      ExperimentReport section = chapter.getFirst();
      out.append("### ").append(Table.escaped(heading(section.experiment()))).append("\n\n");
      if (section.experiment().plan().point() != null) {
        Sweep sweep = Sweep.of(chapter);
        for (Sweep.Phase phase : sweep.phases()) {
          out.append(sweep.table(phase).markdown()).append('\n');
          out.append(Table.escaped(phase.sentence())).append("\n\n");
        }
        continue;
      }
      for (ComparisonGroup group : section.groups()) {
        out.append(Table.escaped(title(section, group))).append("\n\n");
        out.append(table(section, group).markdown()).append('\n');
        String legend = legend(group);
        out.append(legend.isEmpty() ? "" : Table.escaped(legend) + "\n\n");
        Stream.concat(sentences(section, group).stream(), CurrentEngine.of(section, group).stream())
            .forEach(each -> out.append("- ").append(Table.escaped(each)).append('\n'));
        out.append('\n');
      }
    }
    remarks(report).forEach(each -> out.append("- ").append(Table.escaped(each)).append('\n'));
    return out.toString().stripTrailing() + "\n";
  }

  // ---- the parts

  /** As many groups and sweeps as there is room for, and at least one. */
  private void answer(Report report, int room) {
    interruption(report);
    int left = 0;
    boolean any = false;
    for (List<ExperimentReport> chapter : report.chapters()) {
      for (List<String> part : parts(chapter, room - lines.size())) {
        if (any && lines.size() + part.size() >= room) {
          left++;
        } else {
          lines.addAll(any ? List.of("") : List.of());
          lines.addAll(part);
          any = true;
        }
      }
    }
    if (left > 0) {
      line("and " + left + (left == 1 ? " more part" : " more parts") + ": --details");
    }
  }

  /** The lines of each group, or of the sweep. */
  private List<List<String>> parts(List<ExperimentReport> chapter, int room) {
    ExperimentReport section = chapter.getFirst();
    TextReport head = new TextReport(style);
    head.title(section);
    if (section.experiment().plan().point() != null) {
      Sweep sweep = Sweep.of(chapter);
      sweep.phases().stream()
          .filter(phase -> Trials.workload(phase.name()))
          .forEach(phase -> head.lines.addAll(wrapped(summary(sweep, phase))));
      return List.of(head.lines);
    }
    List<List<String>> parts = new ArrayList<>();
    for (ComparisonGroup group : section.groups()) {
      TextReport own = new TextReport(style);
      own.lines.addAll(parts.isEmpty() ? head.lines : List.of());
      List<String> sentences = new ArrayList<>();
      sentences(section, group).forEach(each -> sentences.addAll(wrapped(each)));
      own.group(section, group, room - own.lines.size() - sentences.size());
      own.lines.addAll(sentences);
      parts.add(own.lines);
    }
    return parts;
  }

  private static String summary(Sweep sweep, Sweep.Phase phase) {
    return phase.name() + " over " + sweep.parameter() + ": " + phase.sentence();
  }

  private void interruption(Report report) {
    if (!report.results().complete()) {
      line(style.warn("Interrupted: this shows only what was finished."));
    }
  }

  private void title(ExperimentReport section) {
    TextStyle.wrap("", 2, heading(section.experiment())).forEach(each -> line(style.bold(each)));
    String data = data(section.experiment());
    if (!data.isEmpty()) {
      lines.addAll(TextStyle.wrap("", 2, data));
    }
  }

  private static String heading(ExperimentResult own) {
    SweepPoint point = own.plan().point();
    String name = point == null ? own.name() : point.sweep();
    String limit =
        own.plan().memory() > 0 ? ", memory limited to " + Units.bytes(own.plan().memory()) : "";
    return TextStyle.join(": ", name + limit, own.plan().question());
  }

  private static String data(ExperimentResult experiment) {
    return experiment.data().entrySet().stream()
        .filter(each -> !each.getKey().equals("seed"))
        .map(each -> each.getKey() + " " + Facts.text(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A group's table, or as many of its columns as there is room for. */
  private void group(ExperimentReport section, ComparisonGroup group, int room) {
    lines.addAll(TextStyle.wrap("", 2, title(section, group)));
    line("");
    List<String> table = table(section, group).lines(style);
    int band = table.indexOf("");
    boolean all = band < 0 || table.size() <= room - 4;
    lines.addAll(all ? table : table.subList(0, band));
    String legend = legend(group) + (all ? "" : " More columns: --details.");
    if (!legend.isBlank()) {
      TextStyle.wrap("", 2, legend).forEach(each -> line(style.dim(each)));
    }
  }

  private static String title(ExperimentReport section, ComparisonGroup group) {
    Map<Durability, List<String>> phases = new TreeMap<>();
    section
        .experiment()
        .levels()
        .forEach(
            (phase, level) -> phases.computeIfAbsent(level, _ -> new ArrayList<>()).add(phase));
    String levels =
        phases.entrySet().stream()
            .map(each ->
                " %s (%s): %s."
                    .formatted(
                        TextStyle.sentence(each.getKey().word()),
                        String.join(", ", each.getValue()),
                        ComparisonGroup.promise(each.getKey())))
            .collect(Collectors.joining());
    return TextStyle.sentence(group.title())
        + "."
        + levels
        + " "
        + TextStyle.sentence(extent(group))
        + ".";
  }

  private static String extent(ComparisonGroup group) {
    IntSummaryStatistics trials =
        group.ran().stream()
            .filter(own -> group.order().contains(own.name()))
            .mapToInt(own -> Trials.good(own).size())
            .summaryStatistics();
    int max = Math.max(0, trials.getMax());
    String min = trials.getMin() < trials.getMax() ? trials.getMin() + " to " : "";
    return "%s%d trial%s each".formatted(min, max, max == 1 ? "" : "s");
  }

  private void details(ExperimentReport section) {
    if (section.experiment().plan().point() != null) {
      line("");
      line(style.bold(section.experiment().name()));
    }
    for (ComparisonGroup group : section.groups()) {
      line("");
      group(section, group, Integer.MAX_VALUE);
      sentences(section, group).forEach(each -> lines.addAll(wrapped(each)));
      CurrentEngine.of(section, group).forEach(each -> lines.addAll(wrapped(each)));
      for (PhaseRanking ranking : group.rankings()) {
        lines.addAll(wrapped(ranking.phase() + ": " + ranking.sentence()));
      }
      for (PhaseRanking ranking : group.rankings()) {
        Stream.of(Details.figures(ranking), Details.latencies(ranking), Details.tries(ranking))
            .filter(Objects::nonNull)
            .forEach(this::table);
      }
    }
    if (!section.costs().isEmpty()) {
      table(Costs.table(section.costs()));
      lines.addAll(TextStyle.wrap("", 2, Costs.LEGEND));
    }
    line("");
    terms(Details.setup(section));
    terms(Details.absences(section.absences().stream()));
  }

  private void sweep(Sweep sweep) {
    for (Sweep.Phase phase : sweep.phases()) {
      table(sweep.table(phase));
      lines.addAll(wrapped(phase.sentence()));
    }
  }

  private void table(Table table) {
    if (!table.heads().isEmpty()) {
      line("");
      lines.addAll(table.lines(style));
    }
  }

  private void terms(Map<String, String> terms) {
    terms.forEach((name, text) -> lines.addAll(TextStyle.wrap("", 2, name + ": " + text)));
  }

  private static List<String> wrapped(String sentence) {
    return TextStyle.wrap("- ", 2, sentence);
  }

  private void line(String text) {
    lines.add(text);
  }

  private String text() {
    return lines.stream().map(each -> each.stripTrailing() + "\n").collect(Collectors.joining());
  }

  // ---- the table

  /** A row for each configuration by its overall factor, a column for each phase. */
  static Table table(ExperimentReport section, ComparisonGroup group) {
    List<Column<String>> columns = new ArrayList<>();
    Set<String> levels = section.experiment().levels().keySet();
    Stream.concat(
            group.columns().stream().filter(each -> !levels.contains(each.phase())),
            group.columns().stream().filter(each -> levels.contains(each.phase())))
        .forEach(each -> columns.add(Column.cells(each.phase(), name -> cell(each, name))));
    columns.add(Column.of("on disk", name -> disk(section, name)));
    Stream.of(p99(group, false), p99(group, true))
        .filter(Objects::nonNull)
        .forEach(ranking ->
            columns.add(Column.of("p99 " + ranking.phase(), name -> p99(ranking, name))));
    List<String> order = new ArrayList<>(group.order());
    group.notCompared().values().forEach(order::addAll);
    Table all =
        Table.of(
            "",
            columns,
            order,
            name ->
                new Row(name, SeriesStyle.of(group.configurations(), name), List.of(), List.of()));
    List<Row> rows = new ArrayList<>();
    Map<String, String> heads = new LinkedHashMap<>();
    group.notCompared().forEach((level, names) -> heads.put(names.getFirst(), level));
    for (Row row : all.rows()) {
      if (heads.containsKey(row.name())) {
        rows.add(Row.heading(Objects.requireNonNull(heads.get(row.name()))));
      }
      rows.add(row);
    }
    return new Table("", all.heads(), rows).known();
  }

  private static Cell cell(Ranking ranking, String name) {
    Place own = ranking.of(name);
    if (own == null) {
      return Cell.NONE;
    }
    if (Double.isNaN(own.factor()) || ranking.standings().size() == 1) {
      return Cell.of(own.text().isEmpty() ? "×1" : own.text());
    }
    if (own.verdict() == null) {
      String shown = own.text().isEmpty() ? "×1" : own.text();
      return new Cell(shown, ranking.decided() ? Tone.GOOD : Tone.PLAIN, "", 0);
    }
    double share = Math.min(1, Math.log(own.factor()) / Math.log(DARKEST));
    Tone tone = own.verdict() instanceof Verdict.Undecided ? Tone.DIM : Tone.PLAIN;
    return new Cell(own.times(), tone, own.text(), (int) Math.round(100 * share));
  }

  private static String disk(ExperimentReport section, String name) {
    return section.costs().stream()
        .filter(each -> each.configuration().equals(name))
        .map(each -> Units.bytes(each.median(card -> card.sizes().resting())))
        .findFirst()
        .orElse(Table.MISSING);
  }

  /** The phase that reads, or writes, whose operations were timed one by one for the most. */
  private static @Nullable PhaseRanking p99(ComparisonGroup group, boolean writes) {
    PhaseRanking best = null;
    long max = 0;
    for (PhaseRanking ranking : group.rankings()) {
      long known =
          ranking.all().stream()
              .filter(own -> writes(own) == writes)
              .filter(own -> !p99(ranking, own.configuration()).equals(Table.MISSING))
              .count();
      if (Trials.workload(ranking.phase()) && known > max) {
        best = ranking;
        max = known;
      }
    }
    return best;
  }

  private static boolean writes(Standing own) {
    return Trials.writes(own.trials());
  }

  private static String p99(PhaseRanking ranking, String name) {
    Standing own = ranking.of(name);
    Latencies latencies = own == null ? null : own.callerLatencies();
    Long nanos = latencies == null ? null : latencies.at(P99);
    return nanos == null ? Table.MISSING : Units.time(nanos);
  }

  /** What the signs in the table mean; empty if there are none. */
  static String legend(ComparisonGroup group) {
    List<Verdict> verdicts =
        group.columns().stream()
            .flatMap(ranking -> ranking.standings().stream())
            .map(Place::verdict)
            .filter(Objects::nonNull)
            .toList();
    if (verdicts.isEmpty()) {
      return "";
    }
    boolean open = verdicts.stream().anyMatch(Verdict.Undecided.class::isInstance);
    boolean equal = verdicts.stream().anyMatch(Verdict.Equal.class::isInstance);
    return "The fastest of each phase with its figure; ×3: three times slower."
        + (open ? " ~ not decided yet." : "")
        + (equal ? " = equal within 10 %." : "");
  }

  // ---- the sentences

  /** What to say of a group: the answer, and what explains it. */
  static List<String> sentences(ExperimentReport section, ComparisonGroup group) {
    List<String> sentences = new ArrayList<>();
    OverallRanking overall = group.overall();
    if (overall != null) {
      sentences.add(TextStyle.sentence(overall.label()) + ": " + overall.sentence());
      if (!overall.unranked().isEmpty()) {
        sentences.add(TextStyle.sentence(overall.unranked()) + ".");
      }
    } else {
      group.rankings().stream()
          .filter(own -> Trials.workload(own.phase()) && own.standings().size() > 1)
          .forEach(own -> sentences.add(TextStyle.sentence(own.phase()) + ": " + own.sentence()));
    }
    return sentences;
  }

  /** What a reader must know of the run as a whole, the worst first. */
  static List<String> remarks(Report report) {
    List<String> remarks = new ArrayList<>();
    if (!report.results().measured()) {
      remarks.add("Nothing was measured.");
    }
    record Why(Absence.Kind kind, String reason) {}

    Map<Why, Set<String>> absent = new LinkedHashMap<>();
    Map<Warning, Integer> warnings = new TreeMap<>();
    for (ExperimentReport section : report.sections()) {
      for (ConfigurationResult each : section.experiment().configurations()) {
        String evidence = each.evidence();
        if (each.skipped() == null && "broken".equals(each.evidenceWord())) {
          remarks.add(
              "Torture broke a promise: %s at %s, %s."
                  .formatted(each.name(), each.effective().word(), evidence));
        }
      }
      for (Absence each : section.absences()) {
        absent
            .computeIfAbsent(new Why(each.kind(), each.reason()), _ -> new LinkedHashSet<>())
            .add(each.configuration());
      }
      section.groups().stream()
          .flatMap(group -> group.rankings().stream())
          .flatMap(ranking -> ranking.all().stream())
          .flatMap(own -> own.warnings().stream())
          .forEach(each -> warnings.merge(each.warning(), 1, Integer::sum));
    }
    report.results().findings().stream()
        .filter(each -> each.level() == Finding.Level.WARNING)
        .map(each -> TextStyle.sentence(each.message()) + ".")
        .distinct()
        .forEach(remarks::add);
    warnings.forEach((warning, count) ->
        remarks.add(
            "Take with care, %s (%d figure%s): %s."
                .formatted(warning.word(), count, count == 1 ? "" : "s", warning.advice())));
    absent.forEach((why, names) ->
        remarks.add(
            "%s: %s: %s".formatted(why.kind.words(), String.join(", ", names), why.reason)));
    return remarks;
  }
}
