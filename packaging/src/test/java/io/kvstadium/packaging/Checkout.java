package io.kvstadium.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Paths in the checkout, and how programs are run. */
final class Checkout {
  static final Path ROOT = Path.of(System.getProperty("stadium.root"));
  static final String VERSION = System.getProperty("stadium.version");

  private Checkout() {}

  /** The file that the build made in a module. */
  static Path built(String module, String file) {
    return ROOT.resolve(module).resolve(System.getProperty("stadium.build")).resolve(file);
  }

  static Path tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name);
  }

  /** Runs the command from the distribution that this build has laid out. */
  static Run stadium(Path directory, List<String> arguments)
      throws IOException, InterruptedException {
    Path distribution = ROOT.resolve("target/dist");
    List<String> command =
        new ArrayList<>(
            List.of(
                tool("java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                distribution.resolve("lib") + "/*",
                "io.kvstadium.cli.Main"));
    command.addAll(arguments);
    if (!arguments.contains("--engine-path")) {
      command.addAll(List.of("--engine-path", distribution.resolve("engines").toString()));
    }
    return run(directory, command);
  }

  /** A program's exit code, and what it wrote to both of its outputs. */
  record Run(int exit, String said) {}

  /** Runs a program on this JDK, for at most five minutes. */
  static Run run(Path directory, List<String> command) throws IOException, InterruptedException {
    return run(directory, command, 5);
  }

  /** Runs a program on this JDK, for at most so many minutes. */
  static Run run(Path directory, List<String> command, int minutes)
      throws IOException, InterruptedException {
    Path said = Files.createTempFile(directory, "run", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("MAVEN_ARGS");
    Process process = builder.start();
    try {
      if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
        throw new IllegalStateException(command + " hangs: " + Files.readString(said));
      }
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(said));
  }
}
