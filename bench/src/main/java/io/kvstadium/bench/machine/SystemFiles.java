package io.kvstadium.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The small text files in which the system describes itself.
 *
 * @param root {@code /}, or a directory with made-up files for tests
 */
public record SystemFiles(Path root) {
  static SystemFiles real() {
    return new SystemFiles(Path.of("/"));
  }

  /**
   * @param path absolute, such as {@code /proc/stat}
   */
  Path path(String path) {
    return root.resolve(path.substring(1));
  }

  /** The lines of a file, or none if it is missing or cannot be read. */
  List<String> lines(String path) {
    return lines(path(path));
  }

  static List<String> lines(Path path) {
    if (!Files.isReadable(path)) {
      return List.of();
    }
    try {
      return Files.readAllLines(path);
    } catch (IOException e) {
      return List.of(); // as good as not there: nothing is known
    }
  }

  /** The first line, or {@code null} where there is none. */
  @Nullable String line(String path) {
    return line(path(path));
  }

  static @Nullable String line(Path path) {
    List<String> lines = lines(path);
    return lines.isEmpty() ? null : lines.getFirst().strip();
  }

  /** Lines of a name, a separator and a whole number, by name; others are left out. */
  public static Map<String, Long> numbers(Path path) {
    Map<String, Long> numbers = new TreeMap<>();
    for (String line : lines(path)) {
      String[] words = line.strip().split("[:\\s]+", 3);
      if (words.length > 1) {
        number(words[1]).ifPresent(value -> numbers.put(words[0], value));
      }
    }
    return numbers;
  }

  /** A file that is one whole number, or -1. */
  static long number(Path path) {
    String line = line(path);
    return line == null ? -1 : number(line).orElse(-1);
  }

  private static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // such as "max"
    }
  }
}
