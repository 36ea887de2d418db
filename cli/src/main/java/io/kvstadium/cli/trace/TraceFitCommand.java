package io.kvstadium.cli.trace;

import io.kvstadium.advise.TraceFit;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.run.LevelEvidence;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.bench.Launch;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.Interrupt;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.StatusLine;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.cli.io.Version;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.help.FileTrees;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium trace fit}: makes a suite that imitates a trace. */
@Command(
    name = "fit",
    description = {
      "Writes a suite of about 1 kB that imitates a recording and tells nothing of its keys, and"
          + " measures how well it does: the suite's rate on each engine, and that of the replay."
    })
final class TraceFitCommand implements Callable<Integer> {
  private static final List<String> USUAL = List.of("rocksdb", "lmdb", "sqlite");

  /** More than this is too far off to be called a fit. */
  private static final double FITS = 0.2;

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(index = "0", paramLabel = "FILE", description = "A recording.")
  private Path file;

  @Parameters(
      index = "1",
      paramLabel = "SUITE",
      description = "The suite to write, ending in .toml; it must not exist.")
  private Path suite;

  @Option(
      names = "--engines",
      paramLabel = "NAME,…",
      description = "What to measure with (default: rocksdb, lmdb and sqlite).")
  private List<String> engines = new ArrayList<>();

  @Override
  public Integer call() {
    Engines present = installed.engines();
    List<String> names = ValueList.of("--engines", engines);
    names.forEach(present::engine);
    List<String> measured =
        names.isEmpty() ? USUAL.stream().filter(present.names()::contains).toList() : names;
    if (!suite.toString().endsWith(".toml")) {
      throw new BadArgumentException(suite + ": the name of a suite ends in .toml");
    }
    if (Files.exists(suite)) {
      throw new BadArgumentException(suite + " exists: name a new file, or remove it");
    }
    Path work = suite.resolveSibling(suite.getFileName() + ".trials");
    Languages languages = Languages.java(present);
    ForkedExecutor executor = Launch.executor(installed, work, languages);
    Settings settings =
        Launch.settings(work, spec)
            .with(copy -> {
              copy.engines = measured;
              copy.durability = Durability.PROCESS;
            });
    try (StatusLine line = new StatusLine()) {
      Runner runner =
          new Runner(
              languages,
              settings,
              executor,
              (configuration, number, phase, done, secondsLeft) ->
                  line.draw(done, secondsLeft, configuration + ", trial " + number + ": " + phase),
              Version.number(),
              LevelEvidence.DECLARED,
              System::nanoTime);
      try (Interrupt _ = Launch.interrupt(runner::stop, executor)) {
        fit(work, runner, settings, line);
        return 0;
      } catch (CancellationException e) {
        return Interrupt.EXIT;
      } catch (IOException e) {
        throw new BadArgumentException("cannot write " + suite + " (" + Why.of(e) + ")", e);
      }
    }
  }

  private void fit(Path work, Runner runner, Settings settings, StatusLine line)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try {
      Files.createDirectories(work);
      TraceFit fit = new TraceFit(file, work);
      Files.writeString(suite, fit.toml(), StandardOpenOption.CREATE_NEW);
      if (!fit.missing().isEmpty()) {
        Lines.wrap("Not in the suite: ", String.join("; ", fit.missing())).forEach(out::println);
      }
      List<TraceFit.Fit> fits =
          settings.engines().isEmpty() ? List.of() : fit.compare(suite, runner, settings);
      line.close();
      for (TraceFit.Fit each : fits) {
        out.println(
            String.format(
                Locale.ROOT,
                "%-12s replay %10s, suite %10s: %s",
                each.engine(),
                Units.rate(each.replayed()),
                Units.rate(each.imitated()),
                each.off() <= FITS ? "fits within 20 %" : "off by " + Units.percent(each.off())));
      }
    } finally {
      FileTrees.remove(work);
      out.flush();
    }
  }
}
