package io.kvstadium.cli.bench;

import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.DataCopy;
import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.run.LevelEvidence;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.cli.io.Escapes;
import io.kvstadium.cli.io.Interrupt;
import io.kvstadium.cli.io.Invocation;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.Version;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.torture.evidence.Proofs;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run on the user's screen: waits for quiet, shows progress, ends at Ctrl-C, reports.
 *
 * @param details whether the table has every figure
 * @param judge prints a comparison instead of the results, and returns the exit code; or {@code
 *     null}
 * @param profiles made when all is measured
 * @param options how long it waits for a quiet machine
 */
record BenchRun(
    Languages languages,
    Settings settings,
    ForkedExecutor executor,
    Format format,
    boolean details,
    RunOptions options,
    @Nullable ToIntFunction<Results> judge,
    ProfileOption.Profiles profiles) {
  private static final int NOTHING_MEASURED = 1;

  /**
   * Runs and reports.
   *
   * @return the exit code
   */
  int run(Consumer<Live> beginning, Function<Runner, Results> work) {
    options.awaitQuiet(format == Format.TABLE);
    try (Live live = options.live()) {
      Runner runner =
          new Runner(
              languages,
              settings,
              executor,
              live,
              Version.number(),
              new Tortured(Proofs.committed()),
              System::nanoTime);
      try (Interrupt _ = Launch.interrupt(runner::stop, executor)) {
        beginning.accept(live);
        Results results = work.apply(runner);
        List<Path> pages = List.of();
        BadArgumentException failed = null;
        try {
          pages = results.complete() ? profiles.make(runner, settings.out()) : pages;
        } catch (BadArgumentException e) {
          failed = e; // what was measured is reported first
        }
        int exit = report(results, live);
        if (failed != null) {
          throw failed;
        }
        if (format == Format.TABLE) {
          pages.forEach(each -> System.out.println("Profile: " + each));
        }
        return exit;
      }
    }
  }

  private int report(Results results, Live live) {
    live.close();
    if (results.complete()) {
      DataCopy.remove(settings);
    }
    boolean nothing = results.complete() && !results.measured();
    if (nothing) {
      sayWhyNothing(results);
    }
    int exit = report(results, nothing);
    return nothing ? NOTHING_MEASURED : results.complete() ? exit : Interrupt.EXIT;
  }

  /** What tortures found. */
  private record Tortured(Proofs proofs) implements LevelEvidence {
    @Override
    public String words(EngineInfo engine, DurabilityMapping level) {
      return proofs.words(engine, level);
    }

    @Override
    public boolean isBroken(EngineInfo engine, DurabilityMapping level) {
      return proofs.isBroken(engine, level);
    }
  }

  /** Says why each was left out or failed, in full. */
  private static void sayWhyNothing(Results results) {
    Map<String, Set<String>> reasons = new LinkedHashMap<>();
    results
        .experiments()
        .forEach(experiment ->
            experiment
                .configurations()
                .forEach(each ->
                    Stream.concat(
                            Stream.ofNullable(each.skipped()),
                            each.trials().stream().map(TrialResult::failure))
                        .filter(Objects::nonNull)
                        .forEach(failure ->
                            reasons
                                .computeIfAbsent(failure, _ -> new LinkedHashSet<>())
                                .add(each.name()))));
    System.err.println("stadium: nothing was measured:");
    reasons.forEach((reason, names) ->
        Lines.wrap("  ", String.join(", ", names) + ": " + Escapes.shown(reason))
            .forEach(System.err::println));
  }

  /**
   * @param empty whether there is nothing to show on the screen
   */
  private int report(Results results, boolean empty) {
    Report report = Report.of(results);
    Path html = settings.out().resolve(Reports.HTML);
    Reports.writeHtml(report, html);
    int exit = 0;
    if (judge != null && results.complete() && !empty) {
      exit = judge.applyAsInt(results);
    } else if (!empty || format != Format.TABLE) {
      Reports.print(report, format, details);
    }
    if (format == Format.TABLE) {
      System.out.println();
      System.out.println("Report:  " + html);
      System.out.println("Results: " + settings.out().resolve(Runner.RESULTS));
      Source source = settings.source();
      if (source != null && !results.complete()) {
        Path copy =
            settings.out().resolve(Objects.requireNonNull(Path.of(source.copy()).getFileName()));
        System.out.println("Data:    " + copy + ", which --resume needs");
      }
      if (!results.complete()) {
        System.out.println("Resume:  " + Invocation.again("bench", "--resume", settings.out()));
      }
    }
    return exit;
  }
}
