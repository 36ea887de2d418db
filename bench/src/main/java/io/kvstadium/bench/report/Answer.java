package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.Absence;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Ranking;
import io.kvstadium.bench.report.analysis.Ranking.Place;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.analysis.Standing;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.analysis.Warning;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.report.table.Table.Tone;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
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
 * What every medium shows first: a table for each group of comparable configurations, what its
 * signs mean, and the sentences with it. The fastest of a phase has its figure, every other the
 * factor by which it is slower.
 */
final class Answer {
  /** The factor from which colours get no darker. */
  private static final double DARKEST = 100;

  private Answer() {}

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
    group
        .notCompared()
        .values()
        .forEach(names -> {
          order.removeAll(names);
          order.addAll(names);
        });
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
        .map(each -> Figures.DISK.text(each.samples()))
        .findFirst()
        .orElse(Units.MISSING);
  }

  /** The phase that reads, or writes, whose operations were timed one by one for the most. */
  private static @Nullable PhaseRanking p99(ComparisonGroup group, boolean writes) {
    PhaseRanking best = null;
    long max = 0;
    for (PhaseRanking ranking : group.rankings()) {
      long known =
          ranking.all().stream()
              .filter(own -> writes(own) == writes)
              .filter(own -> !p99(ranking, own.configuration()).equals(Units.MISSING))
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
    return own == null ? Units.MISSING : Figures.P99.text(own.samples());
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
    List<Verdict> open = verdicts.stream().filter(Verdict.Undecided.class::isInstance).toList();
    boolean equal = verdicts.stream().anyMatch(Verdict.Equal.class::isInstance);
    return "The fastest of each phase with its figure; ×3: three times slower."
        + (open.isEmpty()
            ? ""
            : open.stream().allMatch(Verdict.Undecided.UNKNOWN::equals)
                ? " ~ not decided: one trial decides nothing."
                : " ~ not decided yet: its trials are too far apart, however large the factor.")
        + (equal ? " = equal within 10 %." : "");
  }

  /** What to say of a group: the answer, and what explains it. */
  static List<String> sentences(ExperimentReport section, ComparisonGroup group) {
    List<String> sentences = new ArrayList<>();
    OverallRanking overall = group.overall();
    if (overall != null) {
      sentences.add(TextStyle.sentence(overall.label()) + ": " + overall.sentence());
      if (!overall.unranked().isEmpty()) {
        sentences.add(TextStyle.sentence(overall.unranked()) + ".");
      }
      String mix = mix(group, overall);
      if (!mix.isEmpty()) {
        sentences.add(mix);
      }
    } else {
      group.rankings().stream()
          .filter(own -> Trials.workload(own.phase()) && own.standings().size() > 1)
          .forEach(own -> sentences.add(TextStyle.sentence(own.phase()) + ": " + own.sentence()));
    }
    return sentences;
  }

  /** Where phases lead to different engines, their weights decide. */
  private static String mix(ComparisonGroup group, OverallRanking overall) {
    List<PhaseRanking> counted =
        group.rankings().stream()
            .filter(own -> own.standings().size() > 1)
            .filter(own -> own.standings().stream().allMatch(each -> each.trials().counts()))
            .toList();
    long first =
        counted.stream().map(own -> own.standings().getFirst().configuration()).distinct().count();
    if (first < 2 || !overall.weights().isEmpty()) {
      return "";
    }
    String example =
        Stream.of(
                counted.stream().filter(own -> own.standings().stream().noneMatch(Answer::writes)),
                counted.stream()
                    .filter(own -> own.standings().stream().anyMatch(Answer::writes))
                    .sorted(Comparator.comparing(Answer::loads)))
            .flatMap(own -> own.limit(1))
            .map(PhaseRanking::phase)
            .collect(Collectors.joining("=4,", "", "=1"));
    return "Phases lead to different engines, and each counts the same here: give them the weights of"
        + " your mix, such as --weights \""
        + example
        + "\".";
  }

  private static boolean loads(PhaseRanking own) {
    return own.standings().stream()
        .anyMatch(
            each -> each.trials().each(PhaseResult::operation).contains(Operation.INSERT.word()));
  }

  /** Warnings about the machine and the figures: what a reader must know before the table. */
  static List<String> warnings(Report report) {
    List<String> all = new ArrayList<>();
    if (!report.results().measured()) {
      all.add("Nothing was measured.");
    }
    report.results().findings().stream()
        .filter(Answer::aboutTheMachine)
        .map(each -> TextStyle.sentence(each.message()) + ".")
        .distinct()
        .forEach(all::add);
    // how it was before the run says less than how it was meanwhile
    if (all.stream().anyMatch(each -> each.startsWith("Other programs took "))) {
      all.removeIf(each -> each.startsWith("Other programs take "));
    }
    Map<Warning, Integer> warnings = new TreeMap<>();
    report.sections().stream()
        .flatMap(section -> section.groups().stream())
        .flatMap(group -> group.rankings().stream())
        .flatMap(ranking -> ranking.all().stream())
        .flatMap(own -> own.warnings().stream())
        .forEach(each -> warnings.merge(each.warning(), 1, Integer::sum));
    warnings.forEach((warning, count) ->
        all.add(
            "Take with care, %s (%d figure%s): %s."
                .formatted(warning.word(), count, count == 1 ? "" : "s", warning.advice())));
    return all;
  }

  private static boolean aboutTheMachine(Finding own) {
    return own.level() == Finding.Level.WARNING && own.subject().equals("environment");
  }

  /** What else a reader must know of the run as a whole. */
  static List<String> remarks(Report report) {
    List<String> remarks = new ArrayList<>();
    record Why(Absence.Kind kind, String reason) {}

    Map<Why, Set<String>> absent = new LinkedHashMap<>();
    for (ExperimentReport section : report.sections()) {
      for (Absence each : section.absences()) {
        absent
            .computeIfAbsent(new Why(each.kind(), each.reason()), _ -> new LinkedHashSet<>())
            .add(each.configuration());
      }
    }
    report.results().findings().stream()
        .filter(each -> each.level() == Finding.Level.WARNING && !aboutTheMachine(each))
        .map(each -> each.subject() + ": " + each.message() + ".")
        .distinct()
        .forEach(remarks::add);
    absent.forEach((why, names) ->
        remarks.add(
            "%s: %s: %s".formatted(why.kind.words(), String.join(", ", names), why.reason)));
    return remarks;
  }
}
