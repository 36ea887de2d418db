package io.kvstadium.engine.rocksjava;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads the native library from one of the user's directories, where it is unpacked once.
 *
 * <p>RocksDB's own loader unpacks 17 MB into the directory for temporary files at each start, which
 * takes longer than everything else about a start and leaves the file behind when the process is
 * killed. It is still used if {@code ROCKSDB_SHAREDLIB_DIR} is set, which it obeys, and where the
 * directory cannot be used: not writable, mounted without the right to execute, or in use through
 * another class loader (one file can be loaded by one class loader only).
 */
public final class NativeLibrary {
  private static final String OWN_DIRECTORY = "ROCKSDB_SHAREDLIB_DIR";

  /** Makes the Java classes use the native library in a file. */
  @FunctionalInterface
  public interface Binding {
    /**
     * Loads the file.
     *
     * @throws IOException if the Java classes are not as expected
     * @throws UnsatisfiedLinkError if the file cannot be loaded
     */
    void load(Path library) throws IOException;
  }

  /**
   * The library that is loaded; a system property, since there is one per process, regardless of
   * class loaders. The libraries have symbols in common that the linker merges, so a process with
   * two of them crashes.
   */
  private static final String IN_PROCESS = "io.kvstadium.engine.rocksjava.library";

  private final String name;
  private final Path directory;
  private final Binding binding;
  private boolean loaded;

  /** Unpacks into this directory, which should be named after the version. */
  NativeLibrary(String name, Path directory, Binding binding) {
    this.name = name;
    this.directory = directory;
    this.binding = binding;
  }

  /**
   * Returns the library that is unpacked into the platform's cache directory of the user.
   *
   * @param name as in the names of its files: {@code rocksdb} for {@code librocksdbjni-…}
   */
  public static NativeLibrary ofUser(
      String name, String version, Map<String, String> environment, Binding binding) {
    Path directory = cache(environment).resolve("kv-stadium/" + name + "-" + version);
    return new NativeLibrary(name, directory, binding);
  }

  /** Returns the library in this process that rules this one out; {@code null} if there is none. */
  @Nullable String clash() {
    String other = System.getProperty(IN_PROCESS);
    return other == null || other.equals(name) ? null : other;
  }

  /**
   * Loads the library unless it is already loaded.
   *
   * @throws LinkageError if there is none for this platform, or it cannot be loaded
   */
  synchronized void load() {
    if (loaded) {
      return;
    }
    System.getProperties().putIfAbsent(IN_PROCESS, name);
    if (clash() != null) {
      throw new UnsatisfiedLinkError("it clashes with that of " + clash() + " in this process");
    }
    if (System.getenv(OWN_DIRECTORY) != null) {
      RocksDB.loadLibrary();
    } else {
      try {
        binding.load(unpack());
      } catch (IOException | UnsatisfiedLinkError first) {
        try {
          RocksDB.loadLibrary();
        } catch (LinkageError | RuntimeException second) {
          second.addSuppressed(first);
          throw second;
        }
      }
    }
    loaded = true;
  }

  /** Puts the library into the directory, if it is not there. */
  Path unpack() throws IOException {
    URL source = resource();
    if (source == null) {
      throw new IOException(name + "jni has no native library for this platform");
    }
    // Not a mistake: RocksDB.loadLibrary(List) asks for the name made from "rocksdbjni".
    Path target = directory.resolve(Environment.getJniLibraryFileName(name + "jni"));
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

  private @Nullable URL resource() {
    ClassLoader loader = RocksDB.class.getClassLoader();
    URL source = loader.getResource(Environment.getJniLibraryFileName(name));
    String fallback = Environment.getFallbackJniLibraryFileName(name);
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
