package io.kvstadium.bench.player;

import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Unpacks the player for Python. */
public final class PythonSetup {
  private static final List<String> FILES = List.of("__main__.py", "engines.py", "traces.py");

  private PythonSetup() {}

  /**
   * The player, ready to run trials.
   *
   * @param own the user's interpreter, or the folder of its environment; {@code null} for one on
   *     the path
   * @throws io.kvstadium.store.BadArgumentException if there is none that works
   */
  public static PlayerProgram player(@Nullable Path own) {
    String python =
        own == null
            ? "python3"
            : (Files.isDirectory(own) ? own.resolve("bin").resolve("python") : own).toString();
    return PlayerProgram.of(List.of(python, "-B", unpacked().toString()));
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
