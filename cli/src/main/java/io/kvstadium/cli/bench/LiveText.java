package io.kvstadium.cli.bench;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.run.Schedule;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.StatusLine;

/** Shows the progress of a run to people. */
final class LiveText implements Live {
  /** Where no line can be redrawn, as often it is said how far the run is, in nanoseconds. */
  private static final long SILENCE = 60_000_000_000L;

  private final StatusLine line = new StatusLine();
  private String prepared = "";
  private String part = "";
  private int rounds;
  private long said = System.nanoTime();

  @Override
  public void begin(Plan plan, int before) {
    int configurations =
        plan.suite().experiments().stream().mapToInt(each -> each.configurations().size()).sum();
    line.say(
        "Suite "
            + plan.suite().name()
            + ": "
            + configurations
            + (configurations == 1 ? " configuration, " : " configurations, ")
            + PlanText.extent(plan));
    rounds = plan.hasBudget() ? 0 : plan.rounds();
    if (before > 0) {
      int all = plan.rounds() * plan.entrants().size();
      line.say(before + (plan.hasBudget() ? "" : " of " + all) + " trials are already done");
    }
    Plan.LeftOut.lines(plan.leftOut()).forEach(each -> line.say("skipped " + each));
    plan.findings().stream()
        .filter(finding -> finding.level() == Finding.Level.WARNING)
        .forEach(this::warned);
  }

  @Override
  public void begins(String of) {
    part = of;
  }

  @Override
  public void noted(String text) {
    line.say(text);
  }

  @Override
  public void warned(Finding warning) {
    line.say(warning.subject() + ": " + warning.message());
  }

  @Override
  public void preparing(String what, String detail, double done, double secondsLeft) {
    if (!line.isShown() && !what.equals(prepared)) {
      line.say(what);
    }
    prepared = what;
    line.draw(done, secondsLeft, what + ": " + detail);
  }

  @Override
  public void progress(
      String configuration, int number, String phase, double done, double secondsLeft) {
    String what = TextStyle.join(": ", part, configuration + ", trial " + number, phase);
    if (!line.isShown() && System.nanoTime() - said >= SILENCE) {
      said = System.nanoTime();
      line.say(what + left(secondsLeft));
    }
    line.draw(done, secondsLeft, what);
  }

  @Override
  public void roundEnded(Schedule.Round round, double secondsLeft) {
    if (!line.isShown() || !round.left().isEmpty()) {
      line.say(
          "round "
              + round.number()
              + (rounds > 0 ? " of " + rounds : "")
              + " done"
              + left(secondsLeft)
              + (round.left().isEmpty()
                  ? ""
                  : "; no more trials of "
                      + String.join(", ", round.left())
                      + "; "
                      + round.present()
                      + " remain"));
    }
  }

  private static String left(double seconds) {
    return seconds >= 1 ? ", about " + Quantities.duration(seconds) + " left" : "";
  }

  @Override
  public void close() {
    line.close();
  }
}
