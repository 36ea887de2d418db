package io.kvstadium.store.engine.help;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of an engine that keeps each table in a separate file.
 *
 * @param directory the store's directory
 * @param suffix what follows the table's name
 */
public record TableFiles(Path directory, String suffix) {
  /** The file of a table, which may not exist. */
  public Path of(String table) {
    return directory.resolve(table + suffix);
  }

  /** The tables that have a file; none if there is no directory. */
  public Set<String> tables() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(suffix))
          .map(name -> name.substring(0, name.length() - suffix.length()))
          .collect(Collectors.toSet());
    } catch (NoSuchFileException e) {
      return Set.of();
    }
  }
}
