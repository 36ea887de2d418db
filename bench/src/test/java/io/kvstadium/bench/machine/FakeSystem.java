package io.kvstadium.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Files such as a system would have. */
final class FakeSystem {
  private final Path root;

  FakeSystem(Path root) {
    this.root = root;
  }

  SystemFiles files() {
    return new SystemFiles(root);
  }

  Path path(String path) {
    return files().path(path);
  }

  /** Writes a file with its directories. */
  FakeSystem with(String path, String text) {
    Path file = path(path);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  String text(String path) {
    try {
      return Files.readString(path(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The kernel's files do not prevent the removal of a group; these do. */
  void clear(Path group) {
    try (Stream<Path> files = Files.list(group)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
