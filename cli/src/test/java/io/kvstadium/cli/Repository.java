package io.kvstadium.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The source tree that is being tested. */
final class Repository {
  private Repository() {}

  /** The folder that holds all modules. */
  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("cli/src"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("not in the source tree: " + Path.of("").toAbsolutePath());
      }
      folder = parent;
    }
    return folder;
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
