package io.kvstadium.cli.bench;

import io.kvstadium.bench.data.SampledEntries;
import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.plan.MinDuration;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Planner;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.run.DataCopy;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.UserTerminal;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a run within its budget: of much data a share is measured, and who asks for what cannot
 * hold is told before it starts.
 *
 * @param small the plan without the time that the user's data take
 */
record WithinBudget(Plan small) {
  /** From this factor of the budget on, the user is asked. */
  private static final double FAR_TOO_LONG = 2;

  static WithinBudget of(Languages languages, Settings settings, Suite suite) {
    return new WithinBudget(new Planner(languages, settings).plan(suite, MinDuration.nothing()));
  }

  /** A sentence on the share of the user's data that is measured; null if that is all. */
  @Nullable String sample(long bytes) {
    int oneOf = MinDuration.oneOf(small, bytes);
    return oneOf > 1 ? sample(bytes, oneOf) : null;
  }

  private String sample(long bytes, int oneOf) {
    double all = MinDuration.of(small) + MinDuration.loads(small, bytes);
    return "Measures %s, so that the budget of %s holds; all need about %s: --budget %.0fm"
        .formatted(
            SampledEntries.words(oneOf),
            Quantities.duration(small.suite().budget()),
            Quantities.duration(all),
            Math.ceil(all / 60 + 1));
  }

  /** Leaves as much of the copy of the user's data as can be measured. */
  void sample(Settings settings) {
    Source source = Objects.requireNonNull(settings.source());
    long bytes = Path.of(source.copy()).toFile().length();
    int oneOf = MinDuration.oneOf(small, bytes);
    if (oneOf > 1) {
      Lines.wrap("", sample(bytes, oneOf)).forEach(System.err::println);
      try (ProgressLine line = new ProgressLine()) {
        DataCopy.sample(source, oneOf, line);
      }
    }
  }

  /** Asks whether to begin what takes much longer than its budget; only says so to a program. */
  static void confirm(Plan plan, Format format) {
    double atLeast = MinDuration.of(plan);
    if (!plan.hasBudget() || atLeast <= FAR_TOO_LONG * plan.suite().budget()) {
      return;
    }
    Lines.wrap(
            "",
            "Two rounds take about %s, and the budget is %s: fewer --engines%s take less."
                .formatted(
                    Quantities.duration(atLeast),
                    Quantities.duration(plan.suite().budget()),
                    isReplay(plan) ? "" : ", or --scale 0.1,"))
        .forEach(System.err::println);
    if (UserTerminal.draws() && format == Format.TABLE) {
      System.err.print("Press Enter to begin nevertheless, or Ctrl-C: ");
      try {
        for (int c = System.in.read(); c != '\n'; c = System.in.read()) {
          if (c < 0) {
            throw new BadArgumentException("no answer, so the run did not begin: give a --budget");
          }
        }
      } catch (IOException e) {
        throw new BadArgumentException("cannot read the answer (" + Why.of(e) + ")", e);
      }
    }
  }

  /** Whether the operations are those of a recording, all of which are replayed. */
  private static boolean isReplay(Plan plan) {
    return plan.suite().experiments().stream()
        .flatMap(experiment -> experiment.phases().stream())
        .anyMatch(phase -> phase.operation() == Operation.REPLAY);
  }
}
