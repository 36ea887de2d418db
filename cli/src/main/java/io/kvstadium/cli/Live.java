package io.kvstadium.cli;

import io.kvstadium.bench.report.LiveRanking;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.run.Plan;
import io.kvstadium.bench.run.Watcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a run: on a terminal a few lines that are redrawn continually (the ranks so
 * far, who left the race, what is running, the time left), elsewhere a line on standard error for
 * each heat.
 */
final class Live implements Watcher, AutoCloseable {
  private static final int BAR = 30;

  /** The size assumed for a terminal that does not report one. */
  static final Size USUAL = Size.of(80, 24);

  private final @Nullable Terminal terminal;
  private @Nullable Display display;
  private volatile boolean resized = true;
  private boolean drawn;
  private String heading = "";
  private String prepared = "";
  private Size size = USUAL;
  private int heats;
  private List<String> ranking = List.of();
  private final List<String> gone = new ArrayList<>();

  /**
   * @param quiet whether standard output must stay clean, so that nothing is drawn on it
   */
  Live(boolean quiet) {
    try {
      terminal =
          !quiet && UserTerminal.draws()
              ? TerminalBuilder.builder()
                  .system(true)
                  .dumb(true)
                  .encoding(StandardCharsets.UTF_8)
                  .graphemeCluster(false) // else it would query the terminal
                  .nativeSignals(false) // else Ctrl-C would not end the run
                  .build()
              : null;
    } catch (IOException e) {
      throw new UncheckedIOException("the terminal cannot be used", e);
    }
    display = terminal == null ? null : new Display(terminal, false);
    if (terminal != null) {
      Signals.register("WINCH", () -> resized = true);
    }
  }

  /**
   * Says what is about to run.
   *
   * @param before how many trials are done already
   */
  void begin(Plan plan, int before) {
    int configurations =
        plan.suite().experiments().stream().mapToInt(each -> each.configurations().size()).sum();
    heading =
        "Suite "
            + plan.suite().name()
            + ": "
            + configurations
            + (configurations == 1 ? " configuration, " : " configurations, ")
            + PlanText.extent(plan);
    say(heading);
    heats = plan.races() ? 0 : plan.heats();
    if (before > 0) {
      int all = plan.heats() * plan.entrants().size();
      say(before + (plan.races() ? "" : " of " + all) + " trials are already done");
    }
    Plan.LeftOut.lines(plan.leftOut()).forEach(line -> say("skipped " + line));
    plan.findings().stream()
        .filter(finding -> finding.level() == Finding.Level.WARNING)
        .forEach(finding -> say(finding.subject() + ": " + finding.message()));
  }

  @Override
  public void preparing(String what, String detail, double done, double secondsLeft) {
    if (terminal == null && !what.equals(prepared)) {
      System.err.println(what);
    }
    prepared = what;
    draw(done, what + ": " + detail, secondsLeft);
  }

  /** Prints lines that stay on the screen. */
  private void say(String text) {
    for (String line : Lines.wrap("", text)) {
      if (terminal == null) {
        System.err.println(line);
      } else {
        terminal.writer().println(line);
      }
    }
    if (terminal != null) {
      terminal.flush();
    }
  }

  @Override
  public void progress(
      String configuration, int number, String phase, double done, double secondsLeft) {
    draw(done, configuration + ", trial " + number + ": " + phase, secondsLeft);
  }

  @Override
  public void trialEnded(Results results) {
    if (terminal != null) { // the ranking is only shown there
      ranking = LiveRanking.lines(results);
    }
  }

  @Override
  public void heatEnded(int heat, List<String> left, int present) {
    String told =
        "heat "
            + heat
            + (heats > 0 ? " of " + heats : "")
            + " done"
            + (left.isEmpty()
                ? ""
                : "; left the race: " + String.join(", ", left) + "; " + present + " remain");
    if (terminal == null) {
      Lines.wrap("", told).forEach(System.err::println);
    } else if (!left.isEmpty()) {
      gone.addAll(Lines.wrap("", told));
    }
  }

  private void draw(double done, String what, double secondsLeft) {
    if (terminal == null || display == null) {
      return;
    }
    Display current = fitted(terminal, display);
    int filled = (int) Math.round(BAR * done);
    String bar = "#".repeat(filled) + ".".repeat(BAR - filled);
    List<AttributedString> lines = new ArrayList<>();
    // Two lines come below it, and one stays free; otherwise the terminal would scroll.
    int room = Math.max(0, size.getRows() - 3);
    Stream.concat(ranking.stream(), gone.stream())
        .limit(room)
        .forEach(line -> lines.add(cut(line)));
    lines.add(cut("[" + bar + "] " + PlanText.duration(secondsLeft) + " left"));
    lines.add(cut("  " + what));
    current.update(lines, -1);
  }

  /** Asks for the size only when it may have changed, because that starts a process. */
  private Display fitted(Terminal of, Display before) {
    if (!resized) {
      return before;
    }
    resized = false;
    Size now = of.getSize();
    size = now.getColumns() > 0 && now.getRows() > 0 ? now : USUAL;
    Display fitting = before;
    if (drawn) {
      // The terminal has rewrapped the lines, so their positions and the cursor's are unknown.
      of.puts(Capability.clear_screen);
      say(heading);
      fitting = new Display(of, false);
    }
    drawn = true;
    fitting.resize(size);
    display = fitting;
    return fitting;
  }

  /** The last column stays free, because terminals differ in what they do after it. */
  private AttributedString cut(String line) {
    return new AttributedString(Lines.cut(line, size.getColumns() - 1));
  }

  @Override
  public void close() {
    clear();
  }

  /** Removes its lines. */
  void clear() {
    if (terminal != null && display != null) {
      display.update(List.of(), 0);
      terminal.flush();
    }
  }
}
