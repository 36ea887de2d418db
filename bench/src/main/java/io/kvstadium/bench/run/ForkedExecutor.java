package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.Availability;
import io.kvstadium.bench.machine.ControlGroups;
import io.kvstadium.bench.machine.OtherPrograms;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.player.PlayedTrial;
import io.kvstadium.bench.player.Player;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialEngines;
import io.kvstadium.bench.trial.TrialMain;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs each trial in its own process: a virtual machine, started like this one but with a fixed
 * heap, or the player of another language.
 */
public final class ForkedExecutor implements Executor {
  /**
   * System property with one more flag for the virtual machines of trials. For tests of the
   * harness: results do not mention it.
   */
  public static final String FLAG = "stadium.trial.flag";

  /** Exit code of a virtual machine that was ended by SIGINT. */
  private static final int INTERRUPTED = 130;

  private static final long STOP_SECONDS = 2;
  private static final int KIB = 1024;

  /** So that samples are exact in compiled code, and have whole stacks. */
  private static final List<String> PROFILING =
      List.of(
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+DebugNonSafepoints",
          "-XX:FlightRecorderOptions=stackdepth=256");

  private final long watchdogSeconds;
  private final @Nullable String engines;
  private final @Nullable Path archive;
  private final Map<String, PlayerProgram> players;
  private final Supplier<Availability> groups;
  private final Set<TrialProcess> running = ConcurrentHashMap.newKeySet();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final OtherPrograms others = new OtherPrograms();
  private final Disturbances disturbances =
      new Disturbances(Runtime.getRuntime().availableProcessors());

  /**
   * Creates one whose trials start sooner, because the first leaves an archive of loaded classes
   * (no compiled code) for the others where the stores are.
   *
   * @param watchdogSeconds after how long without a word or work a trial is taken for dead
   * @param engines the folder of engines, or {@code null} if they are on the class path
   * @param out the directory of the run
   * @param languages whose players run trials
   */
  public ForkedExecutor(
      long watchdogSeconds, @Nullable String engines, Path out, Languages languages) {
    this(
        watchdogSeconds,
        engines,
        RunDirectory.archive(out),
        languages.players(),
        ControlGroups::find);
  }

  ForkedExecutor(
      long watchdogSeconds,
      @Nullable String engines,
      @Nullable Path archive,
      Map<String, PlayerProgram> players,
      Supplier<Availability> groups) {
    this.watchdogSeconds = watchdogSeconds;
    this.engines = engines;
    this.archive = archive;
    this.players = Map.copyOf(players);
    this.groups = groups;
  }

  @Override
  public @Nullable String engineFolders() {
    return engines;
  }

  @Override
  public List<Finding> check(Resources resources) {
    List<Finding> findings = new ArrayList<>(MemoryLimit.check(resources, groups));
    findings.addAll(TrialEnvironment.findings(System.getenv()));
    return findings;
  }

  @Override
  public void check(List<String> jvm) {
    if (jvm.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(jvm);
    command.add("-version");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
      if (process.waitFor() != 0) {
        throw new BadArgumentException(
            "Java does not take jvm = [%s] of the suite: %s"
                .formatted(String.join(", ", jvm), said.lines().findFirst().orElse("")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  @Override
  public boolean takesTurns() {
    return true;
  }

  @Override
  public List<Finding> noticed() {
    return disturbances.findings();
  }

  @Override
  public Message.Done run(TrialPlan plan, Resources resources, Consumer<Message> listener) {
    return disturbances.watch(
        plan.configuration(), others::now, () -> runLimited(plan, resources, listener));
  }

  private Message.Done runLimited(TrialPlan plan, Resources resources, Consumer<Message> listener) {
    String name = plan.configuration().name() + "-" + plan.number();
    PlayerProgram program = players.get(plan.configuration().language());
    try (MemoryLimit limit = MemoryLimit.of(name, resources, groups)) {
      return limit.judge(
          program == null
              ? run(plan, resources, limit, listener)
              : run(program, plan, limit, listener));
    } catch (IOException e) {
      return failed(plan, "the trial's process could not be run: " + e);
    }
  }

  private Message.Done run(
      TrialPlan plan, Resources resources, MemoryLimit limit, Consumer<Message> listener)
      throws IOException {
    // bindings unpack native code there, and a process that is ended does not clear up: it goes
    // with the trial's directory, which the next run removes if this one cannot
    Path temporary = Files.createDirectories(Path.of(plan.directory(), "temporary"));
    TrialProcess process = start(plan, "stderr.txt", command(plan, resources, limit, temporary));
    try (process) {
      process.send(plan);
      // also at the last line, while the process is still there
      Message.Done done =
          process.listen(Message.Done.class, each -> hear(each, process, listener), limit::look);
      return done == null ? closed(plan, process) : done;
    } catch (TrialProcess.UnreadableLineException e) {
      return failed(plan, String.valueOf(e.getMessage()));
    } finally {
      running.remove(process);
    }
  }

  /** The listener returns when it is the trial's turn, which is stopped until then. */
  private static void hear(Message message, TrialProcess process, Consumer<Message> listener) {
    if (message instanceof Message.Turn) {
      process.stop();
      listener.accept(message);
      process.proceed();
    } else {
      listener.accept(message);
    }
  }

  private Message.Done run(
      PlayerProgram program, TrialPlan plan, MemoryLimit limit, Consumer<Message> listener)
      throws IOException {
    List<String> command = new ArrayList<>(limit.commandPrefix());
    command.addAll(program.playing());
    TrialProcess process = start(plan, "stderr.txt", command);
    try (process) {
      Player player = new PlayerProcess(process, limit);
      EngineInfo engine = program.engines().engine(plan.configuration().engine()).info();
      return new PlayedTrial(plan, engine, player, listener).run();
    } catch (Player.EndedException e) {
      return closed(plan, process);
    } catch (UncheckedIOException e) {
      return failed(plan, String.valueOf(Objects.requireNonNull(e.getCause()).getMessage()));
    } catch (RuntimeException e) { // whatever it was: the other trials go on
      return failed(plan, "the trial broke: " + e);
    } finally {
      running.remove(process);
    }
  }

  /** The player that a process is. */
  private record PlayerProcess(TrialProcess process, MemoryLimit limit) implements Player {
    @Override
    public Message.Played does(Map<String, ?> task) {
      process.send(task);
      try {
        Message.Played played = process.listen(Message.Played.class, _ -> {}, limit::look);
        if (played == null) {
          throw new EndedException();
        }
        return played;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public long pid() {
      return process.pid();
    }
  }

  private Message.Done closed(TrialPlan plan, TrialProcess process) throws IOException {
    process.close();
    return died(plan, process);
  }

  private TrialProcess start(TrialPlan plan, String log, List<String> command) throws IOException {
    TrialProcess process =
        new TrialProcess(command, Path.of(plan.directory(), log), watchdogSeconds);
    running.add(process);
    if (stopped.getCount() == 0) {
      process.kill(); // stop() may have come before there was a process to end
    }
    return process;
  }

  /** Ends the running trial, if there is one, and every later one as soon as it starts. */
  public void stop() {
    stopped.countDown();
    running.forEach(TrialProcess::kill);
  }

  private List<String> command(
      TrialPlan plan, Resources resources, MemoryLimit limit, Path temporary) {
    Configuration configuration = plan.configuration();
    List<String> command = new ArrayList<>(limit.commandPrefix());
    command.add(java());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (concernsEngines(argument)) {
        command.add(argument);
      }
    }
    String flag = System.getProperty(FLAG);
    if (flag != null) {
      command.add(flag);
    }
    String folders = configuration.folders() == null ? engines : configuration.folders();
    if (folders != null) {
      command.add("-D" + TrialEngines.FOLDERS + "=" + folders);
    }
    command.add("-Djava.io.tmpdir=" + temporary.toAbsolutePath());
    command.add("-Xms" + resources.heap() / KIB + "k");
    command.add("-Xmx" + resources.heap() / KIB + "k");
    command.add("-XX:-UsePerfData"); // spares a memory-mapped file that is written to at safepoints
    command.addAll(limit.jvmArguments());
    command.addAll(configuration.jvm());
    if (plan.profiling() != null) {
      command.addAll(PROFILING);
    }
    if (archive != null && resources.memory() == 0) { // making it takes memory
      command.add("-XX:+AutoCreateSharedArchive");
      command.add("-XX:SharedArchiveFile=" + archive.toAbsolutePath());
      command.add("-Xlog:aot*=off:stderr");
    }
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), TrialMain.class.getName()));
    return command;
  }

  /**
   * Returns whether engines need an argument; not heap sizes, and not an archive that would bring
   * compiled code.
   */
  private static boolean concernsEngines(String argument) {
    return argument.startsWith("--add-opens")
        || argument.startsWith("--add-exports")
        || argument.startsWith("--enable-native-access")
        || argument.startsWith("--sun-misc-unsafe-memory-access")
        || argument.startsWith("-D");
  }

  private Message.Done died(TrialPlan plan, TrialProcess process) throws IOException {
    if (process.exitCode() == INTERRUPTED) {
      awaitStop();
    }
    return failed(plan, process.lastWords());
  }

  /**
   * Ctrl-C in a terminal goes to the trial too, which may end before this process stops: a failure
   * that returned earlier would be blamed on the engine.
   */
  private void awaitStop() {
    try {
      boolean ignored = stopped.await(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Message.Done failed(TrialPlan plan, String why) {
    return new Message.Done(TrialResult.failed(plan.number(), plan.seed(), why), Map.of());
  }
}
