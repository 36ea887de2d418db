package io.kvstadium.store.internal.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Which other processes have a store open. */
public final class OpenElsewhere {
  private static final Path PROCESSES = Path.of("/proc");

  private OpenElsewhere() {}

  /**
   * Those that have a file, or one of a directory's, open: to follow "open in another process".
   * Empty where that cannot be told: not on Linux, or if they are another user's.
   */
  public static String by(Path place) {
    try (Stream<Path> all = Files.list(PROCESSES)) {
      Path real = place.toRealPath();
      List<String> found =
          all.map(process -> process.getFileName().toString())
              .filter(name -> name.matches("\\d{1,10}"))
              .map(Long::valueOf)
              .filter(number -> number != ProcessHandle.current().pid() && hasOpen(number, real))
              .map(OpenElsewhere::described)
              .toList();
      return found.isEmpty() ? "" : " (" + String.join("; ", found) + ")";
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  private static boolean hasOpen(long process, Path place) {
    try (Stream<Path> files = Files.list(PROCESSES.resolve(process + "/fd"))) {
      for (Path file : files.toList()) {
        if (Files.readSymbolicLink(file).startsWith(place)) {
          return true;
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // it has just ended or closed a file, or is another user's
    }
    return false;
  }

  private static String described(long process) {
    return "process "
        + process
        + ProcessHandle.of(process)
            .flatMap(it -> it.info().command())
            .map(command -> ", " + command)
            .orElse("");
  }
}
