package io.kvstadium.engine.rocksdb;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads the native library from a directory of the user's, into which it is unpacked once.
 *
 * <p>RocksDB's own loader unpacks 17 MB into the directory for temporary files at each start, which
 * takes longer than everything else about a start and leaves the file behind when the process is
 * killed. It is still used if {@code ROCKSDB_SHAREDLIB_DIR} is set, which it obeys, and where the
 * directory cannot be used: not writable, mounted without the right to execute, or in use through
 * another class loader (one file can be loaded by one class loader only).
 */
final class RocksDbNatives {
  private static final String OWN_DIRECTORY = "ROCKSDB_SHAREDLIB_DIR";

  private final Path directory;

  /** Unpacks into this directory, which should be named after the version. */
  RocksDbNatives(Path directory) {
    this.directory = directory;
  }

  /** In the user's directory for caches, as the platform names it. */
  static RocksDbNatives ofUser(String version, Map<String, String> environment) {
    return new RocksDbNatives(cache(environment).resolve("kv-stadium/rocksdb-" + version));
  }

  /**
   * Loads the library unless it is loaded.
   *
   * @throws UnsatisfiedLinkError if there is none for this platform, or it cannot be loaded
   */
  void load() {
    if (System.getenv(OWN_DIRECTORY) != null) {
      RocksDB.loadLibrary();
      return;
    }
    try {
      unpack();
      RocksDB.loadLibrary(List.of(directory.toString()));
    } catch (IOException | UnsatisfiedLinkError first) {
      try {
        RocksDB.loadLibrary();
      } catch (UnsatisfiedLinkError | RuntimeException second) {
        second.addSuppressed(first);
        throw second;
      }
    }
  }

  /**
   * Puts the library into the directory, under the name that RocksDB looks for, if it is not there.
   */
  Path unpack() throws IOException {
    URL source = resource();
    if (source == null) {
      throw new IOException("rocksdbjni has no native library for this platform");
    }
    // Not a slip: RocksDB.loadLibrary(List) asks for the name made from "rocksdbjni".
    Path target = directory.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
    var connection = source.openConnection();
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      if (Files.isRegularFile(target) && Files.size(target) == connection.getContentLengthLong()) {
        return target;
      }
      Files.createDirectories(directory);
      Path part = Files.createTempFile(directory, "unpacking", ".part");
      try {
        Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    }
    return target;
  }

  private static @Nullable URL resource() {
    ClassLoader loader = RocksDB.class.getClassLoader();
    URL source = loader.getResource(Environment.getJniLibraryFileName("rocksdb"));
    String fallback = Environment.getFallbackJniLibraryFileName("rocksdb");
    return source != null || fallback == null ? source : loader.getResource(fallback);
  }

  private static Path cache(Map<String, String> environment) {
    String home = System.getProperty("user.home", ".");
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    if (!xdg.isEmpty()) {
      return Path.of(xdg);
    }
    String windows = environment.getOrDefault("LOCALAPPDATA", "");
    if (Environment.isWindows() && !windows.isEmpty()) {
      return Path.of(windows);
    }
    return Environment.isMac() ? Path.of(home, "Library", "Caches") : Path.of(home, ".cache");
  }
}
