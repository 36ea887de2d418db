package io.kvstadium.cli;

import io.kvstadium.bench.report.Ranking;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.run.Plan;
import io.kvstadium.bench.run.Watcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/**
 * Shows how a run gets on: on a terminal a few lines that are drawn again and again (what runs, how
 * long still, the ranking so far), elsewhere a line on standard error for each trial.
 */
final class Live implements Watcher, AutoCloseable {
  private static final int BAR = 30;
  private static final int WIDTH = 79;

  private final @Nullable Terminal terminal;
  private final @Nullable Display display;
  private int trials;
  private int ended;
  private boolean ranked;
  private List<String> ranking = List.of();

  /**
   * @param quiet whether standard output must stay clean, so that nothing is drawn on it
   */
  Live(boolean quiet) {
    boolean draws = !quiet && Ansi.AUTO.enabled();
    try {
      terminal =
          draws
              ? TerminalBuilder.builder().system(true).dumb(true).nativeSignals(false).build()
              : null;
    } catch (IOException e) {
      throw new UncheckedIOException("the terminal cannot be used", e);
    }
    display = terminal == null ? null : new Display(terminal, false);
  }

  /** Says what is about to run. */
  void begin(Plan plan) {
    int configurations =
        plan.suite().experiments().stream().mapToInt(each -> each.configurations().size()).sum();
    trials = configurations * plan.suite().trials();
    String line =
        "Suite "
            + plan.suite().name()
            + ": "
            + configurations
            + " configurations, "
            + plan.suite().trials()
            + " trials each, about "
            + PlanText.duration(plan.seconds());
    if (terminal == null) {
      System.err.println(line);
    } else {
      terminal.writer().println(line);
      terminal.flush();
    }
    plan.skipped().forEach((name, reason) -> System.err.println("skipped " + name + ": " + reason));
    draw(0, "measuring the harness itself", plan.seconds());
  }

  @Override
  public void progress(
      String configuration, int number, String phase, double done, double secondsLeft) {
    draw(done, configuration + ", trial " + number + ": " + phase, secondsLeft);
  }

  @Override
  public void trialEnded(Results results) {
    ended++;
    List<String> lines = Ranking.lines(results);
    boolean first = !ranked && !lines.isEmpty();
    if (!lines.isEmpty()) {
      ranking = lines;
      ranked = true;
    }
    if (terminal == null) {
      System.err.println("trial " + ended + " of " + trials + " done");
      if (first) {
        ranking.forEach(System.err::println);
      }
    }
  }

  private void draw(double done, String what, double secondsLeft) {
    if (terminal == null || display == null) {
      return;
    }
    int filled = (int) Math.round(BAR * done);
    List<AttributedString> lines = new ArrayList<>();
    for (String line : ranking) {
      lines.add(cut(line));
    }
    lines.add(
        cut(
            "["
                + "#".repeat(filled)
                + ".".repeat(BAR - filled)
                + "] "
                + PlanText.duration(secondsLeft)
                + " left"));
    lines.add(cut("  " + what));
    display.resize(terminal.getHeight(), terminal.getWidth());
    display.update(lines, -1);
  }

  private static AttributedString cut(String line) {
    return new AttributedString(line.length() > WIDTH ? line.substring(0, WIDTH) : line);
  }

  @Override
  public void close() {
    clear();
  }

  /** Takes its lines away. */
  void clear() {
    if (terminal != null && display != null) {
      display.update(List.of(), 0);
      terminal.flush();
    }
  }
}
