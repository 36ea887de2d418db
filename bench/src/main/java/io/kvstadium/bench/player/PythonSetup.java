package io.kvstadium.bench.player;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds a Python, and unpacks the player for it. */
public final class PythonSetup {
  private static final int MIN_MINOR = 11;
  private static final List<String> FILES = List.of("__main__.py", "engines.py", "traces.py");

  private static final String VERSION = "import sys; print('%d.%d' % sys.version_info[:2])";

  private PythonSetup() {}

  /**
   * The player, ready to run trials.
   *
   * @param own the user's interpreter, or the folder of its environment; {@code null} for python3
   * @throws BadArgumentException if there is none that works
   */
  public static PlayerProgram player(@Nullable Path own) {
    String python = checked(own == null ? Path.of("python3") : own);
    return PlayerProgram.of(List.of(python, "-B", unpacked().toString()));
  }

  /** What a command printed, and how it ended. */
  private record Ran(int exit, List<String> lines) {
    String last() {
      return lines.isEmpty() ? "it said nothing" : lines.getLast().strip();
    }
  }

  private static Ran run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ran(process.waitFor(), said.lines().filter(line -> !line.isBlank()).toList());
    } catch (IOException e) {
      return new Ran(-1, List.of(String.valueOf(e.getMessage()))); // there is no such program
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Ran(-1, List.of("interrupted"));
    }
  }

  /** Returns for example {@code 3.12}, or {@code null} if this is not a Python that starts. */
  private static @Nullable String version(String python) {
    Ran ran = run(python, "-c", VERSION);
    return ran.exit() == 0 && ran.last().matches("\\d+\\.\\d+") ? ran.last() : null;
  }

  private static String checked(Path own) {
    String python = Files.isDirectory(own) ? interpreter(own).toString() : own.toString();
    String version = version(python);
    if (version == null) {
      throw new BadArgumentException(
          "--python "
              + own
              + " is not a Python that starts: give its path, or that of its environment");
    }
    if (!version.startsWith("3.") || Integer.parseInt(version.substring(2)) < MIN_MINOR) {
      throw new BadArgumentException(
          "--python "
              + own
              + " is Python "
              + version
              + ", and trials need 3."
              + MIN_MINOR
              + " or newer: give another one");
    }
    return python;
  }

  private static Path interpreter(Path environment) {
    Path windows = environment.resolve("Scripts").resolve("python.exe");
    return Files.exists(windows) ? windows : environment.resolve("bin").resolve("python");
  }

  /** A folder with the player's files, which is removed when this program ends. */
  private static Path unpacked() {
    try {
      Path folder = Files.createTempDirectory("stadium-python");
      folder.toFile().deleteOnExit();
      for (String name : FILES) {
        Path file = folder.resolve(name);
        file.toFile().deleteOnExit();
        try (InputStream in = PythonSetup.class.getResourceAsStream("python/" + name)) {
          Files.copy(Objects.requireNonNull(in, "the program has no " + name), file);
        }
      }
      return folder;
    } catch (IOException e) {
      throw new StoreIoException(
          "the Python player cannot be unpacked to the directory for temporary files ("
              + e
              + "): make room there, or set -Djava.io.tmpdir",
          e);
    }
  }
}
