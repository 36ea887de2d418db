package io.kvstadium.cli.verify;

import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Invocation;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.record.RecorderProvider;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium check}: runs the conformance tests on an engine, in a separate process. */
@Command(
    name = "check",
    description = {
      FirstSentences.CHECK,
      "Exit code 0 if it passes, 1 if it does not, 2 if it could not be run. A pass of all tests is"
          + " remembered; until then an engine of your own counts as not verified."
    })
public final class CheckCommand implements Callable<Integer> {
  /** The main class of the tests, which are not on this process's class path. */
  private static final String MAIN = "io.kvstadium.conformance.Check";

  private static final String ALL = "*";

  @Mixin private Installed installed;

  @Parameters(paramLabel = "ENGINE", description = "The engine's name.")
  private String name;

  @Option(
      names = "--tests",
      paramLabel = "PATTERN",
      defaultValue = ALL,
      description = "Only tests with matching names, such as '*batch*' (default: all).")
  private String tests;

  @Option(
      names = "--url-options",
      paramLabel = "OPTIONS",
      defaultValue = "",
      description = "What the stores are opened with, such as \"volume=raf&lock_timeout=10s\".")
  private String options;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of the random and kill tests, as printed with a failure (default: a new one).")
  private @Nullable Long seed;

  @Option(
      names = "--no-interrupts",
      description = "Does not interrupt threads inside the engine, if its makers forbid that.")
  private boolean noInterrupts;

  @Option(names = "--stacks", description = "Prints every failure with its stack trace.")
  private boolean stacks;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Engines engines = installed.engines();
    if (name.indexOf(':') >= 0) {
      throw new BadArgumentException(
          "check tests an engine, not a store: name the engine alone, or use verify " + name);
    }
    Engine engine = engines.engine(name);
    if (name.equals("null")) {
      throw new BadArgumentException(
          "the conformance tests do not apply to engine null, which keeps nothing: check another one");
    }
    String unavailable = engine.unavailable();
    if (unavailable != null) {
      throw new BadArgumentException("engine " + name + " cannot be used: " + unavailable);
    }
    String given = promisesNothing(engine.info()) ? "durability=none" : "";
    String used =
        given.isEmpty() || options.contains("durability=")
            ? options
            : options.isEmpty() ? given : given + "&" + options;
    engines.check(name + ":store" + (used.isEmpty() ? "" : "?" + used));
    System.err.println("The conformance tests on " + name + " " + engine.info().version());
    int exit = run(used);
    if (exit == 0 && tests.equals(ALL)) {
      installed.verified().remember(name);
    }
    return exit;
  }

  /** Runs the tests; their output goes where this process's output goes. */
  private int run(String used) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command(used)).inheritIO();
    RecorderProvider.removeFrom(builder.environment());
    Process process = builder.start();
    Thread ending = Thread.ofPlatform().unstarted(process::destroy);
    Runtime.getRuntime().addShutdownHook(ending);
    return process.waitFor();
  }

  private List<String> command(String used) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--") || argument.startsWith("-D"))
        .forEach(command::add);
    command.add("-Xmx1g"); // values of many MiB are among the tests
    command.add("-Dstdout.encoding=UTF-8");
    command.add("-Dstadium.leaks=always");
    command.add("-Dstadium.check.engine=" + name);
    command.add("-Dstadium.check.options=" + used);
    command.add("-Dstadium.check.interrupts=" + !noInterrupts);
    if (seed != null) {
      command.add("-Dstadium.seed=" + seed);
    }
    command.addAll(List.of("-cp", classPath(), MAIN, tests, again()));
    if (stacks) {
      command.add("stacks");
    }
    return command;
  }

  /** The class path: the library, the tests and the engine, and nothing else of this command. */
  private String classPath() {
    Path tested = installed.conformanceTests();
    if (tested == null) {
      if (ClassLoader.getSystemResource(MAIN.replace('.', '/') + ".class") == null) {
        throw new BadArgumentException(
            "this distribution has no folder 'check' with the conformance tests: it is not complete");
      }
      return Stream.concat(
              Stream.of(System.getProperty("java.class.path")),
              installed.jars(name).stream().map(Path::toString))
          .collect(Collectors.joining(File.pathSeparator));
    }
    List<Path> all = new ArrayList<>();
    all.add(jarOf(Engines.class));
    all.add(jarOf(NullMarked.class));
    all.addAll(Installed.jarsIn(tested));
    all.addAll(installed.jars(name));
    return all.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static Path jarOf(Class<?> type) {
    return Path.of(
        java.net.URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** The command that runs the check again, without tests and seed. */
  private String again() {
    StringBuilder again = new StringBuilder(Invocation.again("check", name));
    installed
        .named()
        .ifPresent(path -> again.append(" --engine-path ").append(Invocation.quoted(path)));
    if (!options.isEmpty()) {
      again.append(" --url-options ").append(Invocation.quoted(options));
    }
    return again.append(noInterrupts ? " --no-interrupts" : "").toString();
  }

  /**
   * Returns whether the engine keeps files but makes no promise for them, so it must be opened with
   * durability none.
   */
  private static boolean promisesNothing(EngineInfo info) {
    return info.capabilities().contains(Capability.PERSISTENT)
        && !info.durability().containsKey(Durability.CONSISTENT);
  }
}
