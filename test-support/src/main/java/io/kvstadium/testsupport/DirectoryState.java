package io.kvstadium.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a directory looks like, for tests that nothing in it was touched. */
public final class DirectoryState {
  private DirectoryState() {}

  /** Length and time of each file, by its name, also in directories below. */
  public static Map<String, String> of(Path directory) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.put(file.toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
    }
    return all;
  }
}
