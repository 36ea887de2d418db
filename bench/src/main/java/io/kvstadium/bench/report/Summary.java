package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.report.Table.Cell;
import io.kvstadium.bench.report.Table.Head;
import io.kvstadium.bench.report.Table.Look;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Tone;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Facts;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer on one screen: the question, the ranks, and what a person would conclude from them.
 * Every sentence follows from verdicts.
 */
final class Summary {
  /** The lines of a screen of forty that remain without the file paths at the end. */
  private static final int LINES = 36;

  /** How many of them remarks may take. */
  private static final int REMARKS = 7;

  /** The lines around a table: one above, and two of heads. */
  private static final int HEADS = 3;

  /** The number of lines of a page, which is unlimited. */
  private static final int ENDLESS = 1_000_000;

  /** What the table of ranks shows. */
  private static final String RANKS =
      "Ranks in each phase; those too close to call share one. ×3: three times slower than the"
          + " fastest; without a factor, the difference is not clear.";

  private final List<Block.Term> remarks;
  private final boolean page;
  private int room;
  private int groups;

  private Summary(Report report, Medium medium) {
    this.page = medium == Medium.PAGE;
    List<Block.Term> all = Caveats.of(report, page);
    this.remarks = page ? all : fitting(all, REMARKS, "");
    this.room =
        (page ? ENDLESS : LINES) - 2 - remarks.stream().mapToInt(each -> lines("", each)).sum();
    for (List<ExperimentReport> chapter : report.chapters()) {
      ExperimentReport first = chapter.getFirst();
      groups += sweep(first) ? 1 : first.groups().size();
    }
  }

  /**
   * Makes the screen.
   *
   * @param medium a page begins with the same answer, and has room for all of it
   */
  static Document of(Report report, Medium medium) {
    Results results = report.results();
    Summary summary = new Summary(report, medium);
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

  /** Returns as many of the first terms as fit into the given number of lines. */
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
    MigrationAnswer answer = section.answer();
    if (answer != null) {
      List<Block.Term> all = new ArrayList<>(List.of(answer.answer()));
      all.addAll(answer.details());
      int tables = section.groups().stream().mapToInt(Summary::least).sum();
      int first = lines("    ", all.getFirst());
      List<Block.Term> said = fitting(all, Math.min(room, Math.max(first, room - tables)), "    ");
      said.forEach(each -> room -= lines("    ", each));
      blocks.add(new Block.Terms(said));
    }
    int later = section.groups().stream().mapToInt(Summary::least).sum();
    for (ComparisonGroup group : section.groups()) {
      later -= least(group);
      int share = answer == null ? room / groups : room - later;
      groups--;
      if (share < 2) {
        continue;
      }
      blocks.add(new Text(Style.TITLE, group.title() + extent(group)));
      int left = share - 2;
      List<Block.Term> sentences = sentences(group);
      int lead = sentences.isEmpty() ? 0 : lines("    ", sentences.getFirst());
      int table = group.ran().size() + HEADS;
      if (table + (answer == null ? lead : 0) <= left) {
        blocks.add(page ? table(group, true) : table(group));
        if (page && group.ran().size() > 1) {
          blocks.add(Text.aside(RANKS + ComparisonGroup.legend(group.ran())));
        }
        left -= table;
      }
      List<Block.Term> said = fitting(sentences, left, "    ");
      blocks.add(new Block.Terms(said));
      room -= share - left + said.stream().mapToInt(each -> lines("    ", each)).sum();
    }
    return blocks;
  }

  /** The lines of a group's title and table. */
  private static int least(ComparisonGroup group) {
    return 2 + group.ran().size() + HEADS;
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
        .map(each -> each.getKey() + " " + Facts.text(each.getValue()))
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
    List<Column<String>> columns = new ArrayList<>();
    for (Ranking ranking : rankings) {
      columns.add(
          new Column<>(Head.of(ranking.phase()), name -> cell(ranking, ranking.of(name), factors)));
    }
    return Table.of(Look.RANKS, "ranks", "", columns, names(rankings), Row::of);
  }

  /** All configurations with a place, in the order of the first ranking that has them. */
  static Set<String> names(List<Ranking> rankings) {
    Set<String> names = new LinkedHashSet<>();
    rankings.forEach(ranking -> ranking.standings().forEach(own -> names.add(own.configuration())));
    return names;
  }

  /**
   * The overall ranking first, so that it determines the order, then the phases without open and
   * close.
   */
  static List<Ranking> rankings(ComparisonGroup group) {
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
            ? " " + Units.times(slower.ratio())
            : "";
    Tone tone = own.rank() == 1 ? Tone.GOOD : Tone.PLAIN;
    return Cell.of(own.rank() + factor, tone, own.mark(), "");
  }

  // ---- the sentences

  private static List<Block.Term> sentences(ComparisonGroup group) {
    List<Block.Term> sentences = new ArrayList<>(Limits.of(group.configurations()));
    OverallRanking overall = group.overall();
    if (overall != null) {
      sentences.add(new Block.Term(overall.title(), Sentence.of(overall.places())));
    }
    if (!group.note().isEmpty()) {
      sentences.add(new Block.Term("Durability", group.note()));
    }
    sentences.addAll(Advice.of(group));
    Block.Term flushes = FlushNote.of(group);
    if (flushes != null) {
      sentences.add(flushes);
    }
    return sentences;
  }
}
