package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.Costs;
import io.kvstadium.bench.report.analysis.CurrentEngine;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.Sweep;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Facts;
import io.kvstadium.bench.suite.SweepPoint;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import io.kvstadium.store.Durability;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The report on a terminal: the answer on one screen, or all figures. The answer is a table for
 * each group of comparable configurations: the fastest of a phase with its figure, every other with
 * the factor by which it is slower.
 */
public final class TextReport {
  /** The lines of a screen, without the file paths at the end. */
  private static final int LINES = 40;

  /** How many of them warnings may take, above the tables. */
  private static final int WARNINGS = 9;

  /** How many of them are kept for remarks. */
  private static final int REMARKS = 5;

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
    screen.interruption(report);
    int hidden = screen.warnings(report);
    List<String> remarks = Answer.remarks(report);
    int reserved = remarks.stream().mapToInt(each -> wrapped(each).size()).sum();
    screen.answer(report, LINES - Math.min(REMARKS, reserved));
    int left = hidden;
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
    Answer.warnings(report).forEach(each -> screen.lines.addAll(wrapped(each)));
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
    Answer.remarks(report).forEach(each -> screen.lines.addAll(wrapped(each)));
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
        out.append(Answer.table(section, group).markdown()).append('\n');
        String legend = Answer.legend(group);
        out.append(legend.isEmpty() ? "" : Table.escaped(legend) + "\n\n");
        Stream.concat(
                Answer.sentences(section, group).stream(),
                CurrentEngine.of(section, group).stream())
            .forEach(each -> out.append("- ").append(Table.escaped(each)).append('\n'));
        out.append('\n');
      }
    }
    Stream.concat(Answer.warnings(report).stream(), Answer.remarks(report).stream())
        .forEach(each -> out.append("- ").append(Table.escaped(each)).append('\n'));
    return out.toString().stripTrailing() + "\n";
  }

  // ---- the parts

  /** As many groups and sweeps as there is room for, and at least one. */
  private void answer(Report report, int room) {
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
      Answer.sentences(section, group).forEach(each -> sentences.addAll(wrapped(each)));
      own.group(section, group, room - own.lines.size() - sentences.size());
      own.lines.addAll(sentences);
      parts.add(own.lines);
    }
    return parts;
  }

  private static String summary(Sweep sweep, Sweep.Phase phase) {
    return phase.name() + " over " + sweep.parameter() + ": " + phase.sentence();
  }

  /**
   * As many warnings as there is room for above the tables.
   *
   * @return how many there are more
   */
  private int warnings(Report report) {
    int left = 0;
    for (String each : Answer.warnings(report)) {
      List<String> own = wrapped(each);
      if (lines.size() + own.size() <= WARNINGS) {
        own.forEach(line -> line(style.warn(line)));
      } else {
        left++;
      }
    }
    if (!lines.isEmpty()) {
      line("");
    }
    return left;
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
    return experiment.shape().entrySet().stream()
        .map(each -> each.getKey() + " " + Facts.text(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A group's table, or as many of its columns as there is room for. */
  private void group(ExperimentReport section, ComparisonGroup group, int room) {
    lines.addAll(TextStyle.wrap("", 2, title(section, group)));
    line("");
    List<String> table = Answer.table(section, group).lines(style);
    int band = table.indexOf("");
    boolean all = band < 0 || table.size() <= room - 4;
    lines.addAll(all ? table : table.subList(0, band));
    String legend = Answer.legend(group) + (all ? "" : " More columns: --details.");
    if (!legend.isBlank()) {
      TextStyle.wrap("", 2, legend).forEach(each -> line(style.dim(each)));
    }
  }

  private static String title(ExperimentReport section, ComparisonGroup group) {
    Map<Durability, List<String>> phases = new TreeMap<>();
    section
        .experiment()
        .levels()
        .forEach((phase, level) -> {
          if (group.rankings().stream().anyMatch(each -> each.phase().equals(phase))) {
            phases.computeIfAbsent(level, _ -> new ArrayList<>()).add(phase);
          }
        });
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
      Answer.sentences(section, group).forEach(each -> lines.addAll(wrapped(each)));
      CurrentEngine.of(section, group).forEach(each -> lines.addAll(wrapped(each)));
      for (PhaseRanking ranking : group.rankings()) {
        if (ranking.all().size() > 1) {
          lines.addAll(wrapped(ranking.phase() + ": " + ranking.sentence()));
        }
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
}
