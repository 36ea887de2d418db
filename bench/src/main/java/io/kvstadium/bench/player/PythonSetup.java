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

  /** In the order in which they are tried: the user's usual one first. */
  private static final List<String> NAMES =
      List.of("python3", "python3.13", "python3.12", "python3.11", "python3.14", "python");

  private static final String VERSION = "import sys; print('%d.%d' % sys.version_info[:2])";

  private PythonSetup() {}

  /**
   * The player, ready to run trials.
   *
   * @param own the user's interpreter, or the folder of its environment; {@code null} for one on
   *     the path
   * @throws BadArgumentException if there is none that works
   */
  public static PlayerProgram player(@Nullable Path own) {
    String python = own == null ? found() : checked(own);
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

  private static boolean suits(@Nullable String version) {
    return version != null
        && version.startsWith("3.")
        && Integer.parseInt(version.substring(2)) >= MIN_MINOR;
  }

  private static String found() {
    return NAMES.stream()
        .filter(each -> suits(version(each)))
        .findFirst()
        .orElseThrow(() ->
            new BadArgumentException(
                "no Python 3."
                    + MIN_MINOR
                    + " or newer was found: install one, or name it with --python"));
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
    if (!suits(version)) {
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
