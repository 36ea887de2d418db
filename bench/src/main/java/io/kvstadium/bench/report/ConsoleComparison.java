package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;

/** Lays a comparison out for a terminal of 80 columns. */
public final class ConsoleComparison {
  private ConsoleComparison() {}

  /**
   * The comparison as text, lines ended by {@code \n}.
   *
   * @param ansi whether to use bold and colour: for a terminal, not for a pipe
   */
  public static String render(Comparison comparison, boolean ansi) {
    Ink ink = new Ink(ansi);
    StringBuilder out = new StringBuilder();
    if (!comparison.differences().isEmpty()) {
      out.append(ink.warn("Circumstances differ, which may be the cause of what follows"))
          .append('\n');
      comparison.differences().forEach(text -> wrap(out, "- ", text));
      out.append('\n');
    }
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
    if (!comparison.missing().isEmpty()) {
      out.append('\n').append(ink.bold("Not compared")).append('\n');
      comparison.missing().forEach(text -> wrap(out, "- ", text));
    }
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
