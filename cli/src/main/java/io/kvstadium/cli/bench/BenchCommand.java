package io.kvstadium.cli.bench;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Planner;
import io.kvstadium.bench.plan.UserData;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.run.DataCopy;
import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.run.Resources;
import io.kvstadium.bench.run.ResumableRun;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.cli.io.Version;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.transfer.source.EntrySource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code stadium bench}: runs a suite and reports. */
@Command(
    name = "bench",
    description = {
      FirstSentences.BENCH,
      "Without SUITE: the suite 'quick' on the installed engines that people choose today, in about"
          + " three minutes; --engines names others."
    })
public final class BenchCommand implements Callable<Integer> {
  /** Options that may be given with --resume. */
  private static final Set<String> WITH_RESUME =
      Set.of(
          "--resume",
          "--json",
          "--format",
          "--details",
          "--engine-path",
          "--language",
          "--python",
          "--against",
          "--fail-on",
          "--margin",
          "--html",
          "--profile",
          "--wait-quiet",
          "--progress");

  /** Options, and which others have no effect beside them. */
  private static final Map<String, List<String>> WITHOUT_EFFECT =
      Map.of(
          "--data", List.of("--scale"), // what there is, is measured
          "--trace", TraceOptions.WITHOUT_EFFECT,
          "--dry-run", List.of("--format", "--json", "--details", "--strict", "--wait-quiet"));

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(
      paramLabel = "SUITE",
      arity = "0..1",
      defaultValue = "quick",
      description =
          "A built-in suite (quick, crud, sweep, open-read, multiget, scale, ycsb-a to ycsb-f, mixgraph, load, queue, age, pressure), or a suite file of your own ending in .toml.")
  private String suite;

  @Option(
      names = "--show",
      paramLabel = "SUITE",
      description = "Prints a built-in suite's file and does nothing else.")
  private @Nullable String show;

  @Mixin private DataOptions data;
  @Mixin private TraceOptions trace;
  @Mixin private WorkloadOptions workload;
  @Mixin private LanguageOptions language;

  @Option(
      names = "--engines",
      paramLabel = "NAME,…",
      description =
          "Run only these engines, or stores by URL, such as redis://127.0.0.1:6379 for a running"
              + " server.")
  private List<String> engines = new ArrayList<>();

  @Option(
      names = "--trials",
      paramLabel = "N",
      description = "How many times each configuration runs (default: as the suite says).")
  private @Nullable Integer trials;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description =
          "How long the whole run may take, such as 3m: with as many rounds as fit, two at least. A"
              + " configuration that is ten times slower everywhere in the first has no more.")
  private @Nullable String budget;

  @Option(
      names = "--scale",
      paramLabel = "X",
      description = "Factor for the numbers of records and operations, such as 0.1.",
      defaultValue = "1")
  private double scale;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description = "none, process, consistent, power or engine-default, for every configuration.")
  private @Nullable String durability;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "How many threads work at once, if a phase can be split (default: as the suite says).")
  private @Nullable Integer threads;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Memory limit of each trial, page cache included, such as 512m (default: none).")
  private @Nullable String memory;

  @Option(
      names = "--current",
      paramLabel = "ENGINE",
      description =
          "The engine that you use today: the report says what another one would bring, and what you"
              + " would lose (default: sqlite, if --data is an SQLite file).")
  private @Nullable String current;

  @Mixin private AgainstOptions against;
  @Mixin private ProfileOption profile;
  @Mixin private FormatOption format;

  @Option(
      names = "--details",
      description = "Prints every verdict, figure and circumstance instead of one screen.")
  private boolean details;

  @Mixin private RunOptions run;

  @Option(
      names = "--slices",
      description =
          "Lets the trials of a round live at once and work in turns of 50 ms, instead of one after"
              + " the other. Experimental.")
  private boolean slices;

  @Option(names = "--strict", description = "Refuses to run if the environment check warns.")
  private boolean strict;

  @Option(names = "--dry-run", description = "Prints what would run.")
  private boolean dryRun;

  @Override
  public Integer call() {
    if (show != null) {
      Mistakes.refuseOthers(spec, Set.of("--show"), "--show only prints a suite's file");
      System.out.print(SuiteFile.text(show));
      return 0;
    }
    engines = ValueList.of("--engines", engines);
    checkNumbers();
    Path resume = run.resume();
    against.read(resume != null);
    if (resume != null) {
      Mistakes.refuseOthers(spec, WITH_RESUME, "--resume continues the run as it began");
      format.get(details);
      return resume(resume);
    }
    format.get(details); // reports what is wrong with it before anything runs
    refuseWithoutEffect();
    Engines present = installed.engines();
    Suite replayed = trace.suite(workload.limit(), spec.commandLine().getParseResult());
    Suite asked = withCurrent(replayed == null ? workload.in(suite()) : replayed, present);
    Languages languages = language.languages(present, engines);
    Settings wanted = against.versions(settings(asked), engines, asked, languages, installed);
    ForkedExecutor executor = Launch.executor(installed, wanted.out(), languages);
    executor.check(Resources.of(asked.heap(), wanted.memory())); // before data are read
    EntrySource own = data.source(present);
    Settings settings = wanted;
    if (own != null && !dryRun) {
      try (ProgressLine line = new ProgressLine()) {
        settings = DataCopy.make(wanted, own, line);
      }
      Settings copied = settings; // Ctrl-C before the run begins
      Runtime.getRuntime()
          .addShutdownHook(Thread.ofPlatform().unstarted(() -> DataCopy.discard(copied)));
      WithinBudget.of(languages, settings, asked).sample(settings);
    }
    try {
      Planner planner = new Planner(languages, settings);
      Plan plan =
          noteUnverified(
              own != null && dryRun
                  ? planner.plan(asked, UserData.read(own, wanted.seed()))
                  : planner.plan(asked));
      ProfileOption.Profiles profiles = profile.of(plan);
      if (dryRun) {
        String sample =
            own != null && plan.hasBudget()
                ? WithinBudget.of(languages, settings, asked)
                    .sample(plan.suite().experiments().getFirst().data().approximateBytes())
                : null;
        PlanText.print(plan, settings, planner.data(), sample, System.out);
        return 0;
      }
      against.check(plan, settings);
      Launch.prepare(settings.out());
      WithinBudget.confirm(plan, format.get(details));
      PlanText.data("Data: ", planner.data()).forEach(System.err::println);
      return new BenchRun(
              languages,
              settings,
              executor,
              format.get(details),
              details,
              run,
              against.judge(settings, format.get(details)),
              profiles)
          .run(live -> live.begin(plan, 0), runner -> runner.run(plan));
    } finally {
      DataCopy.discard(settings);
    }
  }

  private Plan noteUnverified(Plan plan) {
    return plan.with(
        installed
            .verified()
            .findings(
                plan.suite().experiments().stream()
                    .flatMap(each -> each.configurations().stream())
                    .filter(each -> each.language().equals(Configuration.JAVA))
                    .map(Configuration::engine)
                    .toList()));
  }

  private int resume(Path directory) {
    ResumableRun interrupted = ResumableRun.read(directory, Version.number());
    installed.useIfUnnamed(interrupted.folders());
    Languages languages = language.resumed(installed.engines(), interrupted.languages());
    Plan plan = interrupted.plan(languages);
    ForkedExecutor forked = Launch.executor(installed, directory, languages);
    Launch.prepare(directory);
    return new BenchRun(
            languages,
            interrupted.settings(),
            forked,
            format.get(details),
            details,
            run,
            against.judge(interrupted.settings(), format.get(details)),
            profile.of(plan))
        .run(
            live -> live.begin(plan, interrupted.finished(plan)),
            runner -> runner.resume(interrupted, plan));
  }

  /** Refuses an option beside another that leaves it without effect. */
  private void refuseWithoutEffect() {
    ParseResult parsed = spec.commandLine().getParseResult();
    WITHOUT_EFFECT.forEach((option, others) -> {
      if (parsed.hasMatchedOption(option)) {
        others.stream()
            .filter(parsed::hasMatchedOption)
            .findFirst()
            .ifPresent(other -> {
              throw new BadArgumentException(
                  other + " has no effect beside " + option + ": leave one of them out");
            });
      }
    });
  }

  /** Names the engine in use in each experiment, and makes sure that it is measured. */
  private Suite withCurrent(Suite asked, Engines present) {
    String store = data.sqlite();
    String engine = current != null ? current : store == null ? null : "sqlite";
    if (engine == null || (current == null && !present.names().contains(engine))) {
      return asked;
    }
    if (!engines.isEmpty() && !engines.contains(engine)) {
      engines = Stream.concat(engines.stream(), Stream.of(engine)).toList();
    }
    Aim.Current now =
        engine.equals("sqlite") && store != null
            ? new Aim.Current(engine, store)
            : new Aim.Current(engine, null);
    return asked.withExperiments(
        asked.experiments().stream()
            .map(each -> each.withAim(each.aim().withCurrent(now)))
            .toList());
  }

  private Suite suite() {
    Suite stored =
        spec.commandLine().getParseResult().hasMatchedPositional(0) ? null : against.suite();
    return stored == null ? SuiteFile.find(suite) : stored;
  }

  /**
   * What the user asked for; the rest as a stored run that it is compared with, if there is one.
   */
  private Settings settings(Suite asked) {
    ParseResult parsed = spec.commandLine().getParseResult();
    Settings fresh = Launch.settings(Launch.directory(run.out(), asked.name(), !dryRun), spec);
    return against
        .settings(fresh, data.given())
        .with(copy -> {
          copy.engines = engines.isEmpty() ? copy.engines : engines;
          if (trials != null || budget != null) {
            copy.trials = trials == null ? 0 : trials;
            copy.budget = budget == null ? 0 : Launch.seconds(budget);
          }
          copy.scale = parsed.hasMatchedOption("--scale") ? scale : copy.scale;
          copy.durability = durability == null ? copy.durability : Durability.of(durability);
          copy.threads = threads == null ? copy.threads : threads;
          copy.memory = memory == null ? copy.memory : Quantities.size("--memory", memory);
          copy.seed = parsed.hasMatchedOption("--seed") ? run.seed() : copy.seed;
          copy.strict = strict;
          copy.slices = slices ? Boolean.TRUE : copy.slices;
        });
  }

  private void checkNumbers() {
    checkCount("--trials", trials);
    if (trials != null && budget != null) {
      throw new BadArgumentException(
          "--trials fixes the number of trials, which --budget leaves open: give one of them");
    }
    checkCount("--threads", threads);
    run.check();
    if (!(scale > 0 && scale <= 1e6)) {
      throw new BadArgumentException(
          "--scale " + scale + ": give a number above 0, such as 0.1 or 10");
    }
  }

  private static void checkCount(String option, @Nullable Integer count) {
    if (count != null && count < 1) {
      throw new BadArgumentException(option + " " + count + ": give a whole number, 1 or more");
    }
  }
}
