package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.Comparison;
import io.kvstadium.bench.report.ComparisonText;
import io.kvstadium.bench.report.CsvReport;
import io.kvstadium.bench.report.HtmlComparison;
import io.kvstadium.bench.report.Thresholds;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/** How runs are compared, and which changes fail the command. */
final class GateOptions {
  private static final String NEVER = "never";
  private static final int BROKEN = 1;
  private static final int CANNOT_TELL = 3; // 2 is a user's mistake
  private static final int MAX_OPEN = 5;

  @Option(
      names = "--fail-on",
      paramLabel = "never|slower|CONDITIONS",
      description = {
        "Exit with 1 if a later run breaks a condition or lacks a figure; with 3 if the runs cannot"
            + " tell (default: ${DEFAULT-VALUE}). slower: any phase is, by more than --margin."
            + " Otherwise figures and by how much they may get worse:"
            + " 'p99(update)>10%%,throughput<-5%%,disk>20%%'."
      },
      defaultValue = NEVER)
  private String failOn;

  @Option(
      names = "--margin",
      paramLabel = "PERCENT",
      description = {
        "How much the machine itself may have changed between the runs: only larger changes count"
            + " as slower or faster, smaller ones as the same (default: 7, and 0 in the same"
            + " rounds; use less on a dedicated machine)."
      })
  private @Nullable Double margin;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Writes a page of the comparison: what differs, what changed, latencies over each other.")
  private @Nullable Path html;

  /** Refuses what is wrong with it, before anything is read or measured. */
  void check() {
    Thresholds ignored = thresholds();
    factor(false);
    Path parent = html == null ? null : html.toAbsolutePath().getParent();
    if (html != null && (Files.isDirectory(html) || parent == null || !Files.isDirectory(parent))) {
      throw new BadArgumentException(
          "--html " + html + ": give a file in a directory that is there");
    }
  }

  private @Nullable Thresholds thresholds() {
    return failOn.equals(NEVER) ? null : Thresholds.parse(failOn);
  }

  /** Whether the user said anything about it. */
  boolean isGiven() {
    return margin != null || html != null || !failOn.equals(NEVER);
  }

  /** The factor by which the machine may have changed: between the same rounds it has not. */
  private double factor(boolean interleaved) {
    if (margin == null) {
      return interleaved ? 1 : Comparison.MARGIN;
    }
    if (!(margin >= 0 && margin < 1_000)) {
      throw new BadArgumentException("--margin " + margin + ": give a percentage, 0 or more");
    }
    return 1 + margin / 100;
  }

  /**
   * Prints what changed.
   *
   * @param runs the first is the baseline
   * @return the exit code
   * @throws BadArgumentException if they cannot be compared
   */
  int judge(List<NamedRun> runs, Format format) {
    Thresholds thresholds = thresholds();
    Comparison comparison = comparison(runs);
    Thresholds.Result result = thresholds == null ? null : thresholds.check(comparison, runs);
    System.out.print(
        switch (format) {
          case TABLE -> new ComparisonText(comparison).text(Ansi.AUTO.enabled());
          case JSON -> comparison.toJson();
          case CSV -> CsvReport.render(comparison);
          case MARKDOWN -> new ComparisonText(comparison).markdown();
        });
    if (html != null) {
      Reports.write(HtmlComparison.render(comparison, runs, result), html, "the page");
      if (format == Format.TABLE) {
        System.out.println("Page: " + html);
      }
    }
    return result == null ? 0 : exit(result);
  }

  /** Refuses conditions on what a suite does not have. */
  void refuseUnknown(Suite suite) {
    Thresholds thresholds = thresholds();
    if (thresholds != null) {
      thresholds.requirePlaces(suite);
    }
  }

  /** Refuses runs that cannot be compared, or of which no condition can be judged. */
  void refuseBlind(List<NamedRun> runs) {
    Comparison comparison = comparison(runs);
    Thresholds thresholds = thresholds();
    if (thresholds != null) {
      Thresholds.Result _ = thresholds.check(comparison, runs);
    }
  }

  private Comparison comparison(List<NamedRun> runs) {
    Comparison comparison = Comparison.of(runs, factor(runs.getFirst().interleaved()));
    if (!comparison.any()) {
      throw new BadArgumentException(
          String.join(" and ", comparison.names())
              + " have no figure in common: give runs of one suite on the same engines");
    }
    return comparison;
  }

  private static int exit(Thresholds.Result result) {
    if (!result.broken().isEmpty()) {
      System.err.println("stadium: broken (--fail-on):");
      result.broken().forEach(each -> System.err.println("  " + each));
      return BROKEN;
    }
    if (result.open().isEmpty()) {
      return 0;
    }
    System.err.printf(
        "stadium: these runs cannot tell of %d of %d figures whether a condition is broken"
            + " (--fail-on):%n",
        result.open().size(), result.judged());
    result.open().stream().limit(MAX_OPEN).forEach(each -> System.err.println("  " + each));
    if (result.open().size() > MAX_OPEN) {
      System.err.printf("  and %d more%n", result.open().size() - MAX_OPEN);
    }
    List<Integer> more = result.trials();
    System.err.println(
        more.isEmpty()
            ? "More trials alone would not tell: measure on a quieter machine, or allow more."
            : "If the figures stay, about %d more trials of each run would tell half of them, and %d %s; a quieter machine needs fewer."
                .formatted(
                    more.get((more.size() - 1) / 2),
                    more.getLast(),
                    more.size() == result.open().size()
                        ? "all"
                        : "all but " + (result.open().size() - more.size())));
    return CANNOT_TELL;
  }
}
