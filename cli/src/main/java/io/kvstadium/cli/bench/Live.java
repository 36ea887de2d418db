package io.kvstadium.cli.bench;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.run.Watcher;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.UserTerminal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jline.utils.Signals;

/**
 * Shows the progress of a run: on a terminal a few lines that are redrawn continually (who has no
 * more trials, what is running, the time left), elsewhere a line on standard error for each round.
 */
final class Live implements Watcher, AutoCloseable {
  private static final int BAR = 30;
  private static final String UP = "\033[A";
  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_BELOW = "\033[J";
  private static final String CLEAR_SCREEN = "\033[H\033[J";

  private final boolean terminal;
  private volatile boolean resized = true;
  private UserTerminal.Size size = UserTerminal.Size.USUAL;
  private int drawn;
  private String heading = "";
  private String prepared = "";
  private int rounds;
  private final List<String> gone = new ArrayList<>();

  /**
   * @param quiet whether standard output must stay clean, so that nothing is drawn on it
   */
  Live(boolean quiet) {
    terminal = !quiet && UserTerminal.draws();
    if (terminal) {
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
    rounds = plan.hasBudget() ? 0 : plan.rounds();
    if (before > 0) {
      int all = plan.rounds() * plan.entrants().size();
      say(before + (plan.hasBudget() ? "" : " of " + all) + " trials are already done");
    }
    Plan.LeftOut.lines(plan.leftOut()).forEach(line -> say("skipped " + line));
    plan.findings().stream()
        .filter(finding -> finding.level() == Finding.Level.WARNING)
        .forEach(this::warned);
  }

  @Override
  public void warned(Finding warning) {
    say(warning.subject() + ": " + warning.message());
  }

  @Override
  public void preparing(String what, String detail, double done, double secondsLeft) {
    if (!terminal && !what.equals(prepared)) {
      System.err.println(what);
    }
    prepared = what;
    draw(done, what + ": " + detail, secondsLeft);
  }

  /** Prints lines that stay on the screen. */
  private void say(String text) {
    Lines.wrap("", text).forEach((terminal ? System.out : System.err)::println);
  }

  @Override
  public void progress(
      String configuration, int number, String phase, double done, double secondsLeft) {
    draw(done, configuration + ", trial " + number + ": " + phase, secondsLeft);
  }

  @Override
  public void roundEnded(int round, List<String> left, int present, double secondsLeft) {
    String text =
        "round "
            + round
            + (rounds > 0 ? " of " + rounds : "")
            + " done"
            + (secondsLeft >= 1 ? ", about " + Quantities.duration(secondsLeft) + " left" : "")
            + (left.isEmpty()
                ? ""
                : "; no more trials of " + String.join(", ", left) + "; " + present + " remain");
    if (!terminal) {
      Lines.wrap("", text).forEach(System.err::println);
    } else if (!left.isEmpty()) {
      gone.addAll(Lines.wrap("", text));
    }
  }

  private void draw(double done, String what, double secondsLeft) {
    if (!terminal) {
      return;
    }
    StringBuilder screen = new StringBuilder(beginning());
    int filled = (int) Math.round(BAR * done);
    String bar = "#".repeat(filled) + ".".repeat(BAR - filled);
    // Two lines come below it, and one stays free; otherwise the terminal would scroll.
    String left = secondsLeft < 0 ? "" : " " + Quantities.duration(secondsLeft) + " left";
    int room = Math.max(0, size.rows() - 3);
    List<String> lines =
        Stream.concat(gone.stream().limit(room), Stream.of("[" + bar + "]" + left, "  " + what))
            // The last column stays free, because terminals differ in what they do after it.
            .map(line -> Lines.cut(line, size.columns() - 1) + CLEAR_LINE + "\n")
            .toList();
    lines.forEach(screen::append);
    drawn = lines.size();
    show(screen + CLEAR_BELOW);
  }

  /**
   * How to get to the first of the drawn lines. Asks for the size only when it may have changed,
   * because that starts a process.
   */
  private String beginning() {
    if (resized) {
      resized = false;
      size = UserTerminal.size();
      if (drawn > 0) {
        // The terminal has rewrapped the lines, so their positions and the cursor's are unknown.
        drawn = 0;
        return CLEAR_SCREEN + String.join("\n", Lines.wrap("", heading)) + "\n";
      }
    }
    return UP.repeat(drawn);
  }

  private static void show(String screen) {
    System.out.print(screen);
    System.out.flush();
  }

  @Override
  public void close() {
    clear();
  }

  /** Removes its lines. */
  void clear() {
    if (drawn > 0) {
      show(UP.repeat(drawn) + CLEAR_BELOW);
      drawn = 0;
    }
  }
}
