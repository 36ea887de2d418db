package io.kvstadium.conformance;

import io.kvstadium.store.engine.BackupTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A copy of a store's files.
 *
 * @param directory is made
 */
record FileCopy(Path directory) implements BackupTarget {
  FileCopy {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void addImmutable(Path file, String name) {
    try {
      Files.copy(file, directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
