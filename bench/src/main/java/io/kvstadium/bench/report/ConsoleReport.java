package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lays a report out for a terminal of 80 columns: verdicts first, then tables, then circumstances.
 */
public final class ConsoleReport {
  private static final int NAME = 28;
  private static final String MARGIN = "  ";

  private final Ink ink;
  private final StringBuilder out = new StringBuilder();

  private ConsoleReport(Ink ink) {
    this.ink = ink;
  }

  /**
   * The report as text, lines ended by {@code \n}.
   *
   * @param ansi whether to use bold and colour: for a terminal, not for a pipe
   */
  public static String render(Report report, boolean ansi) {
    ConsoleReport console = new ConsoleReport(new Ink(ansi));
    console.head(report.results());
    for (List<Section> together : Sweeps.of(report.sections())) {
      if (together.size() > 1) {
        console.sweep(new Sweeps(together));
      } else {
        console.section(together.getFirst());
      }
    }
    console.foot(report.results());
    return console.out.toString();
  }

  private void head(Results results) {
    line(
        ink.bold("Suite " + Ink.clean(results.suite()))
            + (results.complete() ? "" : interrupted()));
    wrapped("", 0, Circumstances.machine(results.machine()));
  }

  private String interrupted() {
    return ink.warn("  interrupted: only what was finished is here");
  }

  private void section(Section section) {
    line("");
    String name = Ink.clean(section.experiment().name());
    wrappedBold(name + ": " + section.experiment().question());
    for (Division division : section.divisions()) {
      verdicts(division);
    }
    for (Division division : section.divisions()) {
      line("");
      wrappedBold(MARGIN + division.title());
      division.boards().forEach(this::board);
      latencies(division);
    }
    costs(section);
    section.published().forEach(this::published);
    absences(section.absences());
  }

  /** The points of a sweep side by side, since one below the other nobody could compare them. */
  private void sweep(Sweeps sweep) {
    line("");
    wrappedBold(Ink.clean(sweep.title()));
    sweep
        .groups()
        .forEach((group, title) -> {
          line("");
          wrapped(MARGIN, 2, title + ":");
          sweep.sentences(group).forEach(text -> wrapped(MARGIN + "- ", 4, text));
          for (String phase : sweep.phases(group)) {
            line("");
            line(
                MARGIN + ink.bold(Ink.clean(phase)) + ink.dim("  median, by " + sweep.parameter()));
            sweep.grid(ink, group, phase).lines().forEach(this::line);
            sweep.marks(group, phase).forEach(text -> wrapped(MARGIN + "! ", 4, text));
            sweep.projections(group, phase).forEach(text -> wrapped(MARGIN + "~ ", 4, text));
          }
        });
    line("");
    wrapped(MARGIN, 2, Sweeps.LEGEND);
    for (Sweeps.Cost cost : Sweeps.Cost.ALL) {
      Grid grid = sweep.costs(ink, cost);
      if (grid != null) {
        line("");
        line(MARGIN + ink.bold(cost.title()) + ink.dim("  median, by " + sweep.parameter()));
        grid.lines().forEach(this::line);
      }
    }
    sweep.published().forEach(this::published);
    absences(sweep.absences());
  }

  private void verdicts(Division division) {
    line("");
    wrapped(MARGIN, 2, division.title() + ": " + division.headline());
    if (!division.note().isEmpty()) {
      wrapped(MARGIN, 2, division.note());
    }
    overview(division);
    if (division.boards().stream().allMatch(board -> board.cells().size() < 2)) {
      return;
    }
    division.verdicts().forEach((of, sentence) -> wrapped(MARGIN + "- ", 4, of + ": " + sentence));
  }

  private void overview(Division division) {
    List<String> lines = Overview.lines(division);
    if (lines.isEmpty()) {
      return;
    }
    line("");
    line(ink.bold(lines.getFirst()));
    lines.stream().skip(1).forEach(this::line);
    line(ink.dim(MARGIN + "* fastest   = no difference shown from the highest median"));
    line("");
  }

  private void board(Board board) {
    line("");
    line(
        MARGIN
            + ink.bold(Ink.left(Ink.clean(board.phase()), NAME))
            + ink.dim(Ink.right("median", 10) + Ink.right("±", 8) + "  against the first"));
    for (Cell cell : board.cells()) {
      double spread = cell.rate().spread();
      String figures =
          Ink.right(board.figure(cell), 10)
              + Ink.right(Double.isNaN(spread) ? "n = 1" : Units.percent(spread), 8)
              + "  ";
      String standing = board.standing(cell);
      boolean fits = NAME + figures.length() + standing.length() + 2 <= Ink.WIDTH;
      line(named(cell.configuration()) + figures + (fits ? colour(board, cell, standing) : ""));
      if (!fits) {
        wrapped("      ", 6, standing);
      }
      for (Mark mark : cell.marks()) {
        wrapped("      ! ", 8, mark.word() + ": " + mark.explanation());
      }
    }
  }

  private String colour(Board board, Cell cell, String standing) {
    return switch (cell.verdict()) {
      case Verdict.Slower _ -> ink.bad(standing);
      case Verdict.Faster _ -> ink.good(standing);
      case null -> board.decided() ? ink.good(standing) : standing;
      default -> standing;
    };
  }

  private void latencies(Division division) {
    for (Board board : division.boards()) {
      if (board.cells().stream().noneMatch(Cell::hasLatencies)) {
        continue;
      }
      line("");
      String title = "latency: " + Ink.clean(board.phase());
      line(
          MARGIN
              + ink.bold(Ink.left(title, NAME))
              + ink.dim(
                  LatencyColumns.SHORT.stream()
                      .map(column -> Ink.right(column.head(), 10))
                      .collect(Collectors.joining())));
      for (Cell cell : board.cells()) {
        String name = cell.configuration();
        if (cell.pacing() == null) {
          percentiles(name, cell.latencies());
        } else {
          percentiles(name + ", response", cell.felt());
          percentiles(name + ", service", cell.latencies());
        }
      }
    }
  }

  private void percentiles(String name, @Nullable Latencies latencies) {
    if (latencies == null) {
      return;
    }
    StringBuilder row = new StringBuilder(named(name));
    Column.texts(LatencyColumns.SHORT, latencies).forEach(text -> row.append(Ink.right(text, 10)));
    line(row.toString());
    if (!latencies.single()) {
      wrapped("      ! ", 8, LatencyColumns.note(latencies));
    }
  }

  private void costs(Section section) {
    if (section.costs().isEmpty()) {
      return;
    }
    line("");
    line(
        MARGIN
            + ink.bold(Ink.left("costs", NAME))
            + ink.dim(
                Ink.right("disk/live", 10)
                    + Ink.right("at rest", 9)
                    + Ink.right("written", 9)
                    + Ink.right("memory", 10)
                    + Ink.right("re-open", 10)));
    for (Costs costs : section.costs()) {
      line(
          named(costs.configuration())
              + Ink.right(CostTexts.ratio(costs.amplification()), 10)
              + Ink.right(CostTexts.ratio(costs.settledAmplification()), 9)
              + Ink.right(CostTexts.ratio(costs.writeAmplification()), 9)
              + Ink.right(CostTexts.bytes(costs.anonymousBytes()), 10)
              + Ink.right(CostTexts.time(costs.openAfterKillNanos()), 10));
    }
    line(
        MARGIN
            + ink.dim(
                "disk, also when closed, and writes per byte of data; re-open: after a kill"));
  }

  private void published(PublishedTable table) {
    line("");
    wrappedBold(MARGIN + "As published: " + table.title());
    Grid.of(ink, table).lines().forEach(this::line);
    wrapped(MARGIN, 2, table.note());
    table.remarks().forEach(remark -> wrapped(MARGIN + "– ", 4, remark));
  }

  private void absences(List<Absence> absences) {
    if (absences.isEmpty()) {
      return;
    }
    line("");
    line(MARGIN + ink.bold("Not measured"));
    for (Absence absence : absences) {
      String who = absence.configuration() + ", " + absence.what() + ": ";
      wrapped(MARGIN + "- ", 4, who + absence.reason());
    }
  }

  private void foot(Results results) {
    Audit audit = results.audit();
    line("");
    wrapped("", 0, Circumstances.INTERVALS);
    if (audit != null) {
      wrapped("", 0, Circumstances.audit(audit));
    }
    for (Finding finding : results.findings()) {
      String level = finding.level().name().toLowerCase(Locale.ROOT);
      wrapped("", 2, level + ", " + finding.subject() + ": " + finding.message());
    }
    wrapped("", 0, Circumstances.run(results));
  }

  /** The name in its column, or on a line of its own if it is too long for that. */
  private static String named(@Nullable String configuration) {
    String name = Ink.clean(configuration == null ? "" : configuration);
    if (name.length() < NAME) {
      return MARGIN + Ink.left(name, NAME);
    }
    return MARGIN + name + "\n" + MARGIN + Ink.left("", NAME);
  }

  private void wrappedBold(String text) {
    int margin = text.length() - text.stripLeading().length();
    Ink.wrap(" ".repeat(margin), margin, text).forEach(line -> line(ink.bold(line)));
  }

  private void wrapped(String first, int indent, String text) {
    Ink.wrap(first, indent, text).forEach(this::line);
  }

  private void line(String text) {
    out.append(text.stripTrailing()).append('\n');
  }
}
