package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.store.BadArgumentException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A figure as users write it: {@code p99(update)}, {@code disk}.
 *
 * @param text as it was written
 * @param where a phase or a kind of operation; empty for all
 */
public record FigureName(String text, Figure figure, String where) {
  /** A figure, and what it is of. */
  static final String FORM = "([\\w.]+)(?:\\(([^()]+)\\))?";

  private static final Pattern PATTERN = Pattern.compile(FORM);

  /** Short names of figures of the catalogue. */
  private static final Map<String, Figure> SHORT =
      Map.of(
          "throughput", Figures.RATE,
          "cpu", Figures.CPU,
          "heap", Figures.ALLOCATED,
          "disk", Figures.DISK,
          "memory", Figures.MEMORY,
          "written", Figures.WRITTEN);

  /**
   * Reads a figure.
   *
   * @throws BadArgumentException if there is none of that name by which runs are compared
   */
  public static FigureName parse(String text) {
    Matcher parts = PATTERN.matcher(text.strip());
    if (!parts.matches()) {
      throw new BadArgumentException(
          "'%s' is no figure: give one such as throughput, 'p99(update)' or disk".formatted(text));
    }
    String where = parts.group(2);
    return new FigureName(text.strip(), figure(parts.group(1)), where == null ? "" : where);
  }

  private static Figure figure(String name) {
    Figure known = SHORT.get(name);
    return known != null
        ? known
        : Figures.ALL.stream()
            .filter(each -> each.better() != Figure.Better.NONE)
            .filter(each -> each.name().equals(name.replace(".", "")))
            .findFirst()
            .orElseThrow(() ->
                new BadArgumentException(
                    "'%s' is no figure that runs are compared by: give overall, %s, p50, p90, p99, p99.9, max, or a name of docs/results-schema.md"
                        .formatted(
                            name,
                            SHORT.keySet().stream().sorted().collect(Collectors.joining(", ")))));
  }

  /** Whether it is of that; calls such as {@code create} have no throughput, unless named. */
  boolean is(String phase, String operation) {
    return where.isEmpty()
        ? !figure.equals(Figures.RATE) || Trials.workload(phase)
        : where.equals(phase) || where.equals(operation);
  }

  BadArgumentException unknown() {
    return new BadArgumentException("no run has the figure '" + text + "'");
  }
}
