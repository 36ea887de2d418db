package io.kvstadium.cli;

import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.cli.io.Invocation;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command in a separate process, as the launcher starts it. */
final class Cli {
  private static final long PATIENCE_MINUTES = 10;

  /**
   * If tests run in the background or under nohup, they and their children ignore SIGINT or SIGHUP;
   * a shell cannot undo that, but this command can. Empty if none is known; tests of these signals
   * then need a terminal.
   */
  private static final List<String> HEEDING_SIGNALS = heedingSignals();

  private static final String ALL = System.getProperty("java.class.path");

  /**
   * For benchmarks: without the null engine, so that what the harness costs is not measured each
   * time, which takes longer than a small suite.
   */
  private static final String UNAUDITED =
      Stream.of(ALL.split(File.pathSeparator, -1))
          .filter(entry -> !entry.matches(".*\\bnull/target/.*|.*kv-stadium-engine-null-.*"))
          .collect(Collectors.joining(File.pathSeparator));

  private final Path directory;
  private final List<String> jvmArguments = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private @Nullable String classPath;
  private String main = Main.class.getName();

  /**
   * @param directory where the command runs; it leaves nothing there but what it is asked for
   */
  Cli(Path directory) {
    this.directory = directory;
    jvmArguments.add("-XX:TieredStopAtLevel=1"); // starts in half the CPU time
    withProperty(ForkedExecutor.FLAG, "-XX:TieredStopAtLevel=1"); // and so do its trials
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(Cli::isOfTheLauncher)
        .forEach(jvmArguments::add);
  }

  private static List<String> heedingSignals() {
    List<String> command = List.of("env", "--default-signal=INT,HUP");
    try {
      Process trial =
          new ProcessBuilder(Stream.concat(command.stream(), Stream.of("true")).toList())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return trial.waitFor() == 0 ? command : List.of();
    } catch (IOException e) {
      return List.of(); // no such program
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** What a run left. */
  record Run(int exit, String out, String err) {
    List<String> outLines() {
      return out.lines().toList();
    }

    List<String> errLines() {
      return err.lines().toList();
    }
  }

  Cli withClassPath(String path) {
    classPath = path;
    return this;
  }

  Cli withMain(String className) {
    main = className;
    return this;
  }

  Cli withProperty(String name, Object value) {
    return withJvmArgument("-D" + name + "=" + value);
  }

  Cli withVariable(String name, Object value) {
    environment.put(name, value.toString());
    return this;
  }

  Cli withJvmArgument(String argument) {
    jvmArguments.add(argument);
    return this;
  }

  /** The command with its arguments, as a shell takes it. */
  String line(Object... arguments) {
    return command(arguments).stream().map(Invocation::quoted).collect(Collectors.joining(" "));
  }

  private List<String> command(Object... arguments) {
    List<String> command = new ArrayList<>(HEEDING_SIGNALS);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments);
    String usual = arguments.length > 0 && arguments[0].equals("bench") ? UNAUDITED : ALL;
    command.addAll(List.of("-cp", classPath == null ? usual : classPath, main));
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    return command;
  }

  Run run(Object... arguments) {
    return start(arguments).end();
  }

  /** A run of a shell's script, made of {@link #line lines}. */
  Run sh(String script) {
    return new Started(List.of("sh", "-c", script), List.of()).end();
  }

  /** A run that reads this from standard input. */
  Run runWith(byte[] input, Object... arguments) {
    Started started = start(arguments);
    try (OutputStream in = started.process().getOutputStream()) {
      in.write(input);
    } catch (IOException e) {
      throw new UncheckedIOException("the command has ended before it read its input", e);
    }
    return started.end();
  }

  Started start(Object... arguments) {
    return new Started(command(arguments), Stream.of(arguments).map(String::valueOf).toList());
  }

  /** A run that is still running. */
  final class Started {
    private final Process process;
    private final Path out;
    private final Path err;
    private final List<String> arguments;

    private Started(List<String> command, List<String> arguments) {
      this.arguments = arguments;
      try {
        out = Files.createTempFile("stadium", ".out");
        err = Files.createTempFile("stadium", ".err");
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        builder.environment().remove("GLIBC_TUNABLES"); // of these tests, and no user's
        builder.environment().remove("XDG_STATE_HOME"); // so its state is below user.home
        process = builder.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Process process() {
      return process;
    }

    /** Returns what it has said so far, as if it had ended with this exit code. */
    Run soFar(int exit) {
      return new Run(exit, read(out), read(err));
    }

    /** Waits until the run prints this on standard error, or ends. */
    void awaitError(String text) {
      await(() -> read(err).contains(text));
    }

    /**
     * Waits until the run prints this on standard output, or ends; returns everything printed
     * there.
     */
    String awaitOutput(String text) {
      await(() -> read(out).contains(text));
      return read(out);
    }

    /** Waits until there is a trial's process, or the run ends. */
    void awaitChild() {
      await(() -> process.children().findAny().isPresent());
    }

    private void await(BooleanSupplier condition) {
      while (process.isAlive() && !condition.getAsBoolean()) {
        try {
          process.waitFor(20, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          process.destroyForcibly();
          Thread.currentThread().interrupt();
        }
      }
    }

    Run end() {
      try {
        if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
          throw new AssertionError("the command hangs, after it said: " + read(err));
        }
        Run run = soFar(process.exitValue());
        Files.delete(out);
        Files.delete(err);
        if (main.equals(Main.class.getName())) {
          Advice.check(arguments, run.err());
        }
        return run;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  private static boolean isOfTheLauncher(String argument) {
    return argument.startsWith("--add-opens")
        || argument.startsWith("--enable-native-access")
        || argument.startsWith("--sun-misc-unsafe-memory-access");
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
