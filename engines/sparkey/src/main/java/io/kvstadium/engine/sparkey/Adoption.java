package io.kvstadium.engine.sparkey;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds another program's pairs of files: a named one, or all in a directory. */
final class Adoption {
  private static final String LOG = ".spl";
  private static final String INDEX = ".spi";

  private Adoption() {}

  /** Whether there is a file of Sparkey's. */
  static boolean isThere(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.list(place)) {
        return files.anyMatch(Adoption::isSparkeys);
      }
    }
    return isSparkeys(place) && Files.isRegularFile(place);
  }

  private static boolean isSparkeys(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(LOG) || name.endsWith(INDEX);
  }

  /** The pairs without their endings, by the names of their tables. */
  static Map<String, File> pairs(Path place) throws IOException {
    Map<String, File> pairs = new TreeMap<>();
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.list(place)) {
        for (Path file : files.filter(Adoption::isSparkeys).toList()) {
          File base = base(file);
          pairs.put(base.getName(), base);
        }
      }
    } else {
      pairs.put(Store.DEFAULT_TABLE, base(place));
    }
    for (File base : pairs.values()) {
      refuseHalf(Layout.log(base), "put it beside its index");
      refuseHalf(Layout.index(base), "make it with sparkey rehash, or Sparkey.writeHash");
    }
    return pairs;
  }

  private static void refuseHalf(Path file, String advice) {
    if (!Files.exists(file)) {
      throw new BadArgumentException("engine sparkey: " + file + " is missing: " + advice);
    }
  }

  private static File base(Path file) {
    String name = file.getFileName().toString();
    return file.resolveSibling(name.substring(0, name.length() - LOG.length())).toFile();
  }
}
