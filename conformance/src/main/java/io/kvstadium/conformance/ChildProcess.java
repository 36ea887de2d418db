package io.kvstadium.conformance;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts another virtual machine like this one. */
public final class ChildProcess {
  private ChildProcess() {}

  /** Returns the command that runs a class with this virtual machine's class path and flags. */
  public static List<String> command(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!argument.startsWith("-agentlib") && !argument.startsWith("-javaagent")) {
        command.add(argument);
      }
    }
    command.add("-XX:TieredStopAtLevel=1"); // starts sooner
    command.add("-XX:+DisplayVMOutputToStderr"); // standard output is for answers
    command.add("-cp");
    command.add(
        Stream.of("java.class.path", "jdk.module.path") // the child has no modules of its own
            .map(System::getProperty)
            .filter(path -> path != null && !path.isEmpty())
            .collect(Collectors.joining(File.pathSeparator)));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Whether a process can have mounts of its own. */
  public static boolean canMount() throws IOException, InterruptedException {
    return new ProcessBuilder("unshare", "-rm", "true").start().waitFor() == 0;
  }

  /**
   * What a class with one argument prints: this directory, which is made and is mounted {@code
   * noexec}, as is the one for temporary files in it. Nobody else sees the mount.
   */
  public static List<String> withNoexec(Class<?> main, Path directory)
      throws IOException, InterruptedException {
    String script =
        "mkdir \"$0\" && mount -t tmpfs -o noexec none \"$0\" && mkdir \"$0/tmp\" && exec \"$@\"";
    List<String> command = command(main, directory.toString());
    command.add(1, "-Djava.io.tmpdir=" + directory.resolve("tmp"));
    command.addAll(0, List.of("unshare", "-rm", "sh", "-c", script, directory.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(main.getName() + " failed: " + lines);
    }
    return lines;
  }
}
