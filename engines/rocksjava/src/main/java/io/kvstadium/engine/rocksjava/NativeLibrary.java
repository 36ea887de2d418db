package io.kvstadium.engine.rocksjava;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads RocksDB's native library from the user's cache directory, where it is unpacked once: its
 * own loader unpacks 17 MB at each start, which takes longer than everything else about one. That
 * is still used if the directory cannot be (not writable, mounted without the right to execute, in
 * use through another class loader), by forks, and if {@code ROCKSDB_SHAREDLIB_DIR} is set, which
 * it obeys.
 */
final class NativeLibrary {
  /** Why it cannot be loaded. Tried once: RocksDB's loader hangs when called after a failure. */
  static final @Nullable String FAILURE = load();

  private NativeLibrary() {}

  private static @Nullable String load() {
    try {
      if (!isLoadedFromCache()) {
        RocksDB.loadLibrary();
      }
      return null;
    } catch (LinkageError | RuntimeException e) {
      return e.toString();
    }
  }

  private static boolean isLoadedFromCache() {
    if (System.getenv("ROCKSDB_SHAREDLIB_DIR") != null) {
      return false;
    }
    String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    Path home = Path.of(System.getProperty("user.home", "."), ".cache");
    try {
      Path library = unpacked(cache.isEmpty() ? home : Path.of(cache));
      if (library == null) {
        return false;
      }
      RocksDB.loadLibrary(List.of(library.resolveSibling("").toString()));
      return true;
    } catch (IOException | UnsatisfiedLinkError _) {
      return false;
    }
  }

  /** Puts the library into a cache directory, if it is not there; {@code null} if there is none. */
  static @Nullable Path unpacked(Path cache) throws IOException {
    URL source =
        RocksDB.class.getClassLoader().getResource(Environment.getJniLibraryFileName("rocksdb"));
    if (source == null || !(source.openConnection() instanceof JarURLConnection jar)) {
      return null;
    }
    jar.setUseCaches(false);
    try (InputStream in = jar.getInputStream()) {
      String version = Long.toHexString(jar.getJarEntry().getCrc());
      Path directory = cache.resolve("kv-stadium/rocksdb-" + version);
      // Not a mistake: RocksDB.loadLibrary(List) asks for the name made from "rocksdbjni".
      Path target = directory.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
      if (!Files.isRegularFile(target) || Files.size(target) != jar.getJarEntry().getSize()) {
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
  }
}
