package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Grid.Tone;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lays a comparison out for a terminal of 80 columns. */
public final class ConsoleComparison {
  private static final String TOTALS = "Overall, phases alike";

  private ConsoleComparison() {}

  /**
   * Any number of runs as text: two as below; of more, each phase has one line with a column for
   * each run, and columns that do not fit follow below.
   *
   * @param ansi whether to use bold and colour: for a terminal, not for a pipe
   */
  public static String render(Comparisons runs, boolean ansi) {
    if (runs.pairs().size() == 1) {
      return render(runs.pairs().getFirst(), ansi);
    }
    Ink ink = new Ink(ansi);
    StringBuilder out = new StringBuilder();
    differences(out, ink, runs.differences());
    Grid grid = new Grid(ink, "", runs.names().stream().map(Ink::clean).toList());
    String head = "";
    for (var subject : runs.subjects().entrySet()) {
      String own = subject.getKey().head();
      if (!own.equals(head)) {
        grid.head(own);
        head = own;
      }
      grid.row(subject.getKey().phase(), cells(subject.getValue()));
    }
    grid.lines().forEach(line -> out.append(line.stripTrailing()).append('\n'));
    totals(out, ink, runs);
    out.append('\n');
    wrap(out, "", runs.legend());
    missing(out, ink, runs.missing());
    return out.toString();
  }

  private static void totals(StringBuilder out, Ink ink, Comparisons runs) {
    if (runs.totals().isEmpty()) {
      return;
    }
    out.append('\n').append(ink.bold(TOTALS)).append('\n');
    Grid grid = new Grid(ink, "", runs.names().stream().skip(1).map(Ink::clean).toList());
    runs.totals()
        .forEach((subject, totals) ->
            grid.row(
                subject.head(),
                totals.stream()
                    .map(total ->
                        total == null
                            ? new Grid.Cell(PublishedTable.MISSING, Tone.PLAIN)
                            : cell("", total.overall().verdict()))
                    .toList()));
    grid.lines().forEach(line -> out.append(line.stripTrailing()).append('\n'));
  }

  private static List<Grid.Cell> cells(List<Comparison.@Nullable Line> lines) {
    List<Grid.Cell> cells = new ArrayList<>();
    for (Comparison.Line line : lines) {
      if (line != null && cells.isEmpty()) {
        cells.add(new Grid.Cell(line.figure(line.before()), Tone.PLAIN));
      }
    }
    for (Comparison.Line line : lines) {
      cells.add(
          line == null
              ? new Grid.Cell(PublishedTable.MISSING, Tone.PLAIN)
              : cell(line.figure(line.after()) + " ", line.verdict()));
    }
    return cells;
  }

  private static Grid.Cell cell(String figure, Verdict verdict) {
    return new Grid.Cell(
        figure + Comparisons.brief(verdict),
        switch (verdict) {
          case Verdict.Faster _ -> Tone.GOOD;
          case Verdict.Slower _ -> Tone.BAD;
          default -> Tone.PLAIN;
        });
  }

  private static void differences(StringBuilder out, Ink ink, List<String> differences) {
    if (!differences.isEmpty()) {
      out.append(ink.warn("Circumstances differ, which may be the cause of what follows"))
          .append('\n');
      differences.forEach(text -> wrap(out, "- ", text));
      out.append('\n');
    }
  }

  private static void missing(StringBuilder out, Ink ink, List<String> missing) {
    if (!missing.isEmpty()) {
      out.append('\n').append(ink.bold("Not compared")).append('\n');
      missing.forEach(text -> wrap(out, "- ", text));
    }
  }

  /**
   * The comparison as text, lines ended by {@code \n}.
   *
   * @param ansi whether to use bold and colour: for a terminal, not for a pipe
   */
  public static String render(Comparison comparison, boolean ansi) {
    Ink ink = new Ink(ansi);
    StringBuilder out = new StringBuilder();
    differences(out, ink, comparison.differences());
    if (comparison.lines().isEmpty()) {
      out.append("The two have nothing in common that could be compared.\n");
    }
    int width = comparison.lines().stream().mapToInt(line -> line.phase().length()).max().orElse(0);
    String head = "";
    for (Comparison.Line line : comparison.lines()) {
      String own = Ink.clean(line.experiment() + ", " + line.configuration());
      if (!own.equals(head)) {
        out.append(head.isEmpty() ? "" : "\n").append(ink.bold(own));
        out.append(line.paired() ? "" : ink.dim("  (other data: trials are not paired)"));
        out.append('\n');
        head = own;
      }
      row(out, ink, line, width);
    }
    if (!comparison.overall().isEmpty()) {
      out.append('\n').append(ink.bold(TOTALS)).append('\n');
      for (Comparison.Total total : comparison.overall()) {
        wrap(
            out,
            "- ",
            total.experiment() + ", " + total.configuration() + ", " + total.overall().words());
      }
    }
    missing(out, ink, comparison.missing());
    return out.toString();
  }

  private static void row(StringBuilder out, Ink ink, Comparison.Line line, int width) {
    String figures =
        "  "
            + Ink.left(Ink.clean(line.phase()), width)
            + Ink.right(line.figure(line.before()), 10)
            + " → "
            + Ink.left(line.figure(line.after()), 11);
    String words = line.verdict().words();
    if (figures.length() + words.length() <= Ink.WIDTH) {
      out.append(figures).append(paint(ink, line.verdict(), words)).append('\n');
    } else {
      out.append(figures.stripTrailing()).append('\n');
      wrap(out, "      ", words);
    }
  }

  private static String paint(Ink ink, Verdict verdict, String words) {
    return switch (verdict) {
      case Verdict.Faster _ -> ink.good(words);
      case Verdict.Slower _ -> ink.bad(words);
      default -> words;
    };
  }

  private static void wrap(StringBuilder out, String first, String text) {
    Ink.wrap(first, first.length(), text).forEach(line -> out.append(line).append('\n'));
  }
}
