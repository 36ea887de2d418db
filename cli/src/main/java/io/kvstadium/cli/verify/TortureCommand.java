package io.kvstadium.cli.verify;

import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.engines.PlayerOptions;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Interrupt;
import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.cli.io.Version;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.internal.Why;
import io.kvstadium.torture.FaultResult;
import io.kvstadium.torture.Settings;
import io.kvstadium.torture.Torture;
import io.kvstadium.torture.child.Children;
import io.kvstadium.torture.child.JavaChild;
import io.kvstadium.torture.child.Players;
import io.kvstadium.torture.evidence.TortureResults;
import io.kvstadium.torture.fault.DiskFormat;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.program.ProgramResult;
import io.kvstadium.torture.program.ProgramSettings;
import io.kvstadium.torture.program.ProgramTorture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium torture}: kills and power cuts, and what they leave. */
@Command(
    name = "torture",
    description = {
      FirstSentences.TORTURE,
      "Exit code 0 if every guarantee held, 1 if one was broken, 2 if it could not run."
    })
public final class TortureCommand implements Callable<Integer> {
  private static final Set<String> WITH_PROGRAM =
      Set.of(
          "--program",
          "--check",
          "--window",
          "--patience",
          "--faults",
          "--fs",
          "--rounds",
          "--seed",
          "--require",
          "--replay",
          "--keep");

  private static final Set<String> WITH_REPLAY =
      Set.of("--replay", "--keep", "--json", "--engine-path", "--language", "--python");

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;
  @Mixin private PlayerOptions players;

  @Parameters(
      paramLabel = "ENGINE-URL",
      arity = "0..1",
      description =
          "Such as rocksdb: for a temporary directory, or rocksdb:DIR?option=value with DIR empty"
              + " or missing.")
  private @Nullable String url;

  @Option(
      names = "--language",
      paramLabel = "NAME",
      description =
          "The store is one of python, go or rust, and its player uses it; or NAME=COMMAND, which"
              + " starts another player.")
  private @Nullable String language;

  @Option(
      names = "--program",
      paramLabel = "CMD",
      description =
          "Instead of a store: a command line that works in the directory {dir} and prints a line for"
              + " each thing that it has acknowledged.")
  private @Nullable String program;

  @Option(
      names = "--check",
      paramLabel = "CMD",
      description =
          "With --program: a command line that reads these lines from its standard input, looks into"
              + " {dir}, and exits 0, or 1 and says what is wrong.")
  private @Nullable String check;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      description =
          "With --program: the longest time from its first line to the fault (default: its own run,"
              + " at most 250ms).")
  private @Nullable String window;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "60s",
      description =
          "With --program: the longest wait for its first line, and for the check (default: 60s).")
  private String patience = "60s";

  @Option(
      names = "--durability",
      paramLabel = "LEVEL,…",
      description =
          "Any of none, process, consistent and power (default: all that the engine offers).")
  private List<String> wantedLevels = List.of();

  @Option(
      names = "--faults",
      paramLabel = "FAULT,…",
      description =
          "Any of kill, server, power, sector, slow, lie, eio, full and flip (default: kill,power)."
              + " Those not available here are skipped.")
  private List<String> faults = List.of("kill", "power");

  @Option(
      names = "--fs",
      paramLabel = "NAME",
      description = "File system for power: ext4 or xfs (default: random, among those available).")
  private @Nullable String fileSystem;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Rounds for each level and fault (default: 20).")
  private int rounds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "3",
      description = "Threads that write at once (default: 3).")
  private int threads;

  @Option(names = "--seed", paramLabel = "N", description = "Random seed (default: a new one).")
  private @Nullable Long seed;

  @Option(
      names = "--hold-to",
      paramLabel = "LEVEL",
      description =
          "Checks by this level instead of the store's own, to see whether violations would be"
              + " noticed.")
  private @Nullable String held;

  @Option(
      names = "--require",
      description =
          "Fails before anything is tried if a fault is not possible here, instead of leaving it"
              + " out.")
  private boolean require;

  @Option(
      names = "--replay",
      paramLabel = "LINE",
      description = "Repeats a finding by the line that it was printed with, up to 20 times.")
  private @Nullable String replay;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keeps each store that broke a guarantee in this directory, as the fault left it; the"
              + " directory must be empty or missing.")
  private @Nullable Path keep;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also writes what was found to a file, after each fault of each level.")
  private @Nullable Path json;

  @Override
  public Integer call() throws InterruptedException {
    if (program != null || check != null) {
      return tortureProgram();
    }
    for (String option : List.of("--window", "--patience")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new BadArgumentException(option + " is for --program CMD --check CMD: leave it out");
      }
    }
    if (replay != null) {
      Mistakes.refuseOthers(spec, WITH_REPLAY, "--replay has all that it needs in its line");
    }
    PlayerProgram player =
        language == null || language.equals(Configuration.JAVA) ? null : players.program(language);
    Engines engines = player == null ? installed.engines() : player.engines();
    boolean together = player == null || player.hello().plays().contains("threads");
    Settings settings =
        replay == null ? settings(engines, together ? threads : 1) : Settings.replaying(replay);
    try (Interrupt _ = new Interrupt(() -> {}); // who watches the children is told otherwise
        TortureText text = new TortureText(settings, language)) {
      EngineInfo engine = engines.engine(settings.url().engine()).info();
      Children children =
          player == null
              ? new JavaChild.Machines()
              : new Players(player.command(), engine.capabilities());
      Torture torture = new Torture(settings, children, text);
      if (require) {
        requirePossible(torture.impossible());
      }
      List<FaultResult> results =
          torture.run(
              engines,
              keep,
              soFar -> write(TortureResults.of(Version.number(), settings, engine, soFar)));
      text.summary(results, torture.isInterrupted());
      return results.stream().allMatch(result -> result.broken().isEmpty()) ? 0 : 1;
    }
  }

  private int tortureProgram() throws InterruptedException {
    Mistakes.refuseOthers(spec, WITH_PROGRAM, "--program and --check take the place of a store");
    if (program == null || check == null) {
      throw new BadArgumentException(
          "--program and --check go together: give %s as well"
              .formatted(program == null ? "--program CMD" : "--check CMD"));
    }
    ProgramSettings settings =
        new ProgramSettings(
            program,
            check,
            wantedFaults(),
            wantedFormat(),
            rounds,
            window == null ? null : Options.parseDuration(window),
            Options.parseDuration(patience),
            wantedSeed(),
            false,
            keep == null ? Runtime.getRuntime().availableProcessors() : 1);
    ProgramSettings whole = replay == null ? settings : settings.replaying(replay);
    try (Interrupt _ = new Interrupt(() -> {});
        ProgramTortureText text = new ProgramTortureText(whole)) {
      ProgramTorture torture = new ProgramTorture(whole, text);
      if (require) {
        requirePossible(torture.impossible());
      }
      List<ProgramResult> results = torture.run(null, keep);
      text.summary(results, torture.isInterrupted());
      return results.stream().noneMatch(ProgramResult::isFailure) ? 0 : 1;
    }
  }

  private void write(TortureResults results) {
    try {
      if (json != null) {
        results.write(json);
      }
    } catch (IOException e) {
      throw new BadArgumentException("cannot write " + json + " (" + Why.of(e) + ")", e);
    }
  }

  private static void requirePossible(Map<Fault, String> impossible) {
    impossible.forEach((fault, reason) -> {
      throw new BadArgumentException(
          "fault %s is not possible here: %s (without --require it is left out)"
              .formatted(fault.word(), reason));
    });
  }

  private List<Fault> wantedFaults() {
    return ValueList.of("--faults", faults).stream().map(Fault::of).toList();
  }

  private @Nullable DiskFormat wantedFormat() {
    return fileSystem == null ? null : DiskFormat.of(fileSystem);
  }

  private long wantedSeed() {
    return seed == null ? new SplittableRandom().nextLong(1_000_000_000) : seed;
  }

  private Settings settings(Engines engines, int writers) {
    if (url == null) {
      throw new BadArgumentException(
          "name a store, such as rocksdb:, or give --program CMD --check CMD, or a --replay LINE");
    }
    StoreUrl parsed = StoreUrl.parse(url);
    if (parsed.options().containsKey("durability")) {
      throw new BadArgumentException(
          url + ": give the durability with --durability, or leave it out for all levels");
    }
    Engine engine = engines.engine(parsed.engine());
    String unavailable = engine.unavailable();
    if (unavailable != null) {
      throw new BadArgumentException(
          "engine " + parsed.engine() + " cannot be used here: " + unavailable);
    }
    List<Durability> given = Torture.levels(engine.info());
    List<Durability> levels =
        ValueList.of("--durability", wantedLevels).stream().map(Durability::of).toList();
    if (!given.containsAll(levels)) {
      throw new BadArgumentException(
          "engine "
              + parsed.engine()
              + " has no separate settings for "
              + String.join(", ", wantedLevels)
              + "; it has them for "
              + String.join(", ", given.stream().map(Durability::word).toList()));
    }
    return new Settings(
        parsed,
        levels.isEmpty() ? given : levels,
        held == null ? null : Durability.of(held),
        wantedFaults(),
        wantedFormat(),
        rounds,
        writers,
        wantedSeed(),
        false);
  }
}
