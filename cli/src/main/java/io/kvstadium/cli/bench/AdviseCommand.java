package io.kvstadium.cli.bench;

import io.kvstadium.advise.Advice;
import io.kvstadium.advise.AdviceText;
import io.kvstadium.advise.Advisor;
import io.kvstadium.advise.Needs;
import io.kvstadium.advise.SuiteWorkload;
import io.kvstadium.advise.TraceWorkload;
import io.kvstadium.advise.Workload;
import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.run.DataCopy;
import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Interrupt;
import io.kvstadium.cli.io.Invocation;
import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.cli.io.Version;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.internal.Why;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.Passwords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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
      FirstSentences.ADVISE,
      "It measures engines and settings on parts of the workload, and the best of them on all of it;"
          + " the exit code is 1 if none meets what is asked for."
    })
public final class AdviseCommand implements Callable<Integer> {
  private static final int NOTHING_MEETS = 1;
  private static final double SHORTEST = 120;

  /** The answer's file in the directory of the run. */
  static final String ANSWER = "advice.json";

  /** Options that may be given with --resume. */
  private static final Set<String> WITH_RESUME =
      Set.of("--resume", "--json", "--engine-path", "--wait-quiet", "--progress");

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(
      paramLabel = "SUITE",
      arity = "0..1",
      description = "A suite of one experiment: built-in, or a file (with --data: quick).")
  private @Nullable String suite;

  @Mixin private DataOptions data;
  @Mixin private LanguageOptions language;

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
      description = "Memory of each trial, page cache included, such as 1g (default: any).")
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

  @Mixin private RunOptions run;

  @Option(names = "--json", description = "Prints the answer as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    run.check();
    List<String> given = spec.commandLine().getParseResult().originalArgs();
    Path resume = run.resume();
    if (resume == null) {
      return advise(Launch.directory(run.out(), "advise", true), given, null);
    }
    Mistakes.refuseOthers(spec, WITH_RESUME, "--resume continues the advise as it began");
    AskedAdvice asked = AskedAdvice.read(resume);
    AdviseCommand again = new AdviseCommand();
    new CommandLine(again)
        .setExpandAtFiles(false)
        .parseArgs(asked.after(spec.name()).toArray(String[]::new));
    installed.useIfUnnamed(asked.engineFolders());
    again.installed = installed;
    again.json = json;
    again.run.waitAs(run);
    return again.advise(resume, asked.arguments(), asked);
  }

  /**
   * @param directory of the run
   * @param arguments of the command that began it
   * @param before what was asked then, if this resumes it, or {@code null}
   */
  private int advise(Path directory, List<String> arguments, @Nullable AskedAdvice before) {
    long began = System.nanoTime();
    Engines present = installed.engines();
    Languages languages = language.languages(present, ValueList.of("--engines", engines));
    if (languages.asked().size() > 1) {
      throw new BadArgumentException(
          "advise answers for one language, not for " + String.join(", ", languages.asked()));
    } else if (trace != null && !languages.players().isEmpty()) {
      throw new BadArgumentException(
          "--trace is replayed in Java only: give --data PATH or a SUITE, or leave out --language");
    }
    Needs needs = needs();
    Settings settings = settings(directory, arguments, needs);
    EntrySource source = before == null ? data.source(present) : null;
    boolean hasData = source != null || (before != null && before.data() != null);
    if (trace == null && !hasData && suite == null) {
      throw new BadArgumentException(
          "there is nothing to advise on: give --trace FILE, --data PATH or a SUITE");
    } else if (trace != null && (hasData || suite != null)) {
      throw new BadArgumentException(
          "--trace is the whole workload: leave out " + (suite == null ? "--data" : suite));
    }
    if (trace == null) {
      SuiteWorkload.check(suite());
    }
    ForkedExecutor executor = Launch.executor(installed, directory, languages);
    Advisor.check(languages, settings, executor, needs, current);
    Settings own = settings;
    if (before != null && before.data() != null) {
      Source copied = DataCopy.source(before.data(), directory);
      own = settings.with(copy -> copy.source = copied);
    } else if (source != null) {
      try (ProgressLine copied = new ProgressLine()) {
        own = DataCopy.make(settings, source, copied);
      }
      WithinBudget.of(languages, own, suite()).sample(own);
    }
    try (Live live = run.live()) {
      Workload workload =
          trace != null ? new TraceWorkload(trace, own) : new SuiteWorkload(suite(), own);
      run.awaitQuiet(!json);
      Launch.prepare(directory);
      AskedAdvice asked =
          before != null
              ? before
              : new AskedAdvice(
                  Version.number(),
                  arguments.stream().map(Passwords::masked).toList(),
                  installed.folders(),
                  own.source() == null ? null : own.source().path(),
                  (System.nanoTime() - began) / 1e9);
      Advisor advisor =
          new Advisor(
              languages,
              settings,
              executor,
              needs,
              Version.number(),
              live,
              asked.spent(),
              System::nanoTime);
      try (Interrupt _ = Launch.interrupt(advisor::stop, executor)) {
        asked.write(directory);
        return answer(advisor, workload, live, directory);
      }
    } finally {
      if (!Advisor.hasTrials(directory)) {
        DataCopy.discard(own);
        AskedAdvice.remove(directory);
        discard(directory);
        if (run.out() == null) {
          discard(Path.of("results"));
        }
      }
    }
  }

  private Suite suite() {
    return SuiteFile.find(suite == null ? "quick" : suite);
  }

  private int answer(Advisor advisor, Workload workload, Live live, Path directory) {
    Advice advice;
    try {
      advice = advisor.advise(workload, current);
    } catch (CancellationException e) {
      live.close();
      System.out.println("Resume:  " + Invocation.again("advise", "--resume", directory));
      return Interrupt.EXIT;
    }
    live.close();
    String text = Json.text(advice);
    Path page = directory.resolve(Reports.HTML);
    try {
      Files.writeString(directory.resolve(ANSWER), text);
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
    return advice.answer().verdict() == Advice.Verdict.NONE ? NOTHING_MEETS : 0;
  }

  static void discard(Path path) {
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

  private Settings settings(Path directory, List<String> arguments, Needs needs) {
    List<String> only = ValueList.of("--engines", engines);
    for (String each : only) {
      if (each.contains(":")) {
        throw new BadArgumentException(
            "--engines " + each + ": advise chooses the options itself: give the engine's name");
      }
    }
    double seconds = Launch.seconds(budget);
    if (seconds < SHORTEST) {
      throw new BadArgumentException(
          "--budget " + budget + " is too short to compare anything: give at least 2m");
    }
    return Settings.of(directory, Invocation.command(arguments))
        .with(copy -> {
          copy.engines = only;
          copy.budget = seconds;
          copy.durability = durability == null ? null : Durability.of(durability);
          copy.memory = needs.memory();
          copy.seed = run.seed();
        });
  }
}
