package io.kvstadium.cli.bench;

import io.kvstadium.advise.Advice;
import io.kvstadium.advise.AdviceText;
import io.kvstadium.advise.Advisor;
import io.kvstadium.advise.Needs;
import io.kvstadium.advise.SuiteWorkload;
import io.kvstadium.advise.TraceWorkload;
import io.kvstadium.advise.Workload;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.run.DataCopy;
import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Settings;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.Invocation;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.StatusLine;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.cli.io.Version;
import io.kvstadium.cli.io.Why;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.transfer.source.EntrySource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium advise}: says what to take. */
@Command(
    name = "advise",
    description = {
      "Says which engine and settings to take, and what that brings.",
      "It measures engines and settings on parts of the workload, and the best of them on all of it;"
          + " the exit code is 1 if none meets what is asked for."
    })
public final class AdviseCommand implements Callable<Integer> {
  private static final int NOTHING_MEETS = 1;
  private static final int INTERRUPTED = 130;
  private static final long SECONDS_TO_CLEAR = 20;
  private static final double SHORTEST = 120;

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(
      paramLabel = "SUITE",
      arity = "0..1",
      description = "A suite of one experiment: built-in, or a file (with --data: quick).")
  private @Nullable String suite;

  @Mixin private DataOptions data;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "What an application did, from a recording, instead of a suite.")
  private @Nullable Path trace;

  @Option(
      names = "--current",
      paramLabel = "URL",
      description = "What you use today, with its options: an engine's name, or the store's URL.")
  private @Nullable String current;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "none, process, consistent or power (default: that of --current or of the recording, else"
              + " process).")
  private @Nullable String durability;

  @Option(
      names = "--limit",
      paramLabel = "BOUND",
      description =
          "What must hold, such as \"p99 < 2ms\": at the --rate, or as fast as was recorded; for a"
              + " suite without a rate at full speed.")
  private @Nullable String limit;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description = "Operations per second that must be kept up, such as 20k.")
  private @Nullable String rate;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Memory of the last trials, page cache included, such as 1g (default: any).")
  private @Nullable String memory;

  @Option(
      names = "--disk",
      paramLabel = "SIZE",
      description = "The most that the store may take, such as 20g (default: any).")
  private @Nullable String disk;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description = "How long it may take, 2m at least (default: ${DEFAULT-VALUE}).",
      defaultValue = "10m")
  private String budget;

  @Option(
      names = "--engines",
      paramLabel = "NAME,…",
      description = "Only these engines (default: all that are installed, without legacy ones).")
  private List<String> engines = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed for keys, values and orders (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where the results go, and the stores during the run (default: results/<time>-advise).")
  private @Nullable Path out;

  @Option(names = "--json", description = "Prints the answer as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Engines present = installed.engines();
    Needs needs = needs();
    Settings settings = settings(needs);
    Settings own = settings;
    EntrySource source = data.source(present);
    if (trace == null && source == null && suite == null) {
      throw new BadArgumentException(
          "there is nothing to advise on: give --trace FILE, --data PATH or a SUITE");
    } else if (trace != null && (source != null || suite != null)) {
      throw new BadArgumentException(
          "--trace is the whole workload: leave out " + (suite == null ? "--data" : suite));
    }
    Suite named = trace == null ? suite() : null;
    ForkedExecutor executor =
        new ForkedExecutor(
            BenchCommand.WATCHDOG_SECONDS,
            installed.folders(),
            settings.out(),
            Languages.java(present));
    AtomicBoolean stopped = new AtomicBoolean();
    CountDownLatch cleared = new CountDownLatch(1);
    Thread interrupt =
        Thread.ofPlatform()
            .name("interrupt")
            .unstarted(() -> {
              stopped.set(true);
              executor.stop();
              awaitEnd(cleared);
            });
    boolean done = false;
    try (StatusLine line = new StatusLine()) {
      Advisor advisor =
          new Advisor(
              present,
              settings,
              executor,
              needs,
              Version.number(),
              new Screen(line, stopped),
              System::nanoTime);
      advisor.check(current);
      if (named != null) {
        SuiteWorkload.check(named);
      }
      if (source != null) {
        long began = System.nanoTime();
        try (ProgressLine copied = new ProgressLine()) {
          own = DataCopy.make(settings, source, copied);
        }
        WithinBudget.of(Languages.java(present), own, suite()).sample(own, began);
      }
      Workload workload =
          trace != null ? new TraceWorkload(trace, own) : new SuiteWorkload(suite(), own);
      BenchCommand.prepare(settings.out());
      Runtime.getRuntime().addShutdownHook(interrupt);
      Advice advice = advisor.advise(workload, current);
      line.close();
      if (stopped.get()) {
        throw new CancellationException(); // in the last trial, whose failure is no answer
      }
      done = true;
      return answer(advice, advisor, settings.out());
    } catch (CancellationException e) {
      discard(settings.out().resolve(Runner.RESULTS)); // of the last rounds, if they began
      return INTERRUPTED;
    } finally {
      DataCopy.discard(own);
      if (!done) {
        discard(settings.out());
        if (out == null) {
          discard(Path.of("results"));
        }
      }
      cleared.countDown();
    }
  }

  /** The virtual machine ends when this returns: not before the rest of a run is removed. */
  private static void awaitEnd(CountDownLatch cleared) {
    try {
      boolean _ = cleared.await(SECONDS_TO_CLEAR, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Suite suite() {
    return SuiteFile.find(suite == null ? "quick" : suite);
  }

  private int answer(Advice advice, Advisor advisor, Path directory) {
    String text = Json.text(advice);
    Path page = directory.resolve(Reports.HTML);
    try {
      Files.writeString(directory.resolve("advice.json"), text);
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot write the answer to " + directory + " (" + Why.of(e) + ")", e);
    }
    Reports.writeHtml(Report.of(advisor.results()), page);
    if (json) {
      System.out.println(text);
    } else {
      AdviceText.of(advice, Ansi.AUTO.enabled()).forEach(System.out::println);
      System.out.println("The last rounds: " + page);
    }
    return advice.verdict() == Advice.Verdict.NONE ? NOTHING_MEETS : 0;
  }

  private static void discard(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // there is something in it, or the user will see that it is there
    }
  }

  private Needs needs() {
    return new Needs(
        limit == null ? null : Rate.Limit.parse(limit),
        rate == null ? 0 : perSecond(rate),
        memory == null ? 0 : Quantities.size("--memory", memory),
        disk == null ? 0 : Quantities.size("--disk", disk));
  }

  private static double perSecond(String text) {
    if (text.trim().equals("search")) {
      throw new BadArgumentException(
          "--rate search: advise has a fixed rate: give operations per second, such as 20k");
    }
    return Rate.parse(text, null).perSecond();
  }

  private Settings settings(Needs needs) {
    List<String> only = ValueList.of("--engines", engines);
    for (String each : only) {
      if (each.contains(":")) {
        throw new BadArgumentException(
            "--engines " + each + ": advise chooses the options itself: give the engine's name");
      }
    }
    double seconds = BenchCommand.seconds(budget);
    if (seconds < SHORTEST) {
      throw new BadArgumentException(
          "--budget " + budget + " is too short to compare anything: give at least 2m");
    }
    return Settings.of(
            BenchCommand.directory(out, "advise", true),
            Invocation.command(spec.commandLine().getParseResult().originalArgs()))
        .with(copy -> {
          copy.engines = only;
          copy.budget = seconds;
          copy.durability = durability == null ? null : Durability.of(durability);
          copy.memory = needs.memory();
          copy.seed = seed;
        });
  }

  /** What the advisor does, on standard error. */
  private record Screen(StatusLine line, AtomicBoolean stopped) implements Advisor.Progress {
    @Override
    public void at(String what, double done, double secondsLeft) {
      if (stopped.get()) {
        throw new CancellationException(); // what is in the directory of the run goes
      }
      line.draw(done, Math.max(1, secondsLeft), what);
    }

    @Override
    public void says(String text) {
      line.say(text);
    }
  }
}
