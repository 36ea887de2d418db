package io.kvstadium.store.engine.help;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories with all that they hold. */
public final class FileTrees {
  private FileTrees() {}

  /** Removes a directory or a file, without following links; does nothing if it is not there. */
  public static void remove(Path tree) throws IOException {
    if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file); // another process may remove some meanwhile
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
