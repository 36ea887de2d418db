package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Head;
import io.kvstadium.bench.report.Table.Look;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Tone;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer on one screen: what was asked, who is where at what, and what a person would say of
 * it. Every sentence follows from verdicts.
 */
final class Summary {
  /** Of a screen of forty lines, without what follows: where the files are. */
  private static final int LINES = 36;

  /** What remarks may take of them. */
  private static final int REMARKS = 7;

  /** Around a table: a line above, and two of heads. */
  private static final int HEADS = 3;

  /** Longer lists are counted out instead. */
  private static final int NAMED = 3;

  private static final int WARNINGS = 2;
  private static final int REMARK = 130;

  private final List<Block.Term> remarks;
  private int room;
  private int groups;

  private Summary(Report report) {
    this.remarks = fitting(remarks(report), REMARKS, "");
    this.room = LINES - 2 - remarks.stream().mapToInt(each -> lines("", each)).sum();
    for (List<ExperimentReport> chapter : report.chapters()) {
      ExperimentReport first = chapter.getFirst();
      groups += sweep(first) ? 1 : first.groups().size();
    }
  }

  static Document of(Report report) {
    Results results = report.results();
    Summary summary = new Summary(report);
    List<Document.Section> sections = new ArrayList<>();
    int left = 0;
    for (List<ExperimentReport> chapter : report.chapters()) {
      ExperimentReport first = chapter.getFirst();
      ExperimentResult experiment = first.experiment();
      Document.Section section =
          sweep(first)
              ? SweepDocument.section(Sweep.of(chapter))
              : new Document.Section(
                  ReportDocument.name(experiment.name(), experiment),
                  experiment.question(),
                  List.of(),
                  List.of());
      int heads = 1 + lines("", section.title()) + lines("  ", data(experiment));
      if (summary.room <= heads) {
        left++;
        continue;
      }
      summary.room -= heads;
      List<Block> blocks = new ArrayList<>();
      blocks.add(Text.aside(data(experiment)));
      blocks.addAll(sweep(first) ? summary.glance(section) : summary.blocks(first));
      sections.add(new Document.Section(section.name(), section.question(), List.of(), blocks));
    }
    List<Block.Term> closing = new ArrayList<>(summary.remarks);
    if (left > 0) {
      closing.add(new Block.Term("", left + " more parts: --details"));
    }
    return new Document(
        "Suite " + results.suite(),
        "",
        results.complete() ? "" : "Interrupted: this shows only what was finished.",
        List.of(),
        sections,
        List.of(new Block.Terms(closing)));
  }

  private static boolean sweep(ExperimentReport section) {
    return section.experiment().point() != null;
  }

  private static int lines(String margin, String text) {
    return Ink.wrap(margin, margin.length(), text).size();
  }

  private static int lines(String margin, Block.Term term) {
    return lines(margin, Words.join(": ", term.name(), term.text()));
  }

  /** As many of the first as so many lines hold. */
  private static List<Block.Term> fitting(List<Block.Term> terms, int room, String margin) {
    List<Block.Term> fitting = new ArrayList<>();
    int left = room;
    for (Block.Term each : terms) {
      int own = lines(margin, each);
      if (own <= left) {
        left -= own;
        fitting.add(each);
      }
    }
    return fitting;
  }

  private List<Block> glance(Document.Section section) {
    List<Block.Term> terms = fitting(section.glance(), room / groups, "    ");
    groups--;
    terms.forEach(each -> room -= lines("    ", each));
    return List.of(new Block.Terms(terms));
  }

  private List<Block> blocks(ExperimentReport section) {
    List<Block> blocks = new ArrayList<>();
    for (ComparisonGroup group : section.groups()) {
      int share = room / groups;
      groups--;
      if (share < 2) {
        continue;
      }
      blocks.add(new Text(Style.TITLE, group.title() + extent(group)));
      int left = share - 2;
      List<Block.Term> sentences = sentences(group);
      int answer = sentences.isEmpty() ? 0 : lines("    ", sentences.getFirst());
      int table = group.ran().size() + HEADS;
      if (table + answer <= left) {
        blocks.add(table(group));
        left -= table;
      }
      List<Block.Term> said = fitting(sentences, left, "    ");
      blocks.add(new Block.Terms(said));
      room -= share - left + said.stream().mapToInt(each -> lines("    ", each)).sum();
    }
    return blocks;
  }

  static String extent(ComparisonGroup group) {
    IntSummaryStatistics trials =
        group.ran().stream().mapToInt(own -> Trials.good(own).size()).summaryStatistics();
    String least = trials.getMin() < trials.getMax() ? Math.max(0, trials.getMin()) + " to " : "";
    return ", %d configuration%s, %s%d trial%s each"
        .formatted(
            group.ran().size(),
            group.ran().size() == 1 ? "" : "s",
            least,
            Math.max(0, trials.getMax()),
            trials.getMax() == 1 ? "" : "s");
  }

  private static String data(ExperimentResult experiment) {
    return experiment.data().entrySet().stream()
        .filter(each -> !each.getKey().equals("seed"))
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  // ---- the table

  static Table table(ComparisonGroup group) {
    Table wide = table(group, true);
    return new Grid(new Ink(false), wide).fits() ? wide : table(group, false);
  }

  /** A row for each configuration in the order of ranks, a column for each phase. */
  private static Table table(ComparisonGroup group, boolean factors) {
    List<Ranking> rankings = rankings(group);
    List<String> names = new ArrayList<>();
    rankings.forEach(ranking -> ranking.standings().forEach(own -> add(names, own)));
    List<Column<String>> columns = new ArrayList<>();
    for (Ranking ranking : rankings) {
      columns.add(
          new Column<>(Head.of(ranking.phase()), name -> cell(ranking, ranking.of(name), factors)));
    }
    return Table.of(Look.RANKS, "ranks", "", columns, names, Row::of);
  }

  private static void add(List<String> names, Ranking.Place own) {
    if (!names.contains(own.configuration())) {
      names.add(own.configuration());
    }
  }

  /** That over all phases first, so that it gives the order; neither open nor close. */
  private static List<Ranking> rankings(ComparisonGroup group) {
    List<Ranking> rankings = new ArrayList<>();
    if (group.overall() != null) {
      rankings.add(group.overall());
    }
    group.rankings().stream().filter(own -> Trials.workload(own.phase())).forEach(rankings::add);
    return rankings;
  }

  private static Cell cell(Ranking ranking, Ranking.@Nullable Place own, boolean factors) {
    if (own == null) {
      return Cell.of(Table.MISSING);
    }
    if (ranking.standings().size() == 1) {
      return Cell.of(own.text(), Tone.PLAIN, own.mark(), "");
    }
    String factor =
        factors && own.verdict() instanceof Verdict.Slower slower
            ? " " + times(slower.ratio())
            : "";
    Tone tone = own.rank() == 1 ? Tone.GOOD : Tone.PLAIN;
    return Cell.of(own.rank() + factor, tone, own.mark(), "");
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, ratio < 9.95 ? "×%.1f" : "×%.0f", ratio);
  }

  // ---- the sentences

  private static List<Block.Term> sentences(ComparisonGroup group) {
    List<Block.Term> sentences = new ArrayList<>();
    OverallRanking overall = group.overall();
    if (overall != null) {
      sentences.add(new Block.Term("All phases alike", Sentence.of(overall.places())));
    }
    if (!group.note().isEmpty()) {
      sentences.add(new Block.Term("Durability", group.note()));
    }
    sentences.addAll(Advice.of(group));
    return sentences;
  }

  // ---- what to know

  private static List<Block.Term> remarks(Report report) {
    List<Block.Term> remarks = new ArrayList<>();
    Map<String, Integer> marks = new TreeMap<>();
    report.sections().stream()
        .flatMap(section -> section.groups().stream())
        .flatMap(group -> group.rankings().stream())
        .flatMap(ranking -> ranking.standings().stream())
        .flatMap(own -> own.warnings().stream())
        .forEach(each -> marks.merge(each.word(), 1, Integer::sum));
    if (!marks.isEmpty()) {
      String all =
          marks.entrySet().stream()
              .map(each -> each.getKey() + " " + each.getValue())
              .collect(Collectors.joining(", "));
      remarks.add(new Block.Term("Figures to take with care", all + " (--details says which)"));
    }
    Set<String> skipped = new LinkedHashSet<>();
    report.sections().stream()
        .flatMap(section -> section.experiment().configurations().stream())
        .filter(each -> each.skipped() != null)
        .forEach(each -> skipped.add(each.name()));
    if (!skipped.isEmpty()) {
      remarks.add(new Block.Term("Not measured (--details says why)", String.join(", ", skipped)));
    }
    Map<String, List<String>> absent = new LinkedHashMap<>();
    report.sections().stream()
        .flatMap(section -> section.absences().stream())
        .filter(each -> !skipped.contains(each.configuration()))
        .forEach(each -> {
          List<String> names = absent.computeIfAbsent(each.reason(), _ -> new ArrayList<>());
          if (!names.contains(each.configuration())) {
            names.add(each.configuration());
          }
        });
    absent.entrySet().stream()
        .limit(NAMED)
        .forEach(each ->
            remarks.add(
                new Block.Term(
                    "Failed", String.join(", ", each.getValue()) + ": " + cut(each.getKey()))));
    List<String> warnings =
        report.results().findings().stream()
            .filter(each -> each.level() == Finding.Level.WARNING)
            .map(Finding::message)
            .distinct()
            .toList();
    warnings.stream()
        .limit(WARNINGS)
        .forEach(each -> remarks.add(new Block.Term("Warning", cut(each))));
    int more = Math.max(0, warnings.size() - WARNINGS) + Math.max(0, absent.size() - NAMED);
    if (more > 0) {
      remarks.add(new Block.Term("", "and " + more + " more: --details"));
    }
    return remarks;
  }

  private static String cut(String text) {
    return text.length() <= REMARK ? text : text.substring(0, REMARK).strip() + " …";
  }
}
