package io.kvstadium.torture.child;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Words for {@code sh}, and other programs. */
public final class Shell {
  private static final List<String> APART = isInstalled("setsid") ? List.of("setsid") : List.of();

  private Shell() {}

  /** A word that {@code sh} takes as it is. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Whether there is a program of this name. */
  public static boolean isInstalled(String program) {
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin";
    return Arrays.stream(path.split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /**
   * A process in a session of its own, where that is possible: a Ctrl-C in a terminal reaches this
   * virtual machine alone, which then ends the others in order.
   */
  public static ProcessBuilder apart(List<String> command) {
    return new ProcessBuilder(Stream.concat(APART.stream(), command.stream()).toList());
  }
}
