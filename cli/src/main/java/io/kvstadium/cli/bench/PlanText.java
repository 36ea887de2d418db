package io.kvstadium.cli.bench;

import io.kvstadium.bench.plan.MinDuration;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.result.Facts;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.Quantities;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A plan in words, for {@code --dry-run}. */
final class PlanText {
  private PlanText() {}

  /**
   * @param own the shape of the user's own data, empty if there are none
   */
  static void print(
      Plan plan,
      Settings settings,
      Map<String, Object> own,
      @Nullable String sample,
      PrintStream out) {
    String often = plan.hasBudget() ? "" : plan.suite().trials() + " x ";
    out.println("Suite " + plan.suite().name() + ": " + plan.suite().description());
    for (Experiment experiment : plan.suite().experiments()) {
      DataSpec data = experiment.data();
      out.println();
      out.println("Experiment " + experiment.name() + ": " + experiment.question());
      if (own.isEmpty()) {
        out.printf(
            Locale.ROOT,
            "  data: %,d records, keys %s, values %s of %s bytes%n",
            data.records(),
            data.keys(),
            data.values().form().name().toLowerCase(Locale.ROOT),
            data.values().sizes());
      } else {
        data("  data: ", own).forEach(out::println);
      }
      for (PhaseSpec phase : experiment.phases()) {
        out.println("  phase " + phase.name() + ": " + measure(phase));
      }
      for (Configuration configuration : experiment.configurations()) {
        out.println("  " + often + configuration.name() + ": " + configuration.url("…"));
      }
    }
    for (String line : Plan.LeftOut.lines(plan.leftOut())) {
      Lines.wrap("  ", "skipped " + line).forEach(out::println);
    }
    for (Finding finding : plan.findings()) {
      Lines.wrap("  ", finding.subject() + ": " + finding.message()).forEach(out::println);
    }
    out.println();
    String extent = sample == null ? extent(plan) : withinBudget(plan);
    Lines.wrap("", "Would run " + extent + ", and write to " + settings.out())
        .forEach(out::println);
    if (sample != null) {
      Lines.wrap("", sample).forEach(out::println);
    }
  }

  /** The number of trials, or the time that they may take, and about how long they do at least. */
  static String extent(Plan plan) {
    String atLeast = "about " + Quantities.duration(MinDuration.of(plan));
    if (plan.hasBudget()) {
      return withinBudget(plan) + " (" + atLeast + ")";
    }
    int trials = plan.suite().trials();
    return trials + (trials == 1 ? " trial" : " trials") + " each, " + atLeast;
  }

  private static String withinBudget(Plan plan) {
    return "as many rounds as fit into "
        + Quantities.duration(plan.suite().budget())
        + ", two at least";
  }

  /** The shape of the user's own data; empty if there are none. */
  static List<String> data(String first, Map<String, Object> own) {
    return own.isEmpty()
        ? List.of()
        : Lines.wrap(
            first,
            own.entrySet().stream()
                .map(each -> each.getKey() + " " + Facts.text(each.getValue()))
                .collect(Collectors.joining("; ")));
  }

  private static String measure(PhaseSpec phase) {
    String what =
        phase.operation().word()
            + (phase.shape().batch() > 1 ? " in batches of " + phase.shape().batch() : "")
            + (phase.shape().keys() > 1 ? " of " + phase.shape().keys() + " keys" : "");
    if (phase.operations() > 0) {
      what += String.format(Locale.ROOT, ", %,d operations", phase.operations());
    } else if (phase.seconds() > 0) {
      what += String.format(Locale.ROOT, ", %.1f s", phase.seconds());
    } else if (phase.rate() != null && phase.rate().searches()) {
      what += ", 10 s";
    } else {
      what += ", every record once";
    }
    return what
        + (phase.threads() > 1 ? ", " + phase.threads() + " threads" : "")
        + (phase.rate() == null ? "" : ", " + rate(phase.rate()))
        + (phase.cold() ? ", cold" : "")
        + (phase.background() == null
            ? ""
            : "; background load "
                + phase.background().name()
                + ": "
                + measure(phase.background()));
  }

  private static String rate(Rate rate) {
    String limit = rate.limit() == null ? "" : ", " + rate.limit();
    return (rate.searches()
            ? "at the highest rate that holds"
            : String.format(Locale.ROOT, "at %,.0f/s", rate.perSecond()))
        + limit;
  }
}
