package io.kvstadium.engine.sqlite;

import io.kvstadium.store.spi.NativeCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library. The driver unpacks it into the directory for temporary files under
 * a new name for each process and deletes it only at a normal exit, so that killed processes would
 * fill the disk. So where a mapped file can be removed, it is removed at once.
 */
final class NativeLibrary {
  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final String DIRECTORY = "org.sqlite.tmpdir";
  private static final String OWN_LIBRARY = "org.sqlite.lib.path";
  private static final String MARK = "-libsqlitejdbc.so";

  private NativeLibrary() {}

  /** Returns why it cannot be loaded, or {@code null} if it is loaded. */
  static @Nullable String problem() {
    return Loaded.PROBLEM;
  }

  /** Initialised once, by the virtual machine's own guarantee. */
  private static final class Loaded {
    static final @Nullable String PROBLEM = load();
  }

  private static @Nullable String load() {
    String forbidden = NativeCode.forbidden(DIRECTORY);
    if (forbidden != null && System.getProperty(OWN_LIBRARY) == null) {
      return forbidden; // untried: the driver would log the failure with stack traces
    }
    try {
      SQLiteJDBCLoader.initialize();
    } catch (Exception | LinkageError e) { // the driver declares no less
      return "SQLite's native library cannot be loaded: " + e;
    }
    removeUnpacked();
    return null;
  }

  private static void removeUnpacked() {
    if (System.getProperty(OWN_LIBRARY) != null || !Files.isReadable(MAPS)) {
      return; // the user's own library, or a system that keeps mapped files
    }
    for (Path unpacked : mapped()) {
      try {
        Files.deleteIfExists(unpacked);
        Files.deleteIfExists(Path.of(unpacked + ".lck"));
      } catch (IOException _) {
        // the driver deletes it at exit
      }
    }
  }

  /** Returns the library's file, as the kernel knows it; only this driver uses such names. */
  private static List<Path> mapped() {
    try (Stream<String> lines = Files.lines(MAPS)) {
      return lines
          .filter(line -> line.endsWith(MARK) && line.contains("/sqlite-"))
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          .distinct()
          .toList();
    } catch (IOException | UncheckedIOException _) {
      return List.of(); // then the driver deletes it at exit
    }
  }
}
