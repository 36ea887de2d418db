package io.kvstadium.engine.lmdb;

import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.NativeCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Meta;

/**
 * Loads LMDB. The binding unpacks two libraries into the directory for temporary files and removes
 * them when the virtual machine exits normally, so each killed process leaves them behind; here
 * they are removed as soon as they are loaded.
 */
final class NativeLibrary {
  /** Where the binding and the library below it unpack; each is read once, when first used. */
  private static final List<String> DIRECTORIES =
      List.of("lmdbjava.extract.dir", "jffi.extract.dir");

  private NativeLibrary() {}

  /** Loads when it is initialized, once. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // the cause of every later failure to open
  private static final class Loading {
    static final @Nullable StadiumException FAILURE = failure();
  }

  /** Why it cannot be loaded, or null if it is; loads it on the first call. */
  static @Nullable StadiumException loadingFailure() {
    return Loading.FAILURE;
  }

  private static @Nullable StadiumException failure() {
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    thread.setContextClassLoader(Meta.class.getClassLoader()); // the binding looks nowhere else
    try {
      if (DIRECTORIES.stream().anyMatch(name -> System.getProperty(name) != null)) {
        Meta.version(); // the user has chosen a place for the files
      } else {
        loadAndRemove();
      }
      return null;
    } catch (LinkageError | RuntimeException e) {
      String forbidden = NativeCode.forbidden(DIRECTORIES.toArray(String[]::new));
      if (forbidden != null) {
        return new StadiumException("engine lmdb: " + forbidden, e);
      }
      return new StadiumException(
          "engine lmdb: its native library cannot be loaded ("
              + e
              + "): there is one for Linux and macOS on x86-64 and ARM64 and for Windows on x86-64;"
              + " elsewhere install LMDB and set -Dlmdbjava.native.lib=lmdb. Java must run with"
              + " --enable-native-access=ALL-UNNAMED",
          e);
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  private static void loadAndRemove() {
    Path directory;
    try {
      directory = Files.createTempDirectory("kv-stadium-lmdb-");
    } catch (IOException e) {
      throw new StadiumException(
          "engine lmdb: no directory for its native library can be made: check java.io.tmpdir", e);
    }
    DIRECTORIES.forEach(name -> System.setProperty(name, directory.toString()));
    try {
      Meta.version();
    } finally {
      DIRECTORIES.forEach(System::clearProperty);
      remove(directory);
    }
  }

  /** Windows keeps a loaded library's file; there the binding's removal at exit must suffice. */
  private static void remove(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      directory.toFile().deleteOnExit();
    }
  }
}
